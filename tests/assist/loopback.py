"""A model's server on loopback, real HTTP: it says what a test tells it to, then what a good server says."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GOOD = {
    "meaning": "The label holds white space.",
    "situations": ["A label was typed by a person."],
    "solutions": ["Replace the spaces before the call."],
    "prevention": [],
    "failing_program": "",
    "fixed_program": "",
}


@dataclass
class Said:
    """One HTTP answer; `cut` closes the connection before the body is whole, `hang` never answers."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    hang: bool = False


def reply(content: object, *, sent: int = 100, made: int = 20, finish: str = "stop") -> Said:
    """What an OpenAI-compatible server says; `content` is JSON unless it is text already."""
    text = content if isinstance(content, str) else json.dumps(content)
    body = {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}],
        "usage": {"prompt_tokens": sent, "completion_tokens": made, "total_tokens": sent + made},
    }
    return Said(json.dumps(body).encode())


def message(content: object, *, sent: int = 100, made: int = 20) -> Said:
    """What Anthropic's server says."""
    body = {
        "id": "message-1",
        "type": "message",
        "role": "assistant",
        "model": "tiny",
        "content": [{"type": "text", "text": json.dumps(content)}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": sent, "output_tokens": made},
    }
    return Said(json.dumps(body).encode())


def failure(status: int, text: str = "no", **headers: str) -> Said:
    """An HTTP error in the form that such servers have."""
    body = json.dumps({"error": {"message": text, "type": "error", "code": None}}).encode()
    return Said(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


class Loopback:
    """The server as a test sees it."""

    def __init__(self) -> None:
        self.script: list[Said] = []
        """Said first, one a request, in the order in which requests come."""
        self.otherwise: Callable[[dict], Said] = lambda _body: reply(GOOD)
        self.requests: list[dict] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self.arrived = threading.Condition()
        self._at_once = 0
        self._closing = threading.Event()
        self.port = 0

    @property
    def url(self) -> str:
        """The address that `--base-url` takes."""
        return f"http://127.0.0.1:{self.port}/v1"

    def wait_for(self, count: int) -> None:
        """Wait until `count` requests have come."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.requests) >= count, timeout=60)

    def _next(self, body: dict, headers: dict[str, str]) -> Said:
        with self.arrived:
            self.requests.append(body)
            self.headers.append(headers)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            said = self.script.pop(0) if self.script else self.otherwise(body)
            self.arrived.notify_all()
        return said

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        length = int(handler.headers["Content-Length"])
        headers = {name.lower(): value for name, value in handler.headers.items()}
        said = self._next(json.loads(handler.rfile.read(length)), headers)
        try:
            if said.hang:
                self._closing.wait()
                return
            handler.send_response(said.status)
            for name, value in {"Content-Type": "application/json", **said.headers}.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(said.body)))
            handler.end_headers()
            handler.wfile.write(said.body[: len(said.body) // 2] if said.cut else said.body)
            handler.close_connection = said.cut
        finally:
            with self.arrived:
                self._at_once -= 1

    @contextmanager
    def running(self) -> Iterator["Loopback"]:
        """Serve until the block ends."""
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                loopback.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield self
        self._closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
