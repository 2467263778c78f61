"""The plain patterns of English that claims are read by.

Sentences come with their code spans replaced by `§0`, `§1`, … (`errdex.assist.prose`).
"""

from __future__ import annotations

import re

from errdex.syntax.logic import Relation

NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}
VALUE = r"(?P<value>-?\d+(?:\.\d+)?|§\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten)"
ORDERS: tuple[tuple[Relation, str, re.Pattern[str]], ...] = (
    (
        "ge",
        "0",
        re.compile(r"(?i)\b(?:non-?negative|zero or (?:more|greater|above)|not (?:be |being )?negative)\b"),
    ),
    ("lt", "0", re.compile(r"(?i)\bnegative\b")),
    ("gt", "0", re.compile(r"(?i)\bpositive\b")),
    ("ge", "", re.compile(rf"(?i)\b(?:at least|no less than|not less than) {VALUE}")),
    ("ge", "", re.compile(rf"(?i){VALUE} or (?:more|greater|above|higher)\b")),
    ("le", "", re.compile(rf"(?i)\b(?:at most|no more than|not more than|up to) {VALUE}")),
    ("le", "", re.compile(rf"(?i){VALUE} or (?:less|fewer|below|lower|smaller)\b")),
    (
        "lt",
        "",
        re.compile(
            rf"(?i)\b(?:(?:less|smaller|lower|fewer)(?: [a-z]+)?(?: [a-z]+)? than|below|under)\b(?: {VALUE})?"
        ),
    ),
    (
        "gt",
        "",
        re.compile(
            rf"(?i)\b(?:(?:greater|more|larger|higher|bigger)(?: [a-z]+)?(?: [a-z]+)? than|above|over|exceeds?|beyond)\b"
            rf"(?: {VALUE})?"
        ),
    ),
)
"""Comparisons: relation, bound where the words hold it, pattern; the first that is found counts."""
DENIAL = re.compile(
    r"(?i)\b(?:without|no|not|never|missing|omit\w*|absent|unset|off|out|empty|lacks?|lacking|drop\w*|remov\w+|delet\w+"
    r"|false|disabled|neither|nothing|none|cannot|before|until|outside)\b|n't\b"
)
GIVEN = re.compile(
    r"(?i)\b(?:given|gives?|pass\w*|set|sets|provid\w*|suppl\w*|with|ha[sd]|have|adds?|added|uses?|used|keep\w*|on"
    r"|enabled?|true|needs?|needed|wants?|required?|after|already|create\w*|register\w*|write|put|mount|there|present"
    r"|fill\w*|got|either)\b"
)
SAME = re.compile(r"(?i)\b(?:same|equals?|identical|coincide|match\w*)\b")
DIFFERENT = re.compile(r"(?i)\b(?:different|differs?|other than|unequal|mismatch\w*|distinct)\b")
CONTAINS = re.compile(r"(?i)\b(?:contain\w*|holds?|includ\w*|with|without|in)\b")
PUT_OR_TAKEN = re.compile(
    r"(?i)(?:(?P<put>add|append|insert|put|prepend)\b[^§]* (?:to|into|in|before|after)"
    r"|(?:remove|strip|delete|drop|take|cut|replace)\b[^§]* (?:from|in|out of)) (?:the )?§\d+"
)
"""`Remove the quotes from` a name, `Add a slash to` it."""
OF_CHOICES = re.compile(
    r"(?i)\b(?:(?P<no>(?:is|are) not in|not among|none of|not one of|no longer|unknown|unsupported|unrecogni\w+|not known|not there"
    r"|not listed|not registered|other than)|(?:is|are) in|among|one of|known|there|listed)\b"
)
COUNT = re.compile(
    r"(?i)\b(?:exactly |only )?(?P<count>\d+|two|three|four|one) (?:[a-z]+ )?(?:columns?|declarations?|elements?|items?"
    r"|values?|parts?|arguments?|numbers?|entries|dimensions?|characters?)\b"
)
OTHER_COUNT = re.compile(r"(?i)\b(?:other than|not|more than|fewer than)\b")
ONE_OF = re.compile(r"(?i)\b(?:only|just|exactly) one of\b")
CALLABLE = re.compile(r"(?i)\b(?:callable|can(?:not)? be called)\b")
TYPE_WORDS = {
    "string": "str", "strings": "str", "text": "str", "integer": "int", "integers": "int", "float": "float",
    "list": "list", "tuple": "tuple", "dictionary": "dict", "dict": "dict", "boolean": "bool", "bytes": "bytes", "mapping": "Mapping",
}  # fmt: skip
TYPE_NAME = re.compile(r"(?:[a-z_]\w*\.)*(?:_*[A-Z]\w+|str|int|float|bytes|bool|list|tuple|dict|set|type)$")
TYPE_PLACE = re.compile(
    r"(?i)\b(?:(?:an?|another|as|into|to|be|is|are|was|were|with|or|of type|instance of|still|plain|single)\s+)+"
    r"(?=(?P<first>§\d+|[a-z]+)(?:\s+(?P<second>§\d+|[a-z]+))?)"
)
"""Where a sentence names a type: `is a plain string`, `into a list`, `with §0`."""
CHANGED = re.compile(
    r"(?i)\b(?:convert|cast|turn|change|coerce|parse|wrap|transform)\w*\b[^,]*\b(?:with|to|into|by|in)\b"
)
UN = re.compile(r"(?i)^(?:un|non-?|dis)(?=[a-z]{4})")
TRIVIAL = frozenset(
    {"args", "been", "can", "current", "data", "has", "is", "isinstance", "kwargs", "len", "list", "max", "min", "name",
     "none", "nx", "object", "other", "self", "the", "type", "value", "was"}
)  # fmt: skip
"""Words in names that sentences use for anything."""
STATE_NAME = re.compile(r"_*(?:is|has|can|was|are)_[a-z]")
PRONOUN = re.compile(
    r"(?i)\b(?:it|its|they|them|their|one|ones|this|these|that|those|none|value|given|first|third|both|neither)\b"
)
"""Words by which a clause goes on about what the one before named."""
IT = re.compile(r"(?i)^(?:so |and |but |because )*(?:it|they)\b")
NEAR_DENIAL = re.compile(r"(?i)\b(?:not|never|no|without|hardly)(?: [a-z]+){0,2} $")
SWITCHED_OFF = re.compile(r"(?i)(?: [a-z]+)? (?:off|disabled|false)\b")
MOVES = re.compile(
    r"(?i)^(?:and |or )?(?P<up>raise|increase|enlarge)|^(?:and |or )?(?:lower|reduce|decrease|shrink)\b"
)
VALUES = r"(?P<values>(?:(?:§\d+|-?\d+(?:\.\d+)?)(?:, or | or | and |, )?)+)"
AS = re.compile(rf"(?i){VALUES} ?(?:for|as|to) (?:the )?(?:[a-z]+ )?(?P<name>§\d+)")
"""`"in"` or `"out"` for `source`."""
KNOWN = re.compile(rf"(?i)\bonly {VALUES} ?(?:are|is) (?:known|accepted|allowed|supported|possible|valid)")
"""Only `a`, `b` and `c` are known."""
NOT_THIS = re.compile(r"(?i)\b(?:other than|else than|not|instead of|never)\b")
BE = re.compile(
    r"(?i)(?P<name>§\d+|\b[a-z]+\b) (?:(?:must|may|can|has to|should|which)? ?(?P<no>not )?(?:only )?(?:be|is|was|are|to|equals)"
    rf"(?P<else> not| something else than| other than| anything but| neither| none of)?) {VALUES}"
)
"""`width` must not be 0; `reflexive` may be None, True or False."""
BOUNDARY = re.compile(r"(?i)\s(?:that|which|who|for|in|of|although|because|so|when|if|while|unless)\s")
"""What stands beyond speaks of something else."""
LISTED_BEFORE = re.compile(r"(?P<item>§\d+)(?:,| and| or| nor|, and|, or)(?: the| a)? $")
LISTED_AFTER = re.compile(r"(?:,| and| or| nor|, and|, or)(?: the| a)? §\d+")
DENIED_BEFORE = re.compile(
    r"(?i)\b(?:without|no|not|never|neither|drop\w*|remov\w+|omit\w*|delet\w+|lacks?|lacking|missing|unset|out|off"
    r"|cannot)\b|^before\b|n't\b"
)
DENIED_AFTER = re.compile(
    r"(?i)\b(?:(?:not|never)(?! (?:in|among|one|an?|any|between|within|the|equal|greater|less|more|at|of|callable|§\d))"
    r"|missing|absent|unset|off|out|empty|false|disabled|omitted|dropped|removed|none"
    r"|no (?:elements?|items?|entries|entry|members?|nodes?|values?))\b|n't\b"
)


TOLD_TWICE = re.compile(
    r"(?i)\b(empty|missing|absent|unset|not \w+)(?:, | )or (?:not \w+|empty|missing|unset|absent)\b"
)
"""`empty or not set` denies once."""
VERB = re.compile(
    r"(?i)\b(?:is|are|was|were|has|have|pass|leave|set|drop|give|keep|refuses?|wants?|needs?|create|handle|remove|turn)\b"
)
