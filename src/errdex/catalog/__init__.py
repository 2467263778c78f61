"""Records on disk: schema, write, read, check."""
