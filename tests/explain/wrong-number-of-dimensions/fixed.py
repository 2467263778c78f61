def column_means(table: list[list[float]]) -> list[float]:
    """Average the columns of a 2-D table."""
    if not isinstance(table[0], list):
        raise ValueError("table must be 2-D, got 1-D")
    return [sum(column) / len(table) for column in zip(*table, strict=True)]


column_means([[1.0, 2.0, 3.0]])
