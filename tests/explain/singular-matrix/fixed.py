def inverse(a: float, b: float, c: float, d: float) -> tuple[float, float, float, float]:
    """Invert the matrix ((a, b), (c, d))."""
    determinant = a * d - b * c
    if determinant == 0:
        raise ArithmeticError("the matrix is singular")
    return d / determinant, -b / determinant, -c / determinant, a / determinant


inverse(1.0, 2.0, 2.0, 5.0)
