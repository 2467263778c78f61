"""Load on the server: requests a second and latencies at 1, 16 and 128 connections, on a catalog of 100,000 records.

    python bench/load.py SEED_CATALOG [--records 100000] [--seconds 5] [--overload]

SEED_CATALOG is a catalog made by `errdex analyze`; its records are copied under other repositories until
there are enough. Needs `wrk` and `nginx` (Debian packages of these names). Prints two Markdown tables:
each kind of request, beside the same JSON as a static file served by nginx (the ceiling), and ten times the
connections that are borne.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from errdex.catalog import Catalog
from errdex.catalog.write import prepare
from errdex.model.record import record_id
from errdex.model.source import Coordinate, SourceTree

NGINX = """
daemon off; user root; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 2048; }}
http {{ access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; default_type application/json; }} }}
"""
POST = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "text/plain"
wrk.body = {body}
"""


def grow(seed: Path, target: Path, records: int) -> None:
    """Copy the seed's records under other repositories until there are `records`."""
    with Catalog.open(seed) as source, Catalog.open(target, create=True) as catalog:
        found = list(source.records())
        for number in range(-(-records // len(found))):
            repo = f"bench/copy{number}"
            tree = SourceTree(
                coordinate=Coordinate(kind="pypi", name=f"copy{number}", version="1.0"), root=Path(), repo=repo,
                package=f"copy{number}", version="1.0", revision=f"{number:040x}", permalink=None, description="",
            )  # fmt: skip
            copies = []
            for one in found:
                record = one.record
                identity = record_id(repo, record.error_code or record.error_message, record.file_path)
                slug = f"{record.slug[:40]}-{record.id[:6]}"
                moved = msgspec.structs.replace(
                    record, id=identity, repo=repo, slug=slug, analyzed_sha=tree.revision
                )
                # Words of its own: eighty equal messages are no catalog that anyone has.
                template = f"{one.evidence.template} in copy{number}" if one.evidence.template else None
                copies.append((moved, msgspec.structs.replace(one.evidence, template=template)))
            moment = datetime.now(UTC)
            catalog.add(
                prepare(
                    tree,
                    copies,
                    skipped=(),
                    analyzer="bench",
                    analyzed_at=moment,
                    dictionaries=catalog.dictionaries(),
                )
            )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=300).read()
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit(f"no answer from {url}")


def wrk(url: str, connections: int, seconds: int, script: Path | None = None) -> dict[str, str]:
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "--timeout", "10s"]
    command += ["-s", str(script)] if script else []
    out = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout

    def find(pattern: str) -> str:
        match = re.search(pattern, out)
        return match[1] if match else "0"

    return {
        "rps": find(r"Requests/sec:\s+([\d.]+)"),
        "p50": find(r"(?m)^\s+50%\s+(\S+)"),
        "p99": find(r"(?m)^\s+99%\s+(\S+)"),
        "refused": find(r"Non-2xx or 3xx responses: (\d+)"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=Path)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--overload", action="store_true", help="Ten times what is borne, and nothing else.")
    arguments = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a file for each connection
    with tempfile.TemporaryDirectory(prefix="errdex-load-") as name:
        folder = Path(name)
        grow(arguments.seed, folder / "catalog.db", arguments.records)
        port = free_port()
        serving = [
            sys.executable,
            "-m",
            "errdex",
            "serve",
            "--port",
            str(port),
            "--catalog",
            str(folder / "catalog.db"),
        ]
        server = subprocess.Popen(serving, stderr=subprocess.DEVNULL)
        static_port = free_port()
        (folder / "www").mkdir()
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=static_port))
        try:
            urls = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{static_port}"
            measure(folder, *urls, arguments.seconds, with_table=not arguments.overload)
        finally:
            server.terminate()
            server.wait()


