"""errdex: what is this error, and what do I do about it?

The public surface is `__all__`; everything else may change without notice.
"""

from typing import Any

from errdex.errors import CatalogError, ErrdexError, ExtractError, ProveError, QueryError, SourceError

__all__ = [
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
    from errdex.cli.live import install as install_hooks  # noqa: PLC0415 - `import errdex` must stay cheap

    install_hooks(catalog)


def load_ipython_extension(shell: Any) -> None:
    """Answer `%load_ext errdex`: explain the exceptions of cells after their tracebacks."""
    from errdex.cli.live import load_into  # noqa: PLC0415 - `import errdex` must stay cheap

    load_into(shell)
