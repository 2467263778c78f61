from packaging.version import Version


def open_archive(written_by: str) -> str:
    """Open an archive that release 2 or later wrote."""
    if Version(written_by) < Version("2.0"):
        # throws: ValueError "archive version 1.9 is too old, 2.0 or newer is needed"
        raise ValueError(f"archive version {written_by} is too old, 2.0 or newer is needed")
    return written_by


open_archive("1.9")
