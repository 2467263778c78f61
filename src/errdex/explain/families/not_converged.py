"""An iterative method did not reach a solution.

Means: The method repeats a step until it changes little; after all the steps allowed it still changed too
  much, or moved away.
Not this: The equations have no single solution (`singular-matrix`).
Causes:
  - The start is far from the solution, or variables are of very different scales.
  - The number of steps is too small, or the tolerance too strict.
  - There is no solution, or the data does not fit the model.
Fix: Scale the data, start closer, allow more steps; then question the model.
Prevent: Look at the residual, not only at whether the method ended.
Proof: Solve with too few steps, then with enough.
Source: https://docs.scipy.org/doc/scipy/reference/optimize.html
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, own_class, told


@family(
    "not-converged",
    situations=(
        "The variables are of very different scales, or the start is far from a solution.",
        "The number of steps allowed is too small, or the tolerance too strict.",
    ),
    prevention=(
        "Scale the data beforehand, and look at the residual instead of only at whether the method ended.",
    ),
    strategy="try-catch",
    tags=("convergence", "numeric"),
    yields_to=(
        "removed-feature",
        "singular-matrix",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    return best(
        own_class(facts, words=("convergence", "converge", "iterations"), slots={}),
        told(
            facts,
            "converge",
            "did not reach",
            "iteration limit",
            "maximum iterations",
            "max_iter",
            "number of iterations",
            "maxiter",
            "no solution",
            "solver failed",
            "roundoff",
            "precision loss",
            "failed to solve",
            "no progress",
            "max iterations",
        ),
    )
