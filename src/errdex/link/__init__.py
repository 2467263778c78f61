"""Package-wide facts: classes, constants, helpers that raise, callers, entry points, docstrings, tests."""
