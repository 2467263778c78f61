"""Reading pieces of Python: what extraction and linking both need, so that neither imports the other.

Source text and segments, format strings, messages as templates, what a name may
hold, what a block of code needs to be right. Knows of a package only what it is
handed, and touches no file.
"""
