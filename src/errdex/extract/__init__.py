"""Code to throw sites, one file at a time: one reader per language, its query beside it."""
