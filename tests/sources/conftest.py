"""Artifacts made on the spot, and a package index on this machine that serves them."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

WHEEL_FILES = {
    "pkg/__init__.py": b"",
    "pkg/core.py": b"def f(x):\n    if x < 0:\n        raise ValueError(f'x must not be negative, got {x}')\n",
    "pkg/_speed.so": b"\x7fELF" + bytes(range(256)),
}


def metadata(name: str, version: str) -> bytes:
    return (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: Made in a test\n\nText\n".encode()
    )


@pytest.fixture
def make_wheel(tmp_path: Path) -> Callable[..., Path]:
    """Write a wheel and return its path."""

    def make(
        name: str = "pkg",
        version: str = "1.0",
        files: Mapping[str, bytes] = WHEEL_FILES,
        tag: str = "py3-none-any",
        folder: Path = tmp_path,
    ) -> Path:
        path = folder / f"{name}-{version}-{tag}.whl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in files.items():
                archive.writestr(member, data)
            archive.writestr(f"{name}-{version}.dist-info/METADATA", metadata(name, version))
        return path

    return make


@pytest.fixture
def make_sdist(tmp_path: Path) -> Callable[..., Path]:
    """Write a source archive of any format and return its path."""

    def make(
        name: str = "pkg",
        version: str = "1.0",
        suffix: str = ".tar.gz",
        folder: Path = tmp_path,
        setup: bytes = b"",
    ) -> Path:
        top = f"{name}-{version}"
        files = {
            f"{top}/PKG-INFO": metadata(name, version),
            f"{top}/setup.py": setup or b"raise SystemExit('a source archive must never be built')\n",
            f"{top}/src/{name}/__init__.py": b"raise ImportError('never imported')\n",
        }
        path = folder / f"{top}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        if suffix == ".zip":
            with zipfile.ZipFile(path, "w") as archive:
                for member, data in files.items():
                    archive.writestr(member, data)
            return path
        mode = {".tar.gz": "w:gz", ".tgz": "w:gz", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz", ".tar": "w:"}[
            suffix
        ]
        with tarfile.open(path, mode) as archive:
            for member, data in files.items():
                info = tarfile.TarInfo(member)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        return path

    return make


class PackageIndex:
    """A PEP 503 index below one folder, served on the loopback."""

    def __init__(self, folder: Path, url: str, requests: list[str]) -> None:
        self.folder, self.url, self.requests = folder, url, requests

    def add(
        self, project: str, *paths: Path, hashes: Mapping[str, str] | None = None, yanked: bool = False
    ) -> None:
        """Offer files of a project; `hashes` replaces the promise for a file's name."""
        page = self.folder / "simple" / project / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        rows = page.read_text() if page.exists() else "<!DOCTYPE html><html><body>\n"
        for path in paths:
            served = self.folder / "files" / path.name
            served.parent.mkdir(exist_ok=True)
            served.write_bytes(path.read_bytes())
            promise = (hashes or {}).get(path.name, "sha256=" + hashlib.sha256(path.read_bytes()).hexdigest())
            mark = ' data-yanked="broken"' if yanked else ""
            rows += f'<a href="../../files/{path.name}#{promise}"{mark}>{path.name}</a>\n'
        page.write_text(rows)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PackageIndex]:
    """A package index that pip, and so errdex, is configured for by `PIP_INDEX_URL`."""
    folder = tmp_path / "index"
    (folder / "simple").mkdir(parents=True)
    requests: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            requests.append(f"{self.command} {self.path}")

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_address[1]}/simple/"
    only_this_index(monkeypatch, url)
    yield PackageIndex(folder, url, requests)
    server.shutdown()
    server.server_close()
    thread.join()


def only_this_index(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def pip_index(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Configure pip for one index and nothing else."""
    return partial(only_this_index, monkeypatch)


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., str]:
    """Run git in a folder with a fixed author and return what it prints."""
    home = tmp_path / "git-home"
    home.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{
            f"GIT_{who}_{what}": text
            for who in ("AUTHOR", "COMMITTER")
            for what, text in (
                ("NAME", "Ada"),
                ("EMAIL", "ada@example.org"),
                ("DATE", "2026-01-02T03:04:05Z"),
            )
        },
    }

    def run(folder: Path, *arguments: str, stdin: str | None = None) -> str:
        return subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env=environment,
            input=stdin,
            text=True,
            capture_output=True,
            check=True,
        ).stdout.strip()

    return run


@pytest.fixture
def checkout(tmp_path: Path, git: Callable[..., str]) -> Path:
    """A git checkout of two commits: v1 (one source), then main (a source more, a link, something ignored)."""
    folder = tmp_path / "owner" / "project"
    (folder / "src" / "project").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "My.Project"\nversion = "3.1"\ndescription = "A project"\n'
    )
    (folder / "src/project/one.py").write_text("raise ValueError('one')\n")
    (folder / ".gitignore").write_text("*.log\n/ignored/\n")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=one")
    git(folder, "tag", "v1")
    (folder / "src/project/two.py").write_text("raise ValueError('two')\n")
    (folder / "src/project/link.py").symlink_to("one.py")
    (folder / "ignored").mkdir()
    (folder / "ignored/three.py").write_text("raise ValueError('three')\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=two")
    return folder


def entries(folder: Path) -> list[str]:
    return (
        sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")) if folder.exists() else []
    )


@pytest.fixture
def leftovers() -> Callable[[Path], list[str]]:
    """List what a cache folder holds beyond finished trees and their releases: temporary work."""

    def listed(cache: Path) -> list[str]:
        return [path for path in entries(cache) if path.startswith("tmp/")]

    return listed
