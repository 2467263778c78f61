"""Reading pieces of Python: what extraction and linking both need, so that neither imports the other.

Source text and segments, format strings, messages as templates, what a name may
hold. Knows nothing of packages, and touches no file.
"""
