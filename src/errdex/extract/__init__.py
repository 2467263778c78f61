"""Code to throw sites: one file at a time, one module per language."""

from errdex.extract.exclude import exclusion
from errdex.extract.python import may_raise, read_python, reading

VERSION = "1"
"""Changes whenever the same bytes give other facts: part of every cache key."""

__all__ = ["VERSION", "exclusion", "may_raise", "read_python", "reading"]
