int(float("12"))
