import importlib

importlib.import_module(".decoder", package="json")
