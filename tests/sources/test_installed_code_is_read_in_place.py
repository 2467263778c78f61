"""`env:` and files of site-packages: which distribution owns what, without copying anything."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from errdex.errors import NotInstalledError, VersionNotFoundError
from errdex.sources import installed_tree, open_tree, parse_coordinate, path_in_tree
from errdex.sources.distributions import by_name, names, owner_of


def record(*paths: str) -> str:
    return "".join(f"{path},sha256=x,1\n" for path in paths)


def install(site: Path, info: str, files: dict[str, str], **about: str) -> None:
    """Lay out an installed distribution by hand: its files, and the files of its info folder."""
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
    name, version = info.rsplit(".", 1)[0].split("-")[:2]
    about.setdefault(
        "PKG-INFO" if info.endswith(".egg-info") else "METADATA", f"Name: {name}\nVersion: {version}\n"
    )
    for file, text in about.items():
        (site / info).mkdir(parents=True, exist_ok=True)
        (site / info / file.replace("top_level", "top_level.txt")).write_text(text)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site-packages folder of another interpreter, with distributions of every kind."""
    folder = tmp_path / "venv" / "lib" / "python3.9" / "site-packages"
    install(
        folder,
        "Scikit_Thing-1.2.dist-info",
        {"skthing/__init__.py": "", "skthing/core.py": "raise ValueError('a')\n", "skthing/fast.so": "x"},
        RECORD=record(
            "skthing/__init__.py", "skthing/core.py", "skthing/fast.so", "skthing/gone.py", '"skthing/a,b.py"',
            "skthing/__pycache__/core.cpython-39.pyc", "../../bin/skthing", "/etc/passwd",
        ),
    )  # fmt: skip
    install(
        folder,
        "cloud_one-1.0.dist-info",
        {"cloud/one/__init__.py": ""},
        RECORD=record("cloud/one/__init__.py"),
    )
    install(
        folder,
        "cloud_two-1.0.dist-info",
        {"cloud/two/__init__.py": ""},
        RECORD=record("cloud/two/__init__.py"),
    )
    install(
        folder, "Old-0.1-py3.9.egg-info", {"oldmod.py": "", "oldpkg/a.py": ""}, top_level="oldmod\noldpkg\n"
    )
    (folder / "loose.py").write_text("raise KeyError('x')\n")
    return folder


def test_an_installed_package_has_the_ids_of_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its repository is `pypi/NAME` and its paths are the wheel's, so records are the same."""
    tree = open_tree(parse_coordinate("env:MsgSpec"))
    assert (tree.repo, tree.package, tree.permalink) == ("pypi/msgspec", "msgspec", None)
    assert str(tree.coordinate) == f"env:msgspec=={tree.version}"
    assert tree.root == Path(sysconfig.get_path("platlib")).resolve()
    assert "msgspec/__init__.py" in {file.path for file in tree.files}
    assert tree.description
    assert open_tree(tree.coordinate) == tree


