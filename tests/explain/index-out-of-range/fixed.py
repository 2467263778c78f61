from collections import deque

deque([1]).pop()
