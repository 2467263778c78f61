"""pip's configuration: read through pip, its files and its variables, later sections winning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from errdex.sources import open_tree, parse_coordinate
from errdex.sources.pip_config import fingerprint, interpret, parse_listing, read_pip_config


def test_pips_files_and_variables_are_read_by_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pip_index: Callable[[str], None]
) -> None:
    """A configuration file counts; a variable goes before it."""
    pip_index("https://variable.example/simple")
    monkeypatch.delenv("PIP_INDEX_URL")
    conf = tmp_path / "pip.conf"
    conf.write_text(
        "[global]\nindex-url = https://file.example/simple\ntimeout = 7\n"
        "[install]\ntrusted-host = a.example\n    b.example\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(conf))
    config = read_pip_config()
    assert (config.index_url, config.timeout_s) == ("https://file.example/simple", 7)
    assert config.trusted_hosts == ("a.example", "b.example")
    monkeypatch.setenv("PIP_INDEX_URL", "https://variable.example/simple")
    assert read_pip_config().index_url == "https://variable.example/simple"


def test_an_index_from_a_file_serves(
    index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_wheel
) -> None:
    """The whole way: pip.conf, pip, the index, the tree."""
    monkeypatch.delenv("PIP_INDEX_URL")
    conf = tmp_path / "pip.conf"
    conf.write_text(f"[global]\nindex-url = {index.url}\nextra-index-url = file:///nowhere/simple\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(conf))
    index.add("pkg", make_wheel())
    assert open_tree(parse_coordinate("pypi:pkg"), cache=tmp_path / "cache").version == "1.0"


def test_later_sections_win() -> None:
    """`pip download` reads global, then its own section, then the environment; `install` is minded too."""
    values = parse_listing(
        "global.index-url='https://one.example'\ninstall.index-url='https://two.example'\n"
        "download.index-url='https://three.example'\n:env:.no-index='true'\n"
        "list.index-url='https://not.example'\nglobal.find-links='/a /b\\n/c'\nbroken\nalso=broken\n"
    )
    config = interpret(values)
    assert config.index_url == "https://three.example"
    assert config.no_index
    assert config.find_links == ("/a", "/b", "/c")


def test_a_changed_configuration_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept of a pinned release is kept for the index it came from."""
    conf = tmp_path / "pip.conf"
    monkeypatch.setenv("PIP_CONFIG_FILE", str(conf))
    seen = {fingerprint()}
    conf.write_text("[global]\n")
    seen.add(fingerprint())
    monkeypatch.setenv("PIP_INDEX_URL", "https://other.example/simple")
    seen.add(fingerprint())
    assert len(seen) == 3
    monkeypatch.setenv("OTHER", "1")
    assert fingerprint() in seen


def test_a_release_of_another_index_is_not_served_from_the_cache(
    index, pip_index: Callable[[str], None], tmp_path: Path, make_wheel
) -> None:
    """The same name and version may be another package elsewhere."""
    index.add("pkg", make_wheel())
    coordinate = parse_coordinate("pypi:pkg==1.0")
    first = open_tree(coordinate, cache=tmp_path / "cache")
    index.add("other/pkg", make_wheel(files={"pkg/__init__.py": b"other = True\n"}))
    page = index.folder / "simple/other/pkg/index.html"
    page.write_text(page.read_text().replace("../../files", "../../../files"))
    pip_index(index.url + "other/")
    second = open_tree(coordinate, cache=tmp_path / "cache")
    assert first.revision != second.revision
