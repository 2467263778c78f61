import warnings

warnings.simplefilter("error")


def old_name() -> int:
    """Answer under the old name."""
    # throws: DeprecationWarning "old_name() is deprecated, use new_name()"
    warnings.warn("old_name() is deprecated, use new_name()", DeprecationWarning, stacklevel=2)
    return new_name()


def new_name() -> int:
    """Answer."""
    return 42


old_name()
