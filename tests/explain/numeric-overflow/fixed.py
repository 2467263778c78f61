(300).to_bytes(2, "big")
