import enum


# throws: ValueError "duplicate values found in <enum 'Colour'>: CRIMSON -> RED"
@enum.unique
class Colour(enum.Enum):
    RED = 1
    CRIMSON = 1
