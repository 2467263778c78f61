"""`kill -9` at any moment loses nothing and leaves nothing half-written."""

import os
import random
import subprocess
import sys

COMMAND = [sys.executable, "-m", "errdex", "analyze", "env:click", "env:jinja2", "--jobs", "1"]


def _listed(catalog) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "errdex", "list", "--catalog", str(catalog)], capture_output=True, check=False
    )
    return done.stdout


def test_a_killed_analysis_is_finished_by_the_next(tmp_path):
    """Whatever moment the process dies at, the next run ends with the records of an undisturbed one."""
    whole, killed = tmp_path / "whole.db", tmp_path / "killed.db"
    subprocess.run([*COMMAND, "--catalog", str(whole)], capture_output=True, check=True)
    moments = random.Random(7)
    for _ in range(6):
        running = subprocess.Popen(
            [*COMMAND, "--catalog", str(killed)], stderr=subprocess.DEVNULL, env={**os.environ}
        )
        try:
            running.wait(timeout=moments.uniform(0.1, 2.5))
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        seen = _listed(killed)
        assert not seen or set(seen.splitlines()) <= set(_listed(whole).splitlines())
    done = subprocess.run([*COMMAND, "--catalog", str(killed)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert _listed(killed) == _listed(whole)
