import warnings

warnings.simplefilter("error")


def save(path: str, *, binary: bool = False, encoding: str | None = None) -> str:
    """Save as text, or as bytes without an encoding."""
    if binary and encoding is not None:
        warnings.warn("encoding is ignored for binary files", stacklevel=2)
    return path


save("x", binary=True)
