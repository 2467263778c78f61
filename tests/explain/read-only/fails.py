from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int


point = Point(1)
# throws: FrozenInstanceError "cannot assign to field 'x'"
point.x = 2
