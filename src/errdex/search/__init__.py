"""A pasted traceback or message to ranked records."""
