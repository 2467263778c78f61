"""The same records over HTTP."""
