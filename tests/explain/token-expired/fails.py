from datetime import UTC, datetime


def read(token: dict[str, str], now: datetime) -> str:
    """Return whom a token names, until it expires."""
    if datetime.fromisoformat(token["expires"]) <= now:
        # throws: PermissionError "token expired at 2026-01-01T00:00:00+00:00"
        raise PermissionError(f"token expired at {token['expires']}")
    return token["name"]


read({"name": "ada", "expires": "2026-01-01T00:00:00+00:00"}, datetime(2026, 6, 1, tzinfo=UTC))
