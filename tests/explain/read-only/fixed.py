from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Point:
    x: int


point = Point(1)
point = replace(point, x=2)
