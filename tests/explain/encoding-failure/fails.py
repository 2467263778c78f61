# throws: UnicodeDecodeError "'utf-8' codec can't decode byte 0xe9 in position 3: unexpected end of data"
b"caf\xe9".decode("utf-8")
