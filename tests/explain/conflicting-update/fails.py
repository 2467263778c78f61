class Note:
    """A text with a version that counts its changes."""

    def __init__(self) -> None:
        self.text, self.version = "", 0

    def write(self, text: str, read_version: int) -> None:
        """Write, if nobody else wrote since `read_version` was read."""
        if read_version != self.version:
            # throws: RuntimeError "the note was modified: version 1, not 0"
            raise RuntimeError(f"the note was modified: version {self.version}, not {read_version}")
        self.text, self.version = text, self.version + 1


note = Note()
seen = note.version
note.write("theirs", note.version)
note.write("ours", seen)
