from packaging.version import Version


def open_archive(written_by: str) -> str:
    """Open an archive that release 2 or later wrote."""
    if Version(written_by) < Version("2.0"):
        raise ValueError(f"archive version {written_by} is too old, 2.0 or newer is needed")
    return written_by


open_archive("2.1")
