class Buffer:
    """Memory that lives on one named device."""

    def __init__(self, values: list[float], device: str) -> None:
        self.values, self.device = values, device


def add(left: Buffer, right: Buffer) -> Buffer:
    """Add two buffers element by element on their device."""
    if left.device != right.device:
        raise RuntimeError(f"expected both buffers on one device, got {left.device} and {right.device}")
    return Buffer([a + b for a, b in zip(left.values, right.values, strict=True)], left.device)


add(Buffer([1.0], "gpu:0"), Buffer([2.0], "gpu:0"))
