"""Code in: a coordinate becomes a tree of files at a pinned revision, cached by content."""
