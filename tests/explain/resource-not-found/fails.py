from importlib.metadata import version

# throws: PackageNotFoundError "No package metadata was found for a-package-of-nobody"
version("a-package-of-nobody")
