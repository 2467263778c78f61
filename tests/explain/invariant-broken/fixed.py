class Stack:
    """A pile whose size must equal its number of items."""

    def __init__(self, items: list[int], size: int) -> None:
        self.items, self.size = items, size

    def pop(self) -> int:
        """Take the topmost item."""
        if self.size != len(self.items):
            raise AssertionError(
                f"internal error: size {self.size} for {len(self.items)} items, please report this"
            )
        self.size -= 1
        return self.items.pop()


Stack([1], size=1).pop()
