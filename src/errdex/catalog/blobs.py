"""Bodies as zstd blobs, compressed with a dictionary that the catalog's first package trains.

Records of one catalog look alike: with a dictionary they take a third of the room
(design.md section 10: 136 MB instead of 413 for 100,000 records). A frame carries
its dictionary's id, so blobs written before there was one stay readable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import zstandard

_LEVEL = 6
_DICTIONARY_BYTES = 110 * 1024
_SAMPLES = 2000
_MIN_SAMPLES = 64
"""Below this zstd refuses to train, or trains on noise."""
MAX_BODY_BYTES = 64 * 1024 * 1024
"""A blob that claims more is damaged or hostile."""


class BlobCodec:
    """Compresses and decompresses bodies; `dictionaries` are all that the catalog holds, the newest last."""

    def __init__(self, dictionaries: Sequence[bytes] = ()) -> None:
        loaded = [zstandard.ZstdCompressionDict(body) for body in dictionaries]
        self._readers: Mapping[int, zstandard.ZstdDecompressor] = {
            each.dict_id(): zstandard.ZstdDecompressor(dict_data=each) for each in loaded
        }
        self._plain = zstandard.ZstdDecompressor()
        self._writer = (
            zstandard.ZstdCompressor(level=_LEVEL, dict_data=loaded[-1])
            if loaded
            else zstandard.ZstdCompressor(level=_LEVEL)
        )

    def reads(self, blob: bytes) -> bool:
        """Whether the dictionary that `blob` was made with, if any, is known here."""
        needed = zstandard.get_frame_parameters(blob).dict_id
        return needed == 0 or needed in self._readers

    def pack(self, body: bytes) -> bytes:
        """Return `body` as one zstd frame that states its size."""
        return self._writer.compress(body)

    def unpack(self, blob: bytes) -> bytes:
        """Return the body of a frame made by `pack`.

        Raises:
            zstandard.ZstdError: the frame is damaged, or claims more than `MAX_BODY_BYTES`.
        """
        parameters = zstandard.get_frame_parameters(blob)
        if parameters.content_size > MAX_BODY_BYTES:
            message = f"a body of {parameters.content_size} bytes is over the limit"
            raise zstandard.ZstdError(message)
        reader = self._readers.get(parameters.dict_id, self._plain)
        return reader.decompress(blob)


def train(samples: Sequence[bytes]) -> bytes | None:
    """Return a dictionary for bodies like `samples`; None where there are too few to learn from."""
    if len(samples) < _MIN_SAMPLES:
        return None
    step = max(1, len(samples) // _SAMPLES)
    try:
        return zstandard.train_dictionary(_DICTIONARY_BYTES, list(samples[::step])).as_bytes()
    except zstandard.ZstdError:
        return None
