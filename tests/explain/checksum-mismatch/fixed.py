import zlib

packed = bytearray(zlib.compress(b"a text of some length"))
zlib.decompress(packed)
