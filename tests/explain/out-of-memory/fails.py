# throws: MemoryError ""
bytearray(10**18)
