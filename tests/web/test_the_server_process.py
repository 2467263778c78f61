"""`errdex serve` as a process: it says where it listens, refuses a taken port, and stops gracefully."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from errdex.web import PortInUseError, serve


@pytest.fixture
def running(catalog):
    """The served sample catalog: the process and its address."""
    command = [sys.executable, "-m", "errdex", "serve", "--port", "0", "--catalog", catalog.where]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stderr is not None
    line = process.stderr.readline()
    yield process, line.split(" at ")[1].split("/ (")[0]
    process.kill()
    process.wait()
    process.stderr.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_and_stops_when_asked(running, how):
    """The address printed answers; Ctrl-C and a polite kill end the process without a traceback."""
    process, url = running
    with urllib.request.urlopen(f"{url}/healthz") as answer:
        assert answer.status == 200
    process.send_signal(how)
    assert process.wait(timeout=20) in {0, 130, -how}
    assert "Traceback" not in process.stderr.read()


def test_a_port_in_use_is_said_so(catalog):
    """Another program's port is refused with what to do instead."""
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(PortInUseError, match=r"it is in use.*--port"),
    ):
        serve(catalog, port=taken.getsockname()[1])


def test_an_address_of_another_machine_is_refused(catalog):
    """An address that this machine does not have is refused, not crashed over."""
    with pytest.raises(PortInUseError, match=r"Cannot listen on 192\.0\.2\.1"):
        serve(catalog, host="192.0.2.1", port=0)


def test_a_body_without_end_is_cut_off(running):
    """A client that sends more than a paste may hold is answered 413 before it has sent all of it."""
    _, url = running
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(
            b"POST /api/explain HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        try:
            for _ in range(40):
                connection.sendall(chunk)
        except OSError:
            pass  # the server has hung up: as it should
        assert b" 413 " in connection.recv(4096)
