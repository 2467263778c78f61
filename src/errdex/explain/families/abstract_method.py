"""A method that subclasses must provide was not provided.

Means: The class is a base: it declares the method and leaves its work to subclasses. The call reached the
  declaration.
Not this: The method exists and refuses one case of its arguments (`unsupported-combination`).
Causes:
  - The base class itself was instantiated.
  - A subclass spells the method differently, or gives another signature.
  - The operation is optional, and this subclass does not offer it.
Fix: Use a subclass that implements the method, or implement it in yours.
Prevent: Declare base classes with `abc.ABC` and `@abstractmethod`: the mistake then shows when the object
  is created.
Proof: Call the method on the base class, then on a subclass that has it.
Source: https://docs.python.org/3/library/exceptions.html#NotImplementedError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import own_class, told


@family(
    "abstract-method",
    situations=(
        "The base class was instantiated, or a subclass leaves {callable} out or spells it differently.",
        "The operation is optional, and the class in use does not offer it.",
    ),
    prevention=(
        "In your own subclass, mark overriding methods with `@override`: a type checker then finds misspelt ones.",
    ),
    solutions=("Use a subclass that implements {callable}, or implement it in your own subclass.",),
    strategy="try-catch",
    tags=("abstract-method", "not-implemented"),
    yields_to=("unsafe-path",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if not facts.is_class("NotImplementedError", "AbstractMethodError"):
        return own_class(facts, words=("abstract",), slots={}) or told(
            facts,
            "must be implemented",
            "subclasses must",
            "subclasses should",
            "must override",
            "must be overridden",
            "must implement",
            "subclass must",
            "abstract",
        )
    if facts.says(
        "subclass",
        "must be implemented",
        "must implement",
        "override",
        "abstract",
        "implemented in",
        "must define",
        "should implement",
        "derived class",
    ):
        return Claim(Strength.OWN_CLASS)
    if facts.words and not facts.says(
        "implement", "support", "available", "unavailable", "base", "must", "only", "cannot", "not"
    ):
        return None
    if facts.site.guard is None and facts.site.callable.kind in {
        "method",
        "classmethod",
        "staticmethod",
        "property",
    }:
        return Claim(Strength.OWN_CLASS if not facts.says("support") else Strength.CLASS)
    return None
