"""An object cannot be turned into bytes or text, or back.

Means: A format (JSON, pickle, a message queue's) knows certain types; the object, or something inside of
  it, is none of them.
Not this: Bytes that should be an object cannot be read (`undecodable-input`).
Causes:
  - The object holds something of the running process: a lock, a connection, a lambda.
  - A type of another library (an array, a decimal, a date) is inside a plain structure.
Fix: Turn it into plain types first, or tell the serializer how to write the type.
Prevent: Send ids and plain data between processes, not live objects.
Proof: Serialize a set, then a list.
Source: https://docs.python.org/3/library/json.html#json.JSONEncoder
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, caught, own_class, told


@family(
    "not-serializable",
    situations=(
        "The object holds something of the running process: a lock, a connection, a lambda.",
        "A type of another library (an array, a decimal, a date) is inside a plain structure.",
    ),
    prevention=("Send ids and plain data between processes, not live objects.",),
    strategy="try-catch",
    tags=("serialization", "json"),
    yields_to=(
        "circular-dependency",
        "encoding-failure",
        "optional-dependency-missing",
        "removed-feature",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "PicklingError",
        "SerializationError",
        "EncodeError",
        "UnpicklingError",
        "NotSerializable",
        "InvalidDocument",
        "EncoderError",
        "ContentDisallowed",
        words=("serialization", "pickling", "serialize", "serializable", "encode"),
    )
    hidden = facts.site.callable.name.rpartition(".")[2] in {
        "__reduce__",
        "__reduce_ex__",
        "__getstate__",
        "__setstate__",
        "__deepcopy__",
        "__copy__",
    }
    return best(
        named,
        Claim(Strength.SHAPE_AND_WORDS) if hidden else None,
        caught(facts, "PicklingError"),
        told(
            facts,
            "serializ",
            "pickle",
            "json encod",
            "cannot be encoded",
            "cannot encode",
            "unhashable",
            "not hashable",
            "cannot be copied",
            "can't be copied",
            "deepcopy",
        ),
    )
