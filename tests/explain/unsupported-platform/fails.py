def page_size(platform: str) -> int:
    """Return the page size where it is known."""
    if platform not in ("linux", "darwin"):
        # throws: OSError "page_size() is not available on win32"
        raise OSError(f"page_size() is not available on {platform}")
    return 4096


page_size("win32")
