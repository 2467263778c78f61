"""Two tensors that must share an element type do not.

Means: A callable compared the dtypes of its tensors (or of a tensor with the one dtype it
  is built for) and found them different. Compiled kernels read memory by one element type;
  a silent cast would cost memory and precision without anyone having asked for it.
Not this: The shapes differ (`tensor-shape-mismatch`), or the tensors live on different devices
  (`device-mismatch`).
Causes:
  - A buffer, cache or parameter was created with the framework's default dtype (float32) while the rest runs in half precision.
  - Only some of the tensors of one call were cast.
  - Data read from a file or from NumPy (float64 by default) meets float32 weights.
Fix: Create the tensor with the dtype of the one it meets, or cast it once before the call.
Prevent: Take the dtype from one place, such as the model's configuration or the first tensor, wherever tensors are created.
Proof: Call it with one tensor in another dtype than the rest, then with all alike.
Source: https://numpy.org/doc/stable/reference/arrays.dtypes.html
"""

from errdex.explain.english import listed
from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape


@family(
    "tensor-dtype-mismatch",
    situations=(
        "{left} was created with a default dtype, or for another precision, while {right} has the dtype the rest runs in.",
        "Only some of the tensors of one call were cast, after a change of precision (such as float32 to bfloat16).",
    ),
    prevention=(
        "Create {left} with {right}'s dtype, in the one place that allocates it.",
        "Take the dtype from one place, such as the model's configuration, wherever tensors are created.",
    ),
    strategy="validation",
    tags=("dtype", "tensor", "precision"),
    yields_to=(
        "device-mismatch",
        "timezone-mismatch",
        "unsupported-platform",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that hold one dtype against another, and messages about dtypes."""
    compared = [
        test for test in facts.tests_with("ne", "eq", "is-not", "in", "not-in") if "dtype" in test.subject
    ]
    if not compared:
        return None
    held = shape(facts, compared, measured=("dtype", "data type", "precision"))
    if held is None:
        return None
    left = dict.fromkeys(_owner(test.subject) for test in compared)
    right = dict.fromkeys(
        _owner(item) for test in compared for item in test.objects if item.endswith(".dtype")
    )
    slots = {}
    if all(left) and len(right) == 1 and all(right) and not set(left) & set(right):
        slots = {
            "left": listed([facts.names.subject(name) for name in left], "or"),
            "right": facts.names.subject(next(iter(right))),
        }
    return Claim(held.strength, slots)


def _owner(text: str) -> str:
    return text.removesuffix(".dtype") if text.endswith(".dtype") else ""
