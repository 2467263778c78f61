"""Every error that errdex raises on purpose.

```text
ErrdexError                  base; catch this to catch everything we raise on purpose
├── SourceError              code could not be fetched or read
├── ExtractError             code was read but cannot be understood
├── ProveError               the runner itself failed (a disproved record is a result, not an error)
├── CatalogError             the dataset is missing, damaged, or of another schema
└── QueryError               the question cannot be understood
```

Each has a `slug` (stable, kebab-case), a `problem` (what was wrong, with which
value) and a `hint` (what to do next, may be empty). `str()` is both. Facts are
attributes. Exit codes and HTTP statuses are the business of `cli` and `web`.
"""

from typing import ClassVar


class ErrdexError(Exception):
    """Anything errdex raises on purpose.

    Subclasses pass the facts they were built from to `super().__init__`, so that
    an error survives the way back from a worker process, and set `problem` and `hint`.
    """

    slug: ClassVar[str] = "errdex-error"
    problem: str = ""
    hint: str = ""

    def __str__(self) -> str:
        if not self.problem:
            return super().__str__()
        return f"{self.problem} {self.hint}".rstrip()


class SourceError(ErrdexError):
    """Code could not be fetched or read."""

    slug = "source-unavailable"


class ExtractError(ErrdexError):
    """Code was read but cannot be understood."""

    slug = "code-not-understood"


class ProveError(ErrdexError):
    """The runner of proofs itself failed."""

    slug = "prover-failed"


class CatalogError(ErrdexError):
    """The catalog is missing, damaged, or of another schema."""

    slug = "catalog-unusable"


class QueryError(ErrdexError):
    """The question cannot be understood."""

    slug = "question-not-understood"
