try:
    import a_plotting_library_that_is_not_installed as plotting
except ImportError:
    plotting = None


def plot(values: list[float]) -> None:
    """Draw the values; needs the optional plotting library."""
    if plotting is None:
        # throws: ImportError "plot() needs a plotting library: install shapes[plot]"
        raise ImportError("plot() needs a plotting library: install shapes[plot]")
    plotting.draw(values)


plot([1.0])
