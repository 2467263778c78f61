from array import array


def dot(left: array, right: array) -> float:
    """Multiply two vectors of one element type."""
    if left.typecode != right.typecode:
        # throws: TypeError "element types must match, got f and d"
        raise TypeError(f"element types must match, got {left.typecode} and {right.typecode}")
    return sum(a * b for a, b in zip(left, right, strict=True))


weights = array("f", [0.5, 0.5])
dot(weights, array("d", [1.0, 3.0]))
