from pathlib import PurePosixPath

UPLOADS = PurePosixPath("/srv/uploads")


def stored(name: str) -> PurePosixPath:
    """Return where an upload of this name is stored."""
    if ".." in PurePosixPath(name).parts:
        raise ValueError(f"{name!r} leads outside of the uploads")
    return UPLOADS / name


stored("passwd")
