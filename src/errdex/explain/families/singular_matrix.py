"""A matrix cannot be inverted or decomposed, or lacks a property that the method rests on.

Means: The method needs full rank, symmetry or positive eigenvalues; this matrix does not have it.
Not this: Its shape is wrong (`tensor-shape-mismatch`), or the method needs more steps (`not-converged`).
Causes:
  - Columns repeat or depend on each other.
  - There are more variables than observations.
  - Rounding makes a matrix that is positive definite in theory slightly indefinite.
Fix: Remove dependent columns, or add a small multiple of the identity; use a method for rank-deficient
  problems.
Prevent: Look at rank and condition number before solving.
Proof: Invert a matrix with two equal rows, then one without.
Source: https://numpy.org/doc/stable/reference/generated/numpy.linalg.inv.html
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, told


@family(
    "singular-matrix",
    situations=(
        "Columns repeat or depend on each other, or there are more variables than observations.",
        "Rounding makes a matrix that has the property in theory lose it in practice.",
    ),
    prevention=("Look at rank and condition number before solving.",),
    strategy="try-catch",
    tags=("matrix", "linear-algebra"),
    yields_to=(
        "optional-dependency-missing",
        "wrong-number-of-dimensions",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(
            facts,
            "LinAlgError",
            "NonInvertibleMatrixError",
            "NonSquareMatrixError",
            "NonPositiveDefiniteMatrixError",
            "MatrixError",
            words=("singular", "invertible", "nonsquare"),
        ),
        caught(facts, "LinAlgError", "NonInvertibleMatrixError"),
        told(
            facts,
            "singular",
            "positive definite",
            "is not invertible",
            "positive semi",
            "rank deficient",
            "full rank",
            "must be symmetric",
            "ill-conditioned",
            "noninvertible",
            "square matrix",
            "must be square",
            "be square",
            "is not square",
            "hermitian",
            "collinear",
            "ill-posed",
            "non-invertible",
        ),
    )
