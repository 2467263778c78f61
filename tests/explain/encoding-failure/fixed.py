b"caf\xe9".decode("latin-1")