def test_an_import_name_finds_its_distribution(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`env:skthing` is Scikit-Thing, as `env:sklearn` is scikit-learn."""
    monkeypatch.setattr(sys, "path", [str(site)])
    tree = open_tree(parse_coordinate("env:skthing"))
    assert (tree.package, tree.version) == ("scikit-thing", "1.2")
    assert [file.path for file in tree.files] == ["skthing/__init__.py", "skthing/core.py"]
    assert [(row.path, row.reason) for row in tree.skipped] == [
        ("skthing/a,b.py", "cannot be read: no such file or directory"),
        ("skthing/gone.py", "cannot be read: no such file or directory"),
    ]


def test_what_is_not_installed_names_what_is_near() -> None:
    """A typing error gets the right name, another version the one that is here."""
    with pytest.raises(NotInstalledError, match="Did you mean msgspec"):
        open_tree(parse_coordinate("env:msgspek"))
    with pytest.raises(NotInstalledError, match="`pypi:qqqqqqqq`"):
        open_tree(parse_coordinate("env:qqqqqqqq"))
    with pytest.raises(VersionNotFoundError, match="Near it: "):
        open_tree(parse_coordinate("env:msgspec==0.0.1"))


def test_a_distribution_without_a_record_is_read_by_its_top_level(site: Path) -> None:
    """Old installs say their modules in top_level.txt."""
    found = by_name("old", [str(site)])
    assert found is not None
    assert found.tops == ("oldmod.py", "oldpkg")
    tree = installed_tree(site / "oldpkg/a.py")
    assert tree is not None
    assert [file.path for file in tree.files] == ["oldmod.py", "oldpkg/a.py"]
    assert names([str(site)]) == ["cloud-one", "cloud-two", "old", "scikit-thing"]


def test_a_file_finds_its_owner(site: Path) -> None:
    """Shared namespaces are told apart by RECORD; another interpreter's folder is read where it is."""
    for path, owner in [
        ("skthing/core.py", "scikit-thing"),
        ("cloud/one/__init__.py", "cloud-one"),
        ("cloud/two/__init__.py", "cloud-two"),
        ("oldmod.py", "old"),
    ]:
        tree = installed_tree(site / path)
        assert tree is not None
        assert (tree.package, tree.root) == (owner, site.resolve())
        assert path_in_tree(site / path, tree) == path
        assert path_in_tree(site / "loose.py", tree) is None
    assert owner_of(site, "loose.py") is None
    loose = installed_tree(site / "loose.py")
    assert loose is not None
    assert (loose.package, loose.version, [file.path for file in loose.files]) == (
        "loose",
        None,
        ["loose.py"],
    )


def test_a_path_of_another_machine_is_looked_up_here() -> None:
    """The part behind site-packages counts, in either kind of slash."""
    here = open_tree(parse_coordinate("env:msgspec"))
    for there in (
        "/home/ada/.venv/lib/python3.8/site-packages/msgspec/json.py",
        r"C:\Users\ada\venv\Lib\site-packages\msgspec\json.py",
    ):
        tree = installed_tree(there)
        assert tree == here
        assert path_in_tree(there, tree) == "msgspec/json.py"
    for nowhere in (
        "/x/site-packages/msgspec/none.py",
        "/x/site-packages/../../etc/passwd.py",
        "/nowhere/a.py",
    ):
        assert installed_tree(nowhere) is None


def test_only_the_files_asked_for_are_hashed() -> None:
    """What `explain` needs of a large package is a few files."""
    tree = installed_tree("msgspec.json", only=["msgspec/json.py"])
    assert tree is not None
    assert [file.path for file in tree.files] == ["msgspec/json.py"]
    whole = open_tree(parse_coordinate("env:msgspec"))
    assert tree.files[0] in whole.files
    assert tree.revision != whole.revision


def test_the_standard_library_has_an_owner_too() -> None:
    """A frame in `json/decoder.py` is the interpreter's, here or on the machine of the paste."""
    import json.decoder

    for path in (
        json.decoder.__file__,
        "/usr/lib/python3.9/json/decoder.py",
        r"C:\Python311\Lib\json\decoder.py",
    ):
        tree = installed_tree(path, only=["json/decoder.py"])
        assert tree is not None
        assert (tree.repo, tree.package) == ("python/cpython", "python")
        assert path_in_tree(path, tree) == "json/decoder.py"
    assert installed_tree("/home/ada/project/lib/queue.py") is None


@pytest.mark.parametrize("layout", ["pth", "finder"])
def test_an_editable_install_is_read_where_its_sources_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str
) -> None:
    """The import root is the tree's root, whether a `.pth` or setuptools' finder points to it."""
    site, project = tmp_path / "site-packages", tmp_path / "project"
    (project / "src/mine").mkdir(parents=True)
    (project / "src/mine/core.py").write_text("raise ValueError\n")
    (project / "src/other").mkdir()
    (project / "src/other/x.py").write_text("")
    stub, text = (
        ("_mine.pth", f"{project}/src\n")
        if layout == "pth"
        else (
            "__editable___mine_1_0_finder.py",
            f"MAPPING: dict[str, str] = {{'mine': '{project}/src/mine'}}\n",
        )
    )
    origin = f'{{"url": "file://{project}", "dir_info": {{"editable": true}}}}'
    install(site, "mine-1.0.dist-info", {stub: text}, RECORD=record(stub), **{"direct_url.json": origin})
    monkeypatch.setattr(sys, "path", [str(site)])
    tree = open_tree(parse_coordinate("env:mine"))
    assert tree.root == (project / "src").resolve()
    assert [file.path for file in tree.files] == ["mine/core.py"]
    assert installed_tree(project / "src/mine/core.py") == tree


def test_a_real_installation_agrees_with_its_wheel(tmp_path: Path, make_wheel) -> None:
    """Pip installs a wheel; the files read back are the wheel's own, byte for byte."""
    wheel = make_wheel(files={"pkg/__init__.py": b"", "pkg/core.py": b"raise ValueError('x')\n"})
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(
            "pkg-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        rows = [f"{name},," for name in [*archive.namelist(), "pkg-1.0.dist-info/RECORD"]]
        archive.writestr("pkg-1.0.dist-info/RECORD", "\n".join(rows) + "\n")
    site = tmp_path / "site-packages"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--target",
        str(site),
        str(wheel),
    ]
    if subprocess.run(pip, capture_output=True, check=False).returncode != 0:
        pytest.skip("this interpreter has no pip")
    installed = installed_tree(site / "pkg/core.py")
    unpacked = open_tree(parse_coordinate(str(wheel)), cache=tmp_path / "cache")
    assert installed is not None
    assert installed.files == unpacked.files
    assert installed.repo == unpacked.repo
