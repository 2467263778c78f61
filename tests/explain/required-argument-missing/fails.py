import importlib

# throws: TypeError "the 'package' argument is required to perform a relative import for '.decoder'"
importlib.import_module(".decoder")
