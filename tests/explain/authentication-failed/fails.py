import hmac

SECRET = "correct horse"


def enter(password: str) -> str:
    """Return a session for the right password."""
    if not hmac.compare_digest(password, SECRET):
        # throws: PermissionError "wrong password"
        raise PermissionError("wrong password")
    return "session"


enter("battery staple")
