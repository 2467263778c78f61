dict(zip(["a", "b"], [1, 2], strict=True))
