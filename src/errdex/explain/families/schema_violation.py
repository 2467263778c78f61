"""Data is readable but breaks a rule of its schema or model.

Means: A model declares which fields there are, of which types and with which limits; the data given does
  not fit it.
Not this: The text cannot be parsed at all (`undecodable-input`), or a database refused the row
  (`integrity-violation`).
Causes:
  - A field is missing, misspelt or of another type in what a client sent.
  - The producer of the data changed its form.
  - A rule of the model is stricter than the data that exists.
Fix: Correct the field that the message names, or the model where the data is right.
Prevent: Validate at the border of the program and answer with the list of problems.
Proof: Validate data that breaks one rule, then data that keeps all.
Source: https://json-schema.org/learn/getting-started-step-by-step
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, told


@family(
    "schema-violation",
    situations=(
        "A field is missing, misspelt or of another type in what was sent.",
        "The producer of the data changed its form, and the model did not follow.",
    ),
    prevention=("Validate at the border of the program, and answer with the list of problems.",),
    strategy="validation",
    tags=("validation", "schema"),
    breadth="common",
    yields_to=(
        "mutually-exclusive-arguments",
        "read-only",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "ValidationError",
        "SchemaError",
        "RequestValidationError",
        "SerializationFailed",
        "ValidationFailure",
        "StrictDataclassError",
        "ValidationException",
        "ParamValidationError",
        words=("validation", "schema"),
    )
    return best(
        named,
        caught(facts, "ValidationError", "SchemaError"),
        told(facts, "validation", "schema", "does not conform", "unknown fields", "extra fields"),
    )
