from importlib.metadata import version

version("msgspec")
