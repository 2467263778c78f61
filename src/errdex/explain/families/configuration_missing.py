"""A setting that the program needs is missing or contradicts another.

Means: The library reads its configuration when it is first needed, and what it found cannot work.
Not this: The setting comes from the environment (`environment-variable-missing`); an argument of the call
  is missing (`required-argument-missing`).
Causes:
  - The configuration file is not the one that is being read.
  - A section, key or application was left out or misspelt.
  - Two settings were changed independently and no longer fit.
Fix: Add or correct the setting that the message names, in the file that is really read.
Prevent: Load and check the configuration once, when the program starts.
Proof: Start without the setting, then with it.
Source: https://docs.python.org/3/library/configparser.html
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, shape, told


@family(
    "configuration-missing",
    situations=(
        "A setting is missing, or two settings contradict each other.",
        "The configuration that is read is not the one that was edited.",
        "A section, key or application was left out or misspelt.",
    ),
    prevention=("Load and check the whole configuration once, when the program starts.",),
    strategy="try-catch",
    tags=("configuration", "settings"),
    breadth="broad",
    yields_to=("argument-type",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "ImproperlyConfigured",
        "ConfigError",
        "ConfigurationError",
        "NoSectionError",
        "NoOptionError",
        "ConfigParseError",
        words=("config", "configuration", "configured", "settings"),
    )
    found = [
        test
        for test in facts.tests
        if re.search(r"(?i)\bsettings\b|\bconf(ig)?\b|\bself\.config\b|current_app\.config", test.subject)
    ]
    if named is not None:
        named = Claim(
            Strength.CLASS, named.slots, named.distance
        )  # where it was looked for, not what is wrong
    return best(
        named,
        shape(facts, found, "setting", "config", "section", "option"),
        told(facts, "configuration", "configured", "settings", "config file", ".toml", ".ini", ".cfg"),
    )
