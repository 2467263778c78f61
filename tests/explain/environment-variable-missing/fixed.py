import os


def token() -> str:
    """Return the token that the environment provides."""
    value = os.environ.get("PATH")
    if value is None:
        raise RuntimeError("environment variable PATH is not set")
    return value


token()
