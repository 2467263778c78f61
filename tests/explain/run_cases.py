"""Runs every case program of the families, each in a fresh namespace, and prints what came of it as JSON.

Run in a process of its own: the programs change limits, warnings and locks as they like.
"""

import json
import runpy
import sys
import traceback
import warnings
from pathlib import Path


def outcome(program: Path) -> dict[str, object]:
    """Return the error that `program` ends with (`error` is None for none) and the line of the program it left at."""
    try:
        with warnings.catch_warnings():
            runpy.run_path(str(program), run_name="__main__")
    except BaseException as error:  # noqa: BLE001  # a case may end with anything
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == str(program)
        ]
        return {"error": type(error).__name__, "message": str(error), "lines": lines}
    return {"error": None, "message": "", "lines": []}


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    programs = sorted([*folder.glob("*/fails.py"), *folder.glob("*/fixed.py")])
    json.dump({str(program.relative_to(folder)): outcome(program) for program in programs}, sys.stdout)
