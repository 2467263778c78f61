"""`pypi:`: the index pip is configured for, the file that is chosen, and everything that can go wrong."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from errdex.errors import (
    ArchiveDamagedError,
    ArtifactHashError,
    IndexUnreachableError,
    PackageNotFoundError,
    SourceError,
    VersionNotFoundError,
)
from errdex.model.source import SourceTree
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.pypi import open_source_archive


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """An empty cache folder."""
    return tmp_path / "cache"


@pytest.fixture
def opened(cache: Path) -> Callable[[str], SourceTree]:
    """Open a coordinate in the empty cache."""
    return lambda text: open_tree(parse_coordinate(text), cache=cache)


@pytest.fixture
def refused(cache: Path) -> Callable[[str, type[SourceError]], SourceError]:
    """Open what must fail; return the error once nothing was kept."""

    def run(text: str, error: type[SourceError]) -> SourceError:
        with pytest.raises(error) as caught:
            open_tree(parse_coordinate(text), cache=cache)
        assert list(cache.glob("tmp/*")) == []
        assert list(cache.glob("trees/*")) == []
        return caught.value

    return run


def test_a_release_is_downloaded_once(index, opened, make_wheel) -> None:
    """A pinned release that is kept asks nobody; the tree is the same."""
    index.add("my-pkg", make_wheel("my_pkg", files={"my_pkg/__init__.py": b"x = 1\n"}))
    tree = opened("pypi:My_Pkg==1.0")
    assert (str(tree.coordinate), tree.repo, tree.package) == ("pypi:my-pkg==1.0", "pypi/my-pkg", "my-pkg")
    assert (tree.version, tree.permalink, tree.description) == ("1.0", None, "Made in a test")
    assert (tree.root / "my_pkg/__init__.py").read_bytes() == b"x = 1\n"
    asked = len(index.requests)
    assert opened("pypi:my-pkg==1.0") == tree
    assert len(index.requests) == asked


def test_the_newest_is_asked_for_each_time_and_fetched_once(index, opened, make_wheel) -> None:
    """Without a version the index is asked again, but a kept file is not downloaded again."""
    index.add("pkg", make_wheel())
    assert opened("pypi:pkg").version == "1.0"
    assert opened("pypi:pkg").version == "1.0"
    assert sum(row.startswith("GET /files/") for row in index.requests) == 1
    index.add("pkg", make_wheel(version="1.1"))
    assert opened("pypi:pkg").version == "1.1"


def test_a_stable_release_goes_before_a_newer_pre_release(index, opened, make_wheel) -> None:
    """A pre-release is read when asked for, or when there is nothing else."""
    index.add("pkg", make_wheel(), make_wheel(version="2.0rc1"))
    index.add("only", make_wheel("only", "1.0a1"))
    assert opened("pypi:pkg").version == "1.0"
    assert opened("pypi:pkg==2.0rc1").version == "2.0rc1"
    assert opened("pypi:only").version == "1.0a1"


def test_a_yanked_release_is_read_when_it_is_pinned(index, opened, make_wheel) -> None:
    """People paste errors of yanked versions too."""
    index.add("pkg", make_wheel())
    index.add("pkg", make_wheel(version="1.1"), yanked=True)
    assert opened("pypi:pkg").version == "1.0"
    assert opened("pypi:pkg==1.1").version == "1.1"


def test_a_wheel_goes_before_a_source_archive(index, opened, make_wheel, make_sdist) -> None:
    """The wheel's paths are those of an installation; without one the source archive is read, never built."""
    index.add("pkg", make_sdist(), make_wheel())
    assert "pkg/core.py" in {file.path for file in opened("pypi:pkg").files}
    index.add("old", *(make_sdist("old", suffix=suffix) for suffix in (".zip", ".tar.bz2")))
    tree = opened("pypi:old")
    assert [file.path for file in tree.files] == ["PKG-INFO", "setup.py", "src/old/__init__.py"]


