import os


def token() -> str:
    """Return the token that the environment provides."""
    value = os.environ.get("ERRDEX_DEMO_TOKEN_OF_NOBODY")
    if value is None:
        # throws: RuntimeError "environment variable ERRDEX_DEMO_TOKEN_OF_NOBODY is not set"
        raise RuntimeError("environment variable ERRDEX_DEMO_TOKEN_OF_NOBODY is not set")
    return value


token()
