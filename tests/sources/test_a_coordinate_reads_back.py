"""Coordinates: what a user types, what is refused, and the way back to text."""

from __future__ import annotations

import contextlib
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.errors import CoordinateError, OriginNotReadError
from errdex.model.source import Coordinate
from errdex.sources import parse_coordinate

NAMES = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?", fullmatch=True)
VERSIONS = st.from_regex(
    r"[0-9]{1,3}(\.[0-9]{1,3}){0,3}((a|b|rc)[0-9])?(\.post[0-9])?(\+cpu)?", fullmatch=True
)
WORDS = st.text(string.ascii_letters + string.digits + "_-.", min_size=1, max_size=12).filter(
    lambda word: word.strip(".-") and not word.startswith("-")
)
HOSTS = st.sampled_from(
    ["https://github.com", "git@github.com:", "ssh://git@host:22", "file://", "https://u:p@host.example"]
)
REVISIONS = st.one_of(
    st.none(),
    st.from_regex(r"[0-9a-f]{40}", fullmatch=True),
    st.sampled_from(["main", "v1.0", "feature/a-b", "release/2026.11", "HEAD"]),
)


@given(name=NAMES, version=st.none() | VERSIONS, kind=st.sampled_from(["pypi", "env"]))
def test_a_package_reads_back(name: str, version: str | None, kind: str) -> None:
    """`str(coordinate)` is a coordinate again, and the same one."""
    coordinate = parse_coordinate(f"{kind}:{name}" + (f"=={version}" if version else ""))
    assert parse_coordinate(str(coordinate)) == coordinate
    assert coordinate.kind == kind


@given(host=HOSTS, owner=WORDS, name=WORDS, revision=REVISIONS)
def test_a_repository_reads_back(host: str, owner: str, name: str, revision: str | None) -> None:
    """A URL with an `@` of its own keeps it, with and without a revision."""
    url = host + ("" if host.endswith(":") else "/") + f"{owner}/{name}"
    coordinate = parse_coordinate(f"git:{url}" + (f"@{revision}" if revision else ""))
    assert (coordinate.name, coordinate.version) == (url, revision)
    assert parse_coordinate(str(coordinate)) == coordinate


@given(parts=st.lists(WORDS, min_size=1, max_size=4))
def test_a_folder_reads_back(parts: list[str]) -> None:
    """A path becomes absolute, and stays the same path."""
    coordinate = parse_coordinate("./" + "/".join(parts))
    assert Path(coordinate.name).is_absolute()
    assert parse_coordinate(str(coordinate)) == coordinate


@given(text=st.text(max_size=60))
def test_any_text_is_a_coordinate_or_refused(text: str) -> None:
    """Nothing but our own error comes of any text."""
    with contextlib.suppress(CoordinateError, OriginNotReadError):
        assert isinstance(parse_coordinate(text), Coordinate)


@pytest.mark.parametrize(
    ("text", "kind", "name", "version"),
    [
        ("pypi:Scikit_Learn==1.02", "pypi", "scikit-learn", "1.2"),
        (" PyPI:requests ", "pypi", "requests", None),
        ("env:zope.interface", "env", "zope-interface", None),
        ("git:git@github.com:owner/name", "git", "git@github.com:owner/name", None),
        ("git:git@github.com:owner/name@v2", "git", "git@github.com:owner/name", "v2"),
        ("git:https://user@host/owner/name@feature/x", "git", "https://user@host/owner/name", "feature/x"),
        ("git:file:///srv/a.git@main", "git", "file:///srv/a.git", "main"),
        ("git:../clone@main", "git", "../clone", "main"),
    ],
)
def test_each_form_is_read(text: str, kind: str, name: str, version: str | None) -> None:
    """Names and versions come out in their normal form."""
    coordinate = parse_coordinate(text)
    assert (coordinate.kind, coordinate.name, coordinate.version) == (kind, name, version)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("pipy:requests", "Did you mean `pypi:requests`?"),
        ("https://github.com/psf/requests", "Did you mean `git:https://github.com/psf/requests@REVISION`?"),
        ("requests", "`pypi:requests`"),
        ("pypi:requests@2.32", "Did you mean `pypi:requests==2.32`?"),
        ("pypi:requests[socks]==2.1", "Did you mean `pypi:requests`?"),
        ("pypi:requests>=2", "not a package name"),
        ("pypi:requests==2.*", "one exact version"),
        ("pypi:", "not a package name"),
        ("git:", "names no repository"),
        ("git:ext::sh -c id@main", "may not speak 'ext'"),
        ("git:--upload-pack=x@main", "names no repository"),
        ("git:https://host/a/b@--output=x", "not a revision"),
        ("git:https://host/a/b@a..b", "not a revision"),
        ("pypi:a\x00b", "control characters"),
        ("a" * 5000, "no folder of that name"),
    ],
)
def test_what_is_none_says_what_to_write(text: str, said: str) -> None:
    """A refusal names what is wrong and the likely right form."""
    with pytest.raises(CoordinateError) as caught:
        parse_coordinate(text)
    assert said in str(caught.value)


def test_npm_is_known_and_not_read_yet() -> None:
    """`npm:` is told from a typing error."""
    with pytest.raises(OriginNotReadError, match="not read yet"):
        parse_coordinate("npm:@nestjs/core@8.2.2")


def test_a_repository_is_owner_and_name() -> None:
    """`--repo` takes owner/name and nothing else."""
    assert parse_coordinate("pypi:requests", repo="psf/requests").repo == "psf/requests"
    for wrong in ("requests", "a/b/c", "../x/y", "https://github.com/psf/requests"):
        with pytest.raises(CoordinateError, match="owner/name"):
            parse_coordinate("pypi:requests", repo=wrong)


def test_an_existing_folder_needs_no_slash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare word is a folder where there is one of that name."""
    (tmp_path / "requests").mkdir()
    (tmp_path / "pipy:odd").mkdir()
    monkeypatch.chdir(tmp_path)
    assert parse_coordinate("requests") == Coordinate(kind="local", name=str(tmp_path / "requests"))
    assert parse_coordinate("pipy:odd").kind == "local"
    assert parse_coordinate(".").name == str(tmp_path)
