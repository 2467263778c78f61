import array

numbers = array.array("i")
data = b"abc".ljust(numbers.itemsize, b"\0")
numbers.frombytes(data)