def measure(folder: Path, base: str, static: str, seconds: int, *, with_table: bool) -> None:
    wait_for(f"{base}/healthz")
    with Catalog.open(folder / "catalog.db") as catalog:
        stored = next(catalog.records("bench/copy1"))
        total = sum(row.error_count for row in catalog.repos())
    record = stored.record
    message = f"{record.error_class}: {record.error_message} in copy1"
    wait_for(f"{base}/api/search?q=anything")  # the index is built on the first question
    (folder / "www/record.json").write_bytes(urllib.request.urlopen(f"{base}/api/errors/{record.id}").read())
    script = folder / "explain.lua"
    script.write_text(POST.format(body=json.dumps(message)))
    nginx = subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")])
    try:
        load(base, static, record, message, script, seconds, total, with_table=with_table)
    finally:
        nginx.terminate()
        nginx.wait()


def load(base, static, record, message, script, seconds, total, *, with_table) -> None:
    wait_for(f"{static}/record.json")
    query = urllib.parse.quote(message)
    targets = [
        ("record JSON", f"{base}/api/errors/{record.id}", None),
        ("error page", f"{base}/{record.repo}/{record.slug}/", None),
        ("search", f"{base}/api/search?q={query}", None),
        ("explain", f"{base}/api/explain", script),
        ("static file, nginx", f"{static}/record.json", None),
    ]
    print(f"{total} records, {seconds} s each, one server process, `wrk -t1`\n")
    if with_table:
        print("| request | connections | requests/s | p50 | p99 | refused |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for label, url, lua in targets if with_table else ():
        for connections in (1, 16, 128):
            row = wrk(url, connections, seconds, lua)
            print(
                f"| {label} | {connections} | {row['rps']} | {row['p50']} | {row['p99']} | {row['refused']} |",
                flush=True,
            )
    overload(targets[3][1], targets[0][1], script, seconds)


def overload(explain: str, record: str, script: Path, seconds: int) -> None:
    """Find how many connections are borne, then ask with ten times as many, and again with few."""
    borne = connections = 1
    while is_borne(row := wrk(explain, connections, seconds, script)):
        borne, most = connections, row
        connections *= 2
    print(f"\nExplain is borne up to {borne} connections: {most['rps']} requests/s, p99 {most['p99']}.\n")
    print(
        "| | connections | requests/s answered | refused/s | p50 | p99 | polite client: answered, slowest |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for label, connections in (
        ("borne", borne), ("ten times that", 10 * borne), ("right after", 16), ("right after", borne)
    ):  # fmt: skip
        asking = PoliteClient(record)
        asking.start()
        row = wrk(explain, connections, 2 * seconds, script)
        asking.is_done.set()
        asking.join()
        refused = int(row["refused"]) / (2 * seconds)
        answered = float(row["rps"]) - refused
        print(
            f"| {label} | {connections} | {answered:.0f} | {refused:.0f} | {row['p50']} | {row['p99']} | {asking.told()} |",
            flush=True,
        )


def is_borne(row: dict[str, str]) -> bool:
    """Whether nobody was refused and 99 of 100 had their answer within half a second."""
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", row["p99"]).groups()
    slow_s = float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}[unit]
    return int(row["refused"]) == 0 and slow_s <= 0.5


class PoliteClient(threading.Thread):
    """Asks for one record four times a second, on a connection of its own each time, and once more when told 503."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url, self.is_done = url, threading.Event()
        self.asked, self.answered, self.slowest = 0, 0, 0.0

    def run(self) -> None:
        """Ask until told that it is done."""
        while not self.is_done.wait(0.25):
            started = time.perf_counter()
            self.asked += 1
            self.answered += self.is_answered() or self.is_answered(after_s=1.0)  # as `Retry-After` says
            self.slowest = max(self.slowest, time.perf_counter() - started)

    def is_answered(self, after_s: float = 0.0) -> bool:
        """Whether the record came, asked for after a pause."""
        time.sleep(after_s)
        try:
            with urllib.request.urlopen(self.url, timeout=30) as answer:
                return bool(answer.read())
        except OSError:
            return False

    def told(self) -> str:
        """Return how it fared."""
        return f"{self.answered} of {self.asked}, {self.slowest:.2f} s"


if __name__ == "__main__":
    main()
