"""A name is looked up in a table of the library, and nothing is registered under it.

Means: Codecs, backends, plugins, commands, fields and the like are found by name; this name is not in the
  table.
Not this: The list of words is fixed (`unknown-choice`); the entry lives on a server or in a database
  (`resource-not-found`).
Causes:
  - A typing mistake.
  - The module that registers the name was not imported, or its plugin is not installed.
  - The name was registered under another case or with a prefix.
Fix: Import or install what registers the name, or use one that is registered.
Prevent: Import all registering modules in one place that runs at the start.
Proof: Look up a name that nobody registered, then one that is.
Source: https://docs.python.org/3/library/codecs.html#codecs.lookup
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import parameter, told


@family(
    "unregistered-name",
    situations=(
        "The module that registers the name was not imported, or its plugin is not installed.",
        "A typing mistake, or a name registered under another case or prefix.",
    ),
    prevention=("Import all registering modules in one place that runs at the start.",),
    strategy="validation",
    tags=("lookup", "registry"),
    breadth="common",
    yields_to=(
        "duplicate-entry",
        "ignored-argument",
        "protocol-violation",
        "required-argument-missing",
        "schema-violation",
        "uninitialised-object",
        "unknown-attribute",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    found = facts.reading(
        r"(?i)regist|\.get\(|self\._?\w*(s|map|table|cache|types|handlers|backends|fields)\b|_map\b|lookup|names|columns|apps|models",
        "not-in",
        "is-none",
        "lacks",
    )
    missing = [test for test in found if test.relation == "not-in"]
    said = facts.says(
        "not registered",
        "no such",
        "unknown",
        "not found",
        "does not exist",
        "not a registered",
        "has no",
        "no field",
        "not defined",
        "is not known",
        "unregistered",
        "not recognized",
        "cannot find",
        "undefined",
        "could not find",
        "not a known",
        "is not a",
    )
    if (
        facts.is_class("LookupError", "KeyError", "UnknownBackend", "FieldDoesNotExist", "NoSuchOption")
        and not facts.is_class("IndexError")
        and said
    ):
        return Claim(Strength.SHAPE_AND_WORDS, parameter(facts))
    if (
        facts.tests_with("raises")
        and not facts.caught.isdisjoint(("KeyError", "LookupError", "FieldDoesNotExist"))
        and said
    ):
        return Claim(Strength.SHAPE_AND_WORDS, parameter(facts))
    if missing or (found and said):
        return Claim(Strength.SHAPE_AND_WORDS if said else Strength.SHAPE, parameter(facts))
    if facts.says("no ") and facts.has_words("named"):
        return Claim(Strength.SHAPE_AND_WORDS if facts.tests else Strength.WORDS, parameter(facts))
    if re.search(r"unknown [\w ]*type\b", facts.message):
        return None  # of what kind an object is, not under which name it is known
    return told(
        facts,
        "not registered",
        "unknown ",
        "unrecognized",
        "is not defined",
        "not a known",
        "has no field",
        "no plugin",
    )