def test_the_source_archive_beside_a_wheel_can_be_asked_for(index, cache, make_wheel, make_sdist) -> None:
    """There are the library's own tests; it is kept apart from the wheel, and may be missing."""
    index.add("pkg", make_sdist(), make_wheel(), make_wheel(version="0.9"))
    wheel = open_tree(parse_coordinate("pypi:pkg==1.0"), cache=cache)
    for _ in range(2):
        archive = open_source_archive(wheel.coordinate, cache=cache)
        assert archive is not None
        assert "setup.py" in {file.path for file in archive.files}
    assert open_tree(wheel.coordinate, cache=cache) == wheel
    assert open_source_archive(parse_coordinate("pypi:pkg==0.9"), cache=cache) is None


def test_any_platform_and_any_python_will_do(index, opened, make_wheel) -> None:
    """A wheel for another system is read like one's own: the pure one first, then Linux, newest Python."""
    source = {"pkg/where.py": b"here = 'windows'\n"}
    index.add("pkg", make_wheel(tag="cp27-cp27m-win32", files=source))
    assert (opened("pypi:pkg==1.0").root / "pkg/where.py").read_text() == "here = 'windows'\n"
    index.add("more", *(make_wheel("more", tag=tag) for tag in ("cp39-cp39-win_amd64", "py2-none-any")))
    opened("pypi:more")
    assert "GET /files/more-1.0-py2-none-any.whl HTTP/1.1" not in index.requests
    assert any("more-1.0-py2-none-any.whl" in row for row in index.requests)


def test_every_promised_hash_is_checked(index, refused, make_wheel) -> None:
    """A file that is not what the index promised is not unpacked."""
    wheel = make_wheel()
    for promise in ("sha256=" + "0" * 64, "md5=" + "0" * 32, "sha512=" + "0" * 128):
        index.add(f"with-{promise[:4]}", wheel)
    index.add("pkg", wheel, hashes={wheel.name: "sha256=" + "0" * 64})
    error = refused("pypi:pkg", ArtifactHashError)
    assert "the index promised 0000" in str(error)
    old = make_wheel(version="0.9")
    index.add("pkg", old, hashes={old.name: "md5=" + "0" * 32})
    assert "its md5 is" in str(refused("pypi:pkg==0.9", ArtifactHashError))


def test_a_file_without_a_promise_is_read(index, opened, make_wheel) -> None:
    """An index need not promise hashes."""
    wheel = make_wheel()
    index.add("pkg", wheel, hashes={wheel.name: ""})
    assert opened("pypi:pkg").version == "1.0"


def test_an_unknown_package_is_told_from_an_unknown_version(index, refused, make_wheel) -> None:
    """The first names where was looked, the second the versions nearby."""
    index.add("pkg", *(make_wheel(version=version) for version in ("1.0", "1.1", "2.0", "10.0")))
    error = refused("pypi:pkgg", PackageNotFoundError)
    assert index.url in str(error)
    error = refused("pypi:pkg==1.2", VersionNotFoundError)
    assert "Near it: 1.1, 2.0" in str(error)


def test_an_index_that_is_not_there_is_unreachable(pip_index, refused) -> None:
    """A refused connection is no missing package."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        pip_index(f"http://127.0.0.1:{taken.getsockname()[1]}/simple/")
        error = refused("pypi:pkg", IndexUnreachableError)
    assert "127.0.0.1" in str(error)


def test_what_is_kept_is_offered_when_the_index_is_away(index, pip_index, opened, make_wheel) -> None:
    """The error lists the versions that can be read offline."""
    index.add("pkg", make_wheel())
    opened("pypi:pkg")
    pip_index("http://127.0.0.1:1/simple/")
    with pytest.raises(IndexUnreachableError, match=r"pypi:pkg==1\.0"):
        opened("pypi:pkg")


def test_a_password_in_the_index_url_is_never_shown(pip_index, refused) -> None:
    """Errors carry addresses, not credentials."""
    pip_index("http://user:s3cret@127.0.0.1:1/simple/")
    error = refused("pypi:pkg", IndexUnreachableError)
    assert "s3cret" not in str(error)
    assert "s3cret" not in repr(error.args)


def test_an_index_without_encryption_must_be_trusted(pip_index, refused) -> None:
    """Plain http to another machine is refused, as pip refuses it."""
    pip_index("http://index.example/simple/")
    assert "trusted-host" in str(refused("pypi:pkg", IndexUnreachableError))


def test_missing_extra_indexes_do_not_matter(index, opened, make_wheel, monkeypatch, tmp_path) -> None:
    """Folders that pip's configuration names and that are not there are passed over, as pip does."""
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"file://{tmp_path}/nowhere/simple file://{tmp_path}/empty")
    monkeypatch.setenv("PIP_FIND_LINKS", f"{tmp_path}/links {tmp_path}/empty")
    index.add("pkg", make_wheel())
    assert opened("pypi:pkg").version == "1.0"


