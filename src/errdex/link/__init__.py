"""Sites to package-wide facts: classes, constants, helpers that raise, callers, docstrings, tests."""

from errdex.link.package import Package
from errdex.link.sites import Linker

__all__ = ["Linker", "Package"]
