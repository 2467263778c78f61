class Shape:
    def area(self) -> float:
        """Return the area; every shape has its own formula."""
        raise NotImplementedError("a shape must implement area()")


class Square(Shape):
    def __init__(self, side: float) -> None:
        self.side = side

    def area(self) -> float:
        return self.side**2


Square(2.0).area()
