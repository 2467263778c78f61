"""Every family has a program that fails as its page says, and one that does not; both are run."""

import difflib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SLUGS = sorted(path.parent.name for path in HERE.glob("*/fails.py"))
MARK = re.compile(r'\s*# throws: (\w+) "(.*)"$')
LARGEST_CHANGE = 10
"""Lines that a fix may touch: more would be another program."""


@pytest.fixture(scope="module")
def outcomes():
    done = subprocess.run(
        [sys.executable, str(HERE / "run_cases.py"), str(HERE)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(done.stdout[done.stdout.index('{"abstract-method') :])


@pytest.mark.parametrize("slug", SLUGS)
def test_a_failing_case_raises_what_it_is_marked_with(slug, outcomes):
    """The class, the message and the line marked in the program are those of the error it ends with."""
    lines = (HERE / slug / "fails.py").read_text("utf-8").splitlines()
    marks = [(number, MARK.match(line)) for number, line in enumerate(lines, 1) if "# throws:" in line]
    assert len(marks) == 1
    number, mark = marks[0]
    assert mark is not None
    outcome = outcomes[f"{slug}/fails.py"]
    assert (outcome["error"], outcome["message"]) == (mark[1], mark[2])
    assert number + 1 in outcome["lines"]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_fixed_case_runs_clean_and_differs_only_by_the_fix(slug, outcomes):
    """The fixed program ends without an error, and is the failing one but for a few lines."""
    assert outcomes[f"{slug}/fixed.py"] == {"error": None, "message": "", "lines": []}
    failing, fixed = (
        (HERE / slug / name).read_text("utf-8").splitlines() for name in ("fails.py", "fixed.py")
    )
    failing = [line for line in failing if not MARK.match(line)]
    changed = [line for line in difflib.ndiff(failing, fixed) if line[0] in "+-" and line[1:].strip()]
    assert 0 < len(changed) <= LARGEST_CHANGE
