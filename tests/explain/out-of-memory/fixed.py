bytearray(10**3)
