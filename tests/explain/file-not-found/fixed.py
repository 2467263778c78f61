open(__file__).close()
