"""Site to explanation, without a model: family, narrative and code, all from facts."""

from __future__ import annotations

from errdex.explain.explanation import explain_site
from errdex.explain.interface import Context

__all__ = ["Context", "explain_site"]
