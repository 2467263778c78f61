"""errdex: what is this error, and what do I do about it?

The public surface is `__all__`; everything else may change without notice.
"""

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from errdex.errors import (
    AssistError,
    CatalogError,
    ErrdexError,
    ExtractError,
    ProveError,
    QueryError,
    SourceError,
)

__all__ = [
    "AssistError",
    "CatalogError",
    "ErrdexError",
    "ExtractError",
    "ProveError",
    "QueryError",
    "SourceError",
    "__version__",
    "install",
    "load_ipython_extension",
]

__version__ = "0.1.0"


def install(catalog: str | None = None) -> None:
    """Explain, after its traceback, every exception of this process that nothing catches.

    Args:
        catalog: A file or database URL; None means `ERRDEX_CATALOG`, else the user's catalog. What it lacks is
            read from what is installed.
    """
    _live().install(catalog)


def load_ipython_extension(shell: object) -> None:
    """Answer `%load_ext errdex`: explain the exceptions of cells after their tracebacks."""
    _live().load_into(shell)


def _live() -> _ModuleType:
    """Import live mode when it is asked for, by name: `import errdex` stays cheap, and below all layers."""
    return _import_module("errdex.cli.live")
