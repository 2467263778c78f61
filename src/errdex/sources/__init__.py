"""Code in: a coordinate becomes a tree of files at a pinned revision, cached by content."""

from errdex.sources.coordinate import parse_coordinate
from errdex.sources.env import installed_tree, path_in_tree
from errdex.sources.opener import open_tree

__all__ = ["installed_tree", "open_tree", "parse_coordinate", "path_in_tree"]
