def rotate(points: list[list[float]], matrix: list[list[float]]) -> list[list[float]]:
    """Multiply n points of width k by a k x k matrix."""
    if len(points[0]) != len(matrix):
        raise ValueError(f"points are {len(points[0])} wide, the matrix has {len(matrix)} rows")
    return [[sum(p[i] * matrix[i][j] for i in range(len(p))) for j in range(len(matrix[0]))] for p in points]


rotate([[1.0, 2.0]], [[0.0, 1.0], [1.0, 0.0]])
