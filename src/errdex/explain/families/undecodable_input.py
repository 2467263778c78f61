"""Text or bytes cannot be read as the format they should have.

Means: A parser met something that its grammar does not allow: a cut or damaged file, another format, or
  text that was never meant for it.
Not this: The data parses, and its values break a rule (`schema-violation`); the characters themselves
  cannot be decoded (`encoding-failure`).
Causes:
  - The data is empty, cut off, or an error page of a server.
  - It is another format or version than assumed (Python's `repr` for JSON, tabs for commas).
  - Someone edited it by hand.
Fix: Look at the data at the place that the message names, and mend or re-create it.
Prevent: Check status, size and content type of what was received before parsing it.
Proof: Give it broken text, then valid text.
Source: https://docs.python.org/3/library/json.html#json.JSONDecodeError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, parameter

_READERS = frozenset(
    (
        "parse",
        "decode",
        "load",
        "loads",
        "read",
        "deserialize",
        "tokenize",
        "lex",
        "scan",
        "unpack",
        "unmarshal",
        "parser",
        "literal",
        "fromstring",
        "extract",
    )
)
_SAID = (
    "could not parse",
    "couldn't parse",
    "could not be parsed",
    "invalid regular expression",
    "invalid multipart",
    "cannot parse",
    "can't parse",
    "failed to parse",
    "unable to parse",
    "parse error",
    "error parsing",
    "malformed",
    "unexpected token",
    "unexpected character",
    "unexpected end",
    "syntax error",
    "invalid syntax",
    "could not decode",
    "cannot decode",
    "decode",
    "unterminated",
    "truncated",
    "corrupt",
    "invalid json",
    "invalid xml",
    "unbalanced",
    "invalid header",
    "bad magic",
    "unexpected eof",
    "invalid literal",
    "end of file",
    "garbage",
    "invalid data",
    "badly formed",
    "ill-formed",
    "unrecognized character",
)


def _on_text(facts: Facts) -> bool:
    return bool(facts.site.parameters) and any(
        test.relation in {"false", "is-none", "ne", "not-in", "lt"} for test in facts.tests
    )


@family(
    "undecodable-input",
    situations=(
        "The data is empty, cut off, or an error page in place of the expected content.",
        "It is another format or version than assumed, or was edited by hand.",
    ),
    prevention=("Check status, size and content type of what was received before it is parsed.",),
    strategy="try-catch",
    tags=("parse", "format"),
    breadth="broad",
    yields_to=(
        "argument-type",
        "configuration-missing",
        "incompatible-operands",
        "malformed-value",
        "unsupported-combination",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(facts, "SyntaxError", "JSONDecodeError", words=_FIELDS)
    reads = not facts.function_words.isdisjoint(_READERS)
    said = facts.says(*_SAID)
    return best(named, _translated(facts, said=said, reads=reads), _checked(facts, said=said, reads=reads))


def _translated(facts: Facts, *, said: bool, reads: bool) -> Claim | None:
    """Claim what reading raised, told in other words."""
    if not (said or reads) or facts.caught.isdisjoint(_OF_READING) or not any(facts.tests_with("raises")):
        return None
    return Claim(Strength.SHAPE_AND_WORDS if said else Strength.CLASS, parameter(facts))


def _checked(facts: Facts, *, said: bool, reads: bool) -> Claim | None:
    """Claim what a reader's own check found."""
    if said:
        return Claim(Strength.SHAPE_AND_WORDS if reads and facts.tests else Strength.WORDS, parameter(facts))
    if reads and facts.tests and facts.is_class("ValueError") and _on_text(facts):
        return Claim(Strength.SHAPE, parameter(facts))
    return None


_FIELDS = (
    "parse", "parser", "decode", "decoding", "syntax", "tokenize", "unparseable", "format", "malformed", "scanner", "lexer", "parsing",
)  # fmt: skip
_OF_READING = (
    "ValueError", "JSONDecodeError", "SyntaxError", "DecodeError", "error", "InvalidOperation", "ParseException", "IndexError",
    "TypeError", "OverflowError", "EOFError",
)  # fmt: skip
