import math

# throws: AttributeError "module 'math' has no attribute 'square_root'"
math.square_root(4)
