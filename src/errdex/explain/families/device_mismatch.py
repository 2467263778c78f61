"""A tensor lives on another device than the code that works on it.

Means: Kernels run on one device and read its memory. A tensor on the CPU, or on another accelerator, cannot
  be reached from there.
Not this: The accelerator itself, or its library, is missing (`unsupported-platform`,
  `optional-dependency-missing`).
Causes:
  - Inputs stayed on the CPU while the model was moved.
  - A tensor was created inside a function without a `device` argument.
  - Several accelerators are visible and parts of a model were placed on different ones.
Fix: Move the tensor once, before the call, to the device of the tensors it meets.
Prevent: Create tensors with the device of an existing one, and move whole batches in one place.
Proof: Call it with one tensor on another device, then with all on one.
Source: https://docs.pytorch.org/docs/stable/notes/cuda.html
"""

import re

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import shape, told

_DEVICE = re.compile(r"(?i)\.device\b|\bdevice_?\b|is_cuda|is_cpu|device_type|cuda\.is_available")


@family(
    "device-mismatch",
    situations=(
        "Inputs stayed on the CPU while the model was moved to an accelerator.",
        "{subject} was created inside a function without naming a device.",
    ),
    prevention=("Create tensors on the device of an existing one, and move whole batches in one place.",),
    strategy="validation",
    tags=("device", "cuda", "gpu"),
    yields_to=(
        "environment-variable-missing",
        "unsupported-platform",
        "version-conflict",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim guards that read a device, and messages about devices."""
    found = facts.reading(_DEVICE, "ne", "eq", "in", "not-in", "true", "false", "is", "is-not")
    return shape(facts, found, measured=("device", "cuda", "cpu", "gpu", "hip")) or told(
        facts, "same device", "on cuda", "on gpu", "cuda tensor", "cpu tensor", "gpu tensor", "requires cuda"
    )
