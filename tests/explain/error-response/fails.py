from email.message import Message
from urllib.error import HTTPError


def read(status: int, body: bytes) -> bytes:
    """Return the body of an answer that is no error."""
    if status >= 400:
        # throws: HTTPError "HTTP Error 500: the server failed"
        raise HTTPError("http://localhost/", status, "the server failed", Message(), None)
    return body


read(500, b"")
