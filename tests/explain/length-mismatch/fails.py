# throws: ValueError "zip() argument 2 is longer than argument 1"
dict(zip(["a"], [1, 2], strict=True))
