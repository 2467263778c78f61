"""A pasted traceback or message to ranked records."""

from errdex.search.answer import Explained, answer, answer_trace, explain
from errdex.search.index import Index
from errdex.search.read import read_trace

__all__ = ["Explained", "Index", "answer", "answer_trace", "explain", "read_trace"]
