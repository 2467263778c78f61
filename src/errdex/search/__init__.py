"""A pasted traceback or message to ranked records."""

from errdex.search.answer import answer, answer_trace
from errdex.search.index import Index
from errdex.search.read import read_trace

__all__ = ["Index", "answer", "answer_trace", "read_trace"]
