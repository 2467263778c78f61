from collections import deque

# throws: IndexError "pop from an empty deque"
deque().pop()
