import enum


@enum.unique
class Colour(enum.Enum):
    RED = 1
    CRIMSON = 2
