class Shape:
    def area(self) -> float:
        """Return the area; every shape has its own formula."""
        # throws: NotImplementedError "a shape must implement area()"
        raise NotImplementedError("a shape must implement area()")


class Square(Shape):
    def __init__(self, side: float) -> None:
        self.side = side


Square(2.0).area()
