"""Hostile archives: each gets a clear error, and nothing of it stays behind."""

from __future__ import annotations

import contextlib
import io
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errdex.errors import ArchiveDamagedError, ArchiveRefusedError, SourceError
from errdex.model.source import SourceTree
from errdex.sources import open_tree, parse_coordinate
from errdex.sources.archive import Limits
from errdex.sources.unpack import unpack


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder next to the cache that no archive may touch."""
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture
def refused(tmp_path: Path, outside: Path) -> Callable[..., str]:
    """Open an archive that must be refused; return what the error says once nothing is left behind."""

    def opened(path: Path, error: type[SourceError] = ArchiveRefusedError) -> str:
        cache = tmp_path / "cache"
        with pytest.raises(error) as caught:
            open_tree(parse_coordinate(str(path)), cache=cache)
        assert [left for left in cache.rglob("*") if left.name != "tmp"] == []
        assert list(outside.iterdir()) == []
        assert not (tmp_path / "evil.py").exists()
        return str(caught.value)

    return opened


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[Path], SourceTree]:
    """Open an archive that is odd but harmless."""
    return lambda path: open_tree(parse_coordinate(str(path)), cache=tmp_path / "cache")


def zipped(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ok.py", b"x = 1\n")
        for member, data in members:
            archive.writestr(member, data)
    return path


def tarred(path: Path, *members: tarfile.TarInfo | tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for member in (entry("top/ok.py", b"x = 1\n"), *members):
            info, data = member if isinstance(member, tuple) else (member, b"")
            archive.addfile(info, io.BytesIO(data))
    return path


def entry(name: str, data: bytes = b"") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    return info, data


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    "name", ["../evil.py", "a/../../evil.py", "..\\evil.py", "a\\..\\..\\evil.py", "top/.."]
)
@pytest.mark.parametrize("form", ["zip", "tar"])
def test_a_path_that_climbs_out_is_refused(
    tmp_path: Path, refused: Callable[..., str], name: str, form: str
) -> None:
    """Traversal is an attack in either kind of slash."""
    path = (
        zipped(tmp_path / "a.zip", (name, b"x"))
        if form == "zip"
        else tarred(tmp_path / "a.tar.gz", entry(name, b"x"))
    )
    assert "climbs out" in refused(path)


@pytest.mark.parametrize("name", ["/evil.py", "//evil.py", "C:/evil.py", "c:evil.py", "\\evil.py"])
@pytest.mark.parametrize("form", ["zip", "tar"])
def test_an_absolute_path_is_refused(
    tmp_path: Path, refused: Callable[..., str], name: str, form: str
) -> None:
    """Neither a root nor a drive may be named."""
    path = (
        zipped(tmp_path / "a.zip", (name, b"x"))
        if form == "zip"
        else tarred(tmp_path / "a.tar.gz", entry(name, b"x"))
    )
    assert "absolute" in refused(path)


def test_a_nul_in_a_name_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    """What a NUL hides is not guessed."""
    plain = zipped(tmp_path / "n.zip", ("evilX.py", b"x"))
    plain.write_bytes(plain.read_bytes().replace(b"evilX.py", b"evil\0.py"))
    assert "NUL" in refused(plain)
    pax = tarfile.TarInfo("top/x.py")
    pax.pax_headers = {"path": "top/evil\0.py"}
    assert "NUL" in refused(tarred(tmp_path / "n.tar.gz", (pax, b"")))


@pytest.mark.parametrize("target", ["/etc/passwd", "../../outside", "a/../../../etc", "C:\\x"])
@pytest.mark.parametrize("form", ["zip", "symbolic", "hard"])
def test_a_link_out_of_the_archive_is_refused(
    tmp_path: Path, refused: Callable[..., str], outside: Path, target: str, form: str
) -> None:
    """A link outwards is refused before anything goes through it."""
    assert outside.is_dir()
    if form == "zip":
        info = zipfile.ZipInfo("link")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        path = zipped(tmp_path / "a.zip", (info, target.encode()), ("link/evil.py", b"x"))
    else:
        kind = tarfile.SYMTYPE if form == "symbolic" else tarfile.LNKTYPE
        path = tarred(
            tmp_path / "a.tar.gz", special("top/link", kind, target), entry("top/link/evil.py", b"x")
        )
    assert "outside the archive" in refused(path)


def test_a_link_within_the_archive_is_skipped(tmp_path: Path, opened: Callable[[Path], SourceTree]) -> None:
    """Some source archives hold links; they are listed as skipped, a hard link with what it is."""
    path = tarred(
        tmp_path / "x-1.0.tar.gz",
        special("top/again.py", tarfile.LNKTYPE, "top/ok.py"),
        special("top/sub/up.py", tarfile.SYMTYPE, "../ok.py"),
    )
    tree = opened(path)
    assert [file.path for file in tree.files] == ["ok.py"]
    assert [(row.path, row.reason) for row in tree.skipped] == [
        ("again.py", "it is the same file as top/ok.py"),
        ("sub/up.py", "it is a symbolic link to top/ok.py"),
    ]
    assert not (tree.root / "sub").exists()


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"\x53"])
def test_a_device_is_refused(tmp_path: Path, refused: Callable[..., str], kind: bytes) -> None:
    """Devices, pipes and sparse files have no place in a package."""
    said = refused(tarred(tmp_path / "a.tar.gz", special("top/dev", kind)), SourceError)
    assert "device" in said or "sparse" in said or "unpacked" in said


def test_a_device_in_a_zip_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    """Zip members carry Unix modes too."""
    info = zipfile.ZipInfo("dev")
    info.external_attr = (stat.S_IFCHR | 0o600) << 16
    assert "device" in refused(zipped(tmp_path / "a.zip", (info, b"")))


def test_an_encrypted_member_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    """Nobody is asked for a password."""
    path = zipped(tmp_path / "a.zip")
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))
    assert "encrypted" in refused(path)


def test_a_zip_bomb_is_refused_by_its_directory(tmp_path: Path) -> None:
    """A file that promises too much is refused before a byte of it is unpacked."""
    path = zipped(tmp_path / "bomb.zip", *((f"{number}.py", bytes(1_000_000)) for number in range(20)))
    (tmp_path / "into").mkdir()
    with pytest.raises(ArchiveRefusedError, match="would unpack to"):
        unpack(path, tmp_path / "into", strip_top=False, limits=Limits(ratio_from_bytes=1_000_000))
    assert list((tmp_path / "into").iterdir()) == []


def test_a_zip_that_lies_about_its_sizes_is_damaged(tmp_path: Path, refused: Callable[..., str]) -> None:
    """The declared size bounds what is read; what does not fit it is an error."""
    path = zipped(tmp_path / "lie.zip", ("big.py", b"\0" * 100_000))
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<L", 100_000), struct.pack("<L", 10)))
    refused(path, ArchiveDamagedError)


def test_a_tar_bomb_is_stopped(tmp_path: Path) -> None:
    """A packed archive is measured while it unpacks, headers included."""
    path = tmp_path / "bomb.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo("top/zeros.py")
        info.size = 20_000_000
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    limits = Limits(ratio_from_bytes=1_000_000)
    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(ArchiveRefusedError, match="would unpack to"):
        unpack(path, into, strip_top=True, limits=limits)
    assert list(into.iterdir()) == []


def test_a_header_bomb_is_stopped(tmp_path: Path, refused: Callable[..., str]) -> None:
    """An extended header of 64 MB is not read into memory."""
    path = tmp_path / "header.tar.gz"
    info = special("x", tarfile.XHDTYPE)
    info.size = 64_000_000
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    assert "absurdly large" in refused(path)


def test_too_many_members_are_refused(tmp_path: Path) -> None:
    """The number of members is bounded too."""
    path = zipped(tmp_path / "many.zip", *((f"{number}.py", b"") for number in range(20)))
    (tmp_path / "into").mkdir()
    with pytest.raises(ArchiveRefusedError, match="more than 10 members"):
        unpack(path, tmp_path / "into", strip_top=False, limits=Limits(members=10))


def test_a_member_given_twice_is_refused_unless_it_is_the_same(
    tmp_path: Path, refused: Callable[..., str], opened: Callable[[Path], SourceTree]
) -> None:
    """Which of two contents would be installed is not ours to guess."""
    same = tarred(tmp_path / "same-1.0.tar.gz", entry("top/ok.py", b"x = 1\n"))
    assert [file.path for file in opened(same).files] == ["ok.py"]
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = zipped(tmp_path / "twice.zip", ("a.py", b"1"), ("a.py", b"2"))
    (tmp_path / "cache").rename(tmp_path / "other-cache")
    assert "there twice" in refused(path)


@pytest.mark.parametrize("order", [("a.py", "a.py/b.py"), ("a.py/b.py", "a.py")])
def test_a_file_that_is_a_folder_too_is_refused(
    tmp_path: Path, refused: Callable[..., str], order: tuple[str, str]
) -> None:
    """Such an archive cannot be laid out, in either order."""
    path = zipped(tmp_path / "both.zip", *((name, b"x") for name in order))
    said = refused(path)
    assert "file and a folder" in said or "folder is a file" in said


def test_names_that_differ_in_case_do_not_overwrite_each_other(
    tmp_path: Path, opened: Callable[[Path], SourceTree]
) -> None:
    """The first is kept on every file system, the second is listed as skipped."""
    path = zipped(
        tmp_path / "case.zip",
        ("Readme.py", b"1"),
        ("README.py", b"2"),
        ("Straße.py", b""),
        ("STRASSE.py", b""),
    )
    tree = opened(path)
    assert [file.path for file in tree.files] == ["Readme.py", "Straße.py", "ok.py"]
    assert [row.path for row in tree.skipped] == ["README.py", "STRASSE.py"]
    assert all("in case only" in row.reason for row in tree.skipped)


def test_odd_names_are_listed_as_skipped(tmp_path: Path, opened: Callable[[Path], SourceTree]) -> None:
    """A name that is harmless but cannot be shown or stored everywhere is not lost."""
    path = tmp_path / "odd-1.0.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.GNU_FORMAT, encoding="latin-1") as archive:
        for name in (
            "top/ok.py",
            "top/n\xe9.py",
            "top/new\nline.py",
            "top/back\\slash.py",
            "top/" + "x" * 250 + ".py",
        ):
            archive.addfile(tarfile.TarInfo(name))
    tree = opened(path)
    assert [file.path for file in tree.files] == ["ok.py"]
    assert {row.reason for row in tree.skipped} == {
        "its name is not UTF-8",
        "its name holds control characters",
        "its name holds a backslash",
        "its name is too long",
    }
    assert all("\n" not in row.path and row.path.encode() for row in tree.skipped)


def test_a_source_too_large_to_read_is_listed_as_skipped(
    tmp_path: Path, opened: Callable[[Path], SourceTree]
) -> None:
    """It is hashed like the rest, and its reason says the limit."""
    path = zipped(
        tmp_path / "large.zip", ("data.py", bytes(range(256)) * 80_000), ("notes.txt", b"word " * 200_000)
    )
    tree = opened(path)
    assert [file.path for file in tree.files] == ["ok.py"]
    assert [(row.path, row.reason) for row in tree.skipped] == [
        ("data.py", "too large: 20,480,000 bytes, sources are read up to 16,777,216"),
        ("notes.txt", "too large: 1,000,000 bytes, texts are read up to 524,288"),
    ]


@pytest.mark.parametrize("cut", [0, 1, 100, -1, -30])
def test_part_of_a_wheel_is_damaged(
    refused: Callable[..., str], make_wheel: Callable[..., Path], cut: int
) -> None:
    """Wherever it was cut, it is said, and nothing is kept."""
    path = make_wheel()
    path.write_bytes(path.read_bytes()[:cut])
    assert "cannot be unpacked" in refused(path, ArchiveDamagedError)


@pytest.mark.parametrize("cut", [0, 1, 100, -1, -30])
def test_part_of_a_source_archive_is_damaged(
    refused: Callable[..., str], make_sdist: Callable[..., Path], cut: int
) -> None:
    """Even the last byte is missed: the checksum stands there."""
    path = make_sdist()
    path.write_bytes(path.read_bytes()[:cut])
    assert "cannot be unpacked" in refused(path, ArchiveDamagedError)


@pytest.mark.parametrize("name", ["page.whl", "page.tar.gz", "page.zip"])
def test_what_is_not_an_archive_is_said_to_be_none(
    tmp_path: Path, refused: Callable[..., str], name: str
) -> None:
    """The first bytes tell, not the name."""
    path = tmp_path / name
    path.write_bytes(b"<html>404 not found</html>" * 100)
    assert "it is not a" in refused(path, ArchiveDamagedError)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    flips=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6),
    data=st.data(),
)
def test_any_damage_is_our_error_or_harmless(
    tmp_path_factory: pytest.TempPathFactory,
    flips: list[tuple[int, int]],
    data: st.DataObject,
) -> None:
    """Bytes changed anywhere give a tree or a SourceError, never anything else, and no leftovers."""
    folder = tmp_path_factory.mktemp("damage")
    if data.draw(st.booleans()):
        path = zipped(folder / "x-1.0-py3-none-any.whl", ("pkg/a.py", b"a = 1\n" * 50))
    else:
        path = tarred(folder / "x-1.0.tar.gz", entry("top/a.py", b"a = 1\n" * 50))
    broken = bytearray(path.read_bytes())
    for at, value in flips:
        broken[at % len(broken)] = value
    path.write_bytes(bytes(broken))
    cache = folder / "cache"
    with contextlib.suppress(SourceError):
        assert open_tree(parse_coordinate(str(path)), cache=cache).files
    assert len(list(cache.rglob("manifest"))) <= 1
    assert list(cache.glob("tmp/*")) == []


def test_a_source_archive_loses_its_top_folder_and_keeps_src(
    opened: Callable[[Path], SourceTree], make_sdist: Callable[..., Path]
) -> None:
    """Paths are those of the project, `src/` included; every format is read, nothing is built."""
    for suffix in (".tar.gz", ".tar.bz2", ".zip", ".tar.xz", ".tar", ".tgz"):
        tree = opened(make_sdist(suffix=suffix))
        assert [file.path for file in tree.files] == ["PKG-INFO", "setup.py", "src/pkg/__init__.py"]
        assert (tree.repo, tree.package, tree.version, tree.description) == (
            "pypi/pkg",
            "pkg",
            "1.0",
            "Made in a test",
        )
        assert (tree.root / "setup.py").is_file()
