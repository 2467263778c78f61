def page_size(platform: str) -> int:
    """Return the page size where it is known."""
    if platform not in ("linux", "darwin"):
        raise OSError(f"page_size() is not available on {platform}")
    return 4096


page_size("linux")
