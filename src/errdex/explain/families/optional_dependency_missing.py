"""A package that this feature needs is not installed.

Means: The library works without the package, but this feature is built on it; it is imported only when the
  feature is used.
Not this: The package is there in a version that does not fit (`version-conflict`).
Causes:
  - The library was installed without the extra that brings the package.
  - The program runs in another environment than the one the package was installed into.
  - The package has no wheel for this platform, and its installation failed.
Fix: Install the package, or the library's extra that brings it, into the environment that runs the program.
Prevent: Name the extra (`library[feature]`) in your own requirements.
Proof: Use the feature without the package, then with it.
Source: https://packaging.python.org/en/latest/specifications/dependency-specifiers/#extras
"""

import re

from errdex.explain.english import code
from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family


@family(
    "optional-dependency-missing",
    situations=(
        "The library was installed without the extra that brings {module}.",
        "The program runs in another environment than the one the package was installed into.",
    ),
    prevention=(
        "Name what the feature needs, as an extra of {package} or as a package, in your own requirements.",
    ),
    solutions=("Install what the message names into the environment that runs the program.",),
    strategy="fallback",
    tags=("import", "dependency", "install"),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    name = re.search(
        r"\bimport\s+([\w.]+)|\bfrom\s+([\w.]+)",
        " ".join(test.subject for test in facts.tests_with("raises")),
    )
    module = (name[1] or name[2]) if name else None
    slots = {"module": code(module)} if module else {"module": "the package"}
    if not facts.caught.isdisjoint(("ImportError", "ModuleNotFoundError", "PackageNotFoundError")):
        tried = facts.site.guard is None or bool(name) or facts.site.guard.kind == "except"
        if (
            not tried
            and facts.words
            and not facts.says("install", "missing", "available", "requires", "import", "without")
        ):
            return None  # a further question about what was caught
        return Claim(Strength.OWN_CLASS if tried else Strength.CLASS, slots)
    if facts.is_class("ImportError", "ModuleNotFoundError", "OptionalDependencyNotAvailable"):
        return Claim(Strength.CLASS if not facts.says("install") else Strength.OWN_CLASS, slots)
    absent = [
        test
        for test in facts.tests
        if re.search(
            r"(?i)(^|\.|_)(has|have|is)_\w+(_available|_installed)?\b|_available\b|find_spec|_installed\b",
            test.subject,
        )
        or (
            test.relation in {"is-none", "lacks"}
            and not facts.reads_parameter(test.subject)
            and ("." not in test.subject or test.subject[:1].isupper())
        )
    ]
    if facts.says(
        "pip install",
        "install it",
        "please install",
        "not installed",
        "is required to use",
        "install the",
        "need to install",
        "to be installed",
        "must be installed",
        "required to use",
        "conda install",
        "dependencies for",
        "dependency",
        "is installed",
    ):
        return Claim(Strength.SHAPE_AND_WORDS if absent else Strength.WORDS, slots)
    return None
