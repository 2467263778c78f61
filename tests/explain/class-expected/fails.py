# throws: TypeError "issubclass() arg 1 must be a class"
issubclass(3, int)
