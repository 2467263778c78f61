"""Texts as vectors: near each other where they mean the like, whatever their words.

A static model of model2vec (extra `[semantic]`), shipped in `vectors/`: one vector a word, a text's
being their weighted mean. How it was made: `bench/meaning_model.py`; why: `docs/adr/0011`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from model2vec import StaticModel
    from numpy.typing import NDArray

FOLDER = Path(__file__).with_name("vectors")
_STEPS = 127
"""A coordinate between -1 and 1 is kept as a whole number of so many steps: one byte."""
_BLOCK_ROWS = 4_096
"""Rows compared at a time: their floats stay in the processor's cache, and the product is too small for
the linear algebra library to wake threads for (which cost 4 ms where the product takes 0.1)."""
DOCUMENTATION_WEIGHT = 0.5
"""What a record's documentation counts beside its message (set on the questions for development)."""


class Meaning:
    """The loaded model."""

    def __init__(self, model: StaticModel, name: str) -> None:
        self._model = model
        self.name = name
        """Changes whenever the vectors do: those of another model are made anew."""

    def of_records(self, messages: Sequence[str], documentation: Sequence[str]) -> bytes:
        """Return the vectors of records, one after the other, `width` bytes each."""
        import numpy as np  # noqa: PLC0415 - the extra brings it

        summed = self._encode(messages) + DOCUMENTATION_WEIGHT * self._encode(documentation)
        norms = np.maximum(np.linalg.norm(summed, axis=1, keepdims=True), 1e-9)
        rounded: NDArray[np.int8] = np.rint(summed / norms * _STEPS).astype(np.int8)
        return rounded.tobytes()

    def nearest(self, question: str, vectors: bytes, most: int | None) -> list[tuple[int, float]]:
        """Return rows of `vectors` (of `of_records`) and how near they are to a question, the nearest first.

        1 is the same meaning, 0 none. A question whose words the model does not know is near to nothing.

        Args:
            question: What is asked.
            vectors: One after the other.
            most: Only so many; None: all.
        """
        import numpy as np  # noqa: PLC0415 - the extra brings it

        matrix = np.frombuffer(vectors, np.int8).reshape(-1, self.width)
        wanted = self._encode([question])[0] / _STEPS
        near = np.empty(len(matrix), np.float32)
        for start in range(0, len(matrix), _BLOCK_ROWS):
            rows = slice(start, start + _BLOCK_ROWS)
            near[rows] = matrix[rows].astype(np.float32) @ wanted
        order = np.arange(len(near))
        if most is not None and most < len(near):
            order = np.sort(np.argpartition(-near, most)[:most])
        order = order[np.argsort(-near[order], kind="stable")]
        return list(zip(order.tolist(), near[order].tolist(), strict=True))

    @property
    def width(self) -> int:
        """Numbers in a vector."""
        return self._model.dim

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        encoded: NDArray[np.float32] = self._model.encode(list(texts), use_multiprocessing=False)
        return encoded


def load_meaning() -> Meaning | None:
    """Return the model; None where the extra `[semantic]` is not installed."""
    if find_spec("model2vec") is None:
        return None
    from model2vec import StaticModel  # noqa: PLC0415 - optional, and 0.3 s of CPU

    name = hashlib.sha256((FOLDER / "model.safetensors").read_bytes()).hexdigest()[:16]
    return Meaning(StaticModel.from_pretrained(FOLDER), name)
