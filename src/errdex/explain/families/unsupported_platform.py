"""This operating system, processor or build does not offer what is needed.

Means: The feature rests on something that only some platforms have: a system call, an instruction set, an
  accelerator, a compiled part.
Not this: A Python package is missing (`optional-dependency-missing`), or a version does not fit
  (`version-conflict`).
Causes:
  - Code written on one system runs on another.
  - The build at hand was made without the feature.
  - The machine has no accelerator of that kind, or its driver is missing.
Fix: Run it on a platform that has it, or take the alternative that the message names.
Prevent: Ask for the feature once at the start, and choose the path by the answer.
Proof: Ask for the feature on a platform without it, then on one with it.
Source: https://docs.python.org/3/library/sys.html#sys.platform
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told


@family(
    "unsupported-platform",
    situations=(
        "Code written on one system runs on another, or the build at hand was made without the feature.",
        "The machine has no accelerator of that kind, or its driver is missing.",
    ),
    prevention=("Ask for the feature once at the start, and choose the path by the answer.",),
    strategy="fallback",
    tags=("platform",),
    yields_to=(
        "abstract-method",
        "environment-variable-missing",
        "optional-dependency-missing",
        "removed-feature",
        "version-conflict",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = [
        test
        for test in facts.tests
        if re.search(
            r"(?i)sys\.platform|os\.name|platform\.|is_windows|\bWIN32\b|_WIN\b|is_(cuda|hip|npu|xpu|cpu|rocm|mps|sm\d+)\w*\(|_is_(cuda|hip|npu|xpu|cpu|amx\w*)\b|device_capability|features\.check|hasattr\((os|socket|signal|select)\b|compute_capability|on_windows",
            f"{test.subject} {' '.join(test.objects)}",
        )
        or (test.relation == "lacks" and test.subject in {"os", "socket", "signal", "select", "sys"})
    ]
    return shape(
        facts,
        found,
        "platform",
        "windows",
        "linux",
        "system",
        "supported",
        "cuda",
        "available",
        "macos",
        "gpu",
        "npu",
        "hardware",
        "require",
    ) or told(
        facts,
        "platform",
        "operating system",
        "on windows",
        "on linux",
        "macos",
        "unix",
        "not available on this",
        "compute capability",
        "compiled with",
        "compiled without",
        "built with",
        "built without",
        "without an ssl module",
        "is compiled with",
        "wasn't built with",
        "architecture",
        "no gpu",
        "hardware",
        "rocm",
        "posix",
    )
