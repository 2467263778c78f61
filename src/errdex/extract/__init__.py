"""Code to throw sites: one file at a time, one module per language."""

from errdex.extract.exclude import exclusion
from errdex.extract.python import may_raise, read_python, reading

__all__ = ["exclusion", "may_raise", "read_python", "reading"]
