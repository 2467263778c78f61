"""Records to pages, JSON files and dataset files: the one renderer."""
