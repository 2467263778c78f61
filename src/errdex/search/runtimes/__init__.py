"""Traces, one file per runtime. Each takes cleaned lines and returns blocks, or none where it sees nothing of its own."""
