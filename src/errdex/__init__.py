"""errdex: what is this error, and what do I do about it?

The public surface is `__all__`; everything else may change without notice.
"""

from errdex.errors import CatalogError, ErrdexError, ExtractError, ProveError, QueryError, SourceError

__all__ = [
    "CatalogError",
    "ErrdexError",
    "ExtractError",
    "ProveError",
    "QueryError",
    "SourceError",
    "__version__",
]

__version__ = "0.1.0"
