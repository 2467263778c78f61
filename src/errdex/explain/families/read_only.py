"""The object does not allow changes.

Means: It is frozen, shared, a view on something else, or opened for reading; a change would surprise
  whoever else holds it.
Not this: The caller lacks a right that others have (`permission-denied`).
Causes:
  - A frozen or cached object is changed in place instead of copied.
  - A file, store or connection was opened for reading.
  - A class attribute or property without a setter is assigned.
Fix: Make a changed copy (`replace`, `copy`), or open it for writing.
Prevent: Treat values that come from a cache or a configuration as frozen.
Proof: Assign to the frozen object, then make a changed copy.
Source: https://docs.python.org/3/library/dataclasses.html#frozen-instances
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, shape

_SAID = (
    "read-only",
    "readonly",
    "read only",
    "immutable",
    "frozen",
    "cannot be modified",
    "cannot modify",
    "cannot be changed",
    "can't be changed",
    "cannot set",
    "can't set",
    "cannot assign to",
    "cannot be assigned",
    "does not support item assignment",
    "not mutable",
    "not writable",
    "not writeable",
    "cannot change",
    "can't modify",
    "cannot delete",
    "cannot be deleted",
    "may not be modified",
    "can not be set",
    "cannot be set",
    "can't delete",
    "cannot be overwritten",
    "can't assign to",
    "mutations are not",
)


@family(
    "read-only",
    situations=(
        "A frozen, shared or cached object is changed in place instead of copied.",
        "A file, store or connection was opened for reading.",
    ),
    prevention=(
        "Treat values that come from a cache or a configuration as frozen, and make changed copies.",
    ),
    strategy="try-catch",
    tags=("read-only", "immutable"),
    breadth="common",
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "FrozenInstanceError",
        "ReadOnlyError",
        "ImmutableError",
        words=("frozen", "readonly", "immutable"),
        slots={},
    )
    found = [
        test
        for test in facts.tests
        if re.search(r"(?i)frozen|read_?only|immutable|writeable|writable|mutable", test.subject)
    ]
    writes = facts.site.callable.name.rpartition(".")[2] in {
        "__setattr__",
        "__setitem__",
        "__delattr__",
        "__delitem__",
        "__iadd__",
    }
    said = facts.says(*_SAID)
    if writes and (said or (not facts.words and facts.is_class("AttributeError", "TypeError"))):
        return Claim(Strength.SHAPE_AND_WORDS)
    return best(
        named,
        shape(facts, found, *_SAID),
        Claim(Strength.SHAPE_AND_WORDS if facts.is_class("AttributeError", "TypeError") else Strength.WORDS)
        if said
        else None,
    )
