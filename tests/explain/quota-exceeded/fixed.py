from contextlib import contextmanager


class Pool:
    """Hands out at most two connections."""

    def __init__(self) -> None:
        self.taken = 0

    def take(self) -> int:
        """Return a connection's number."""
        if self.taken == 2:
            raise RuntimeError(f"the pool is exhausted: {self.taken} of 2 connections are in use")
        self.taken += 1
        return self.taken

    @contextmanager
    def connection(self):
        """Take a connection and give it back."""
        yield self.take()
        self.taken -= 1


pool = Pool()
for _ in range(3):
    with pool.connection():
        pass