def test_a_package_no_index_has_is_missing_whatever_extras_there_are(
    index, refused, monkeypatch, tmp_path
) -> None:
    """A folder without the project is no unreachable index."""
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"file://{tmp_path}/nowhere/simple")
    refused("pypi:pkg", PackageNotFoundError)


def test_links_in_a_folder_are_an_index_too(index, opened, make_wheel, monkeypatch, tmp_path) -> None:
    """`find-links` is read where it lies, and can hold a newer version than the index."""
    index.add("pkg", make_wheel())
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "links"))
    make_wheel(version="1.5", folder=tmp_path / "links")
    assert opened("pypi:pkg").version == "1.5"


def test_constraints_bound_the_newest(index, opened, make_wheel, monkeypatch, tmp_path) -> None:
    """`constraint` files hold for a package asked for without version, as for pip."""
    (tmp_path / "constraints.txt").write_text("# ours\nPKG < 2\nother==1.0\n-r more.txt\n")
    monkeypatch.setenv("PIP_CONSTRAINT", str(tmp_path / "constraints.txt"))
    index.add("pkg", make_wheel(), make_wheel(version="2.0"))
    assert opened("pypi:pkg").version == "1.0"
    assert opened("pypi:pkg==2.0").version == "2.0"


def test_a_local_version_stands_in_for_its_public_one(index, opened, make_wheel) -> None:
    """`==2.1` is answered by `2.1+cpu` where there is nothing else (PEP 440)."""
    index.add("pkg", make_wheel(version="2.1+cpu"))
    tree = opened("pypi:pkg==2.1")
    assert tree.version == "2.1+cpu"
    assert opened("pypi:pkg==2.1") == tree


def test_a_truncated_wheel_is_damaged(index, refused, make_wheel) -> None:
    """With a true hash of half a file, the archive itself tells."""
    wheel = make_wheel()
    wheel.write_bytes(wheel.read_bytes()[:-40])
    index.add("pkg", wheel)
    refused("pypi:pkg", ArchiveDamagedError)


def test_a_file_that_the_index_lists_and_lacks_is_unreachable(index, refused, make_wheel) -> None:
    """A dead link is the host's fault and says its status."""
    wheel = make_wheel()
    index.add("pkg", wheel)
    (index.folder / "files" / wheel.name).unlink()
    assert "status 404" in str(refused("pypi:pkg", IndexUnreachableError))


@pytest.mark.parametrize(
    "url", ["http://[broken/simple", "ftp://127.0.0.1/simple", "http://127.0.0.1:notaport/simple"]
)
def test_an_address_that_is_none_is_unreachable(pip_index, refused, url: str) -> None:
    """A typing error in pip's configuration is named, not crashed on."""
    pip_index(url)
    refused("pypi:pkg", IndexUnreachableError)


def test_a_page_without_links_has_no_package(index, refused) -> None:
    """A page without links is an index without the package."""
    page = index.folder / "simple" / "pkg" / "index.html"
    page.parent.mkdir()
    page.write_text("<html>Welcome to nginx</html>")
    refused("pypi:pkg", PackageNotFoundError)


def test_a_page_on_the_network_may_not_name_files_of_this_machine(index, refused, make_wheel) -> None:
    """Only an index that is itself a folder may link to `file:`."""
    wheel = make_wheel()
    page = index.folder / "simple" / "pkg" / "index.html"
    page.parent.mkdir()
    page.write_text(f'<a href="{wheel.as_uri()}">{wheel.name}</a>')
    refused("pypi:pkg", PackageNotFoundError)


@pytest.mark.network
def test_the_public_index_answers(opened) -> None:
    """The index this machine's pip uses has `requests`."""
    tree = opened("pypi:requests==2.32.3")
    assert tree.revision == "aa3b504934c36203dfd017dd2764ff757ab58954"
    assert "requests/sessions.py" in {file.path for file in tree.files}
