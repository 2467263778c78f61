# throws: OverflowError "int too big to convert"
(300).to_bytes(1, "big")
