"""A file or folder is not where the program looks for it.

Means: The path names nothing on this machine, or names a folder where a file is expected, or the other way
  round.
Not this: It is there and may not be read (`permission-denied`), or an entry of another kind is unknown
  (`resource-not-found`).
Causes:
  - The path is relative, and the program runs in another working directory.
  - The file is part of the repository but not of the installed package or the container.
  - A name differs in case, or an extension is missing.
  - The step that should have written the file failed or has not run.
Fix: Print the absolute path, and correct it or create the file.
Prevent: Build paths from a known base (`Path(__file__).parent`, a setting) instead of the working
  directory.
Proof: Pass the path of a file that is not there, then of one that is.
Source: https://docs.python.org/3/library/exceptions.html#FileNotFoundError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter, shape, told


@family(
    "file-not-found",
    situations=(
        "The path is relative, and the program runs in another working directory than expected.",
        "The file is part of the repository but not of the installed package or the container.",
        "The step that should have written the file failed or has not run.",
    ),
    prevention=(
        "Build paths from a known base (`Path(__file__).parent`, a setting) instead of the working directory.",
    ),
    strategy="try-catch",
    tags=("file", "path"),
    yields_to=(
        "environment-variable-missing",
        "optional-dependency-missing",
        "timeout",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if facts.is_class(
        "FileNotFoundError",
        "NotADirectoryError",
        "IsADirectoryError",
        "TemplateDoesNotExist",
        "TemplateNotFound",
    ):
        return Claim(Strength.OWN_CLASS, parameter(facts))
    if not facts.caught.isdisjoint(("FileNotFoundError", "NotADirectoryError", "IsADirectoryError")):
        return Claim(Strength.CLASS, parameter(facts))
    found = list(facts.tests_with("missing", "not-file", "not-directory", "file", "directory"))
    return shape(
        facts, found, "exist", "not found", measured=("file", "directory", "path", "folder")
    ) or told(
        facts,
        "no such file",
        "file not found",
        "file does not exist",
        "path does not exist",
        "directory does not exist",
        "is not a file",
        "is not a directory",
        "not a directory",
        "cannot find the file",
        "could not find file",
        "cannot open file",
        "cannot locate",
        "file doesn't exist",
    )
