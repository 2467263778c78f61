import functools

# throws: TypeError "the first argument must be callable"
functools.partial(len([1, 2]))
