issubclass(bool, int)
