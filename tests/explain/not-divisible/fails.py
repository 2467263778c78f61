import array

numbers = array.array("i")
data = b"abc"
# throws: ValueError "bytes length not a multiple of item size"
numbers.frombytes(data)
