import zlib

packed = bytearray(zlib.compress(b"a text of some length"))
packed[-1] ^= 0xFF
# throws: error "Error -3 while decompressing data: incorrect data check"
zlib.decompress(packed)
