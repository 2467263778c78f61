"""A site to an explanation, from facts: families, narrative, code."""
