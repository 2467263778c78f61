"""Which of a release's files is read: the same one on every machine."""

from __future__ import annotations

import random

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from errdex.sources.candidates import (
    Candidate,
    alternatives,
    choose_version,
    constraint_for,
    in_order,
    near_versions,
)


def offer(filename: str, version: str = "1.0", *, yanked: bool = False) -> Candidate:
    return Candidate(
        filename=filename, version=Version(version), url="", shown_url="", hashes={}, is_yanked=yanked
    )


ORDERED = [
    "torch-1.0-py3-none-any.whl",
    "torch-1.0-cp313-cp313-manylinux_2_28_x86_64.whl",
    "torch-1.0-cp39-cp39-manylinux1_x86_64.whl",
    "torch-1.0-cp313-cp313-manylinux_2_28_aarch64.whl",
    "torch-1.0-cp36-cp36m-linux_armv7l.whl",
    "torch-1.0-cp313-cp313-musllinux_1_2_x86_64.whl",
    "torch-1.0-cp313-cp313-macosx_10_13_x86_64.whl",
    "torch-1.0-cp313-none-macosx_11_0_arm64.whl",
    "torch-1.0-cp313-cp313-win_amd64.whl",
    "torch-1.0.tar.gz",
    "torch-1.0.zip",
    "torch-1.0.tar.bz2",
]
"""As they are preferred."""


@pytest.mark.parametrize("seed", range(5))
def test_the_order_does_not_depend_on_the_index(seed: int) -> None:
    """Pure wheels, Linux, other systems, source archives; within each the newest Python."""
    offered = [offer(name) for name in ORDERED]
    random.Random(seed).shuffle(offered)
    assert [candidate.filename for candidate in in_order(offered)] == ORDERED


def test_a_large_wheel_is_weighed_against_other_platforms() -> None:
    """One wheel of each platform, of the newest Python: GPU builds are ten times the size of the others."""
    weighed = [candidate.filename for candidate in alternatives([offer(name) for name in ORDERED[1:]])]
    assert weighed == [ORDERED[index] for index in (1, 3, 4, 5, 6, 7, 8)]


def test_versions_are_chosen_as_pip_chooses_them() -> None:
    """Stable before pre-releases, kept before yanked, within the constraints; a pinned one whatever it is."""
    offered = [
        offer("a-1.0.tar.gz"),
        offer("a-2.0.tar.gz", "2.0"),
        offer("a-3.0.tar.gz", "3.0", yanked=True),
        offer("a-4.0rc1.tar.gz", "4.0rc1"),
        offer("a-2.1+cpu-py3-none-any.whl", "2.1+cpu"),
    ]

    def chosen(wanted: str | None = None, *, pre: bool = False, allowed: str = "") -> str:
        return str(choose_version(offered, wanted, pre=pre, allowed=SpecifierSet(allowed)))

    assert chosen() == "2.1+cpu"
    assert chosen(pre=True) == "4.0rc1"
    assert chosen(allowed="<2") == "1.0"
    assert chosen(allowed=">2.5") == "4.0rc1"
    assert chosen(allowed="==3.*") == "3.0"
    assert chosen(allowed=">9") == "None"
    assert chosen("3.0") == "3.0"
    assert chosen("2.1") == "2.1+cpu"
    assert chosen("1") == "1.0"
    assert chosen("5") == "None"


def test_near_versions_are_those_around_it() -> None:
    """The neighbours first, then those written alike, then the newest."""
    known = [Version(text) for text in ("1.0", "1.9", "2.0", "2.1", "11.0")]
    assert near_versions("1.10", known)[:2] == ("1.9", "2.0")
    assert near_versions("99", known) == ("11.0",)
    assert near_versions("1.0", []) == ()


def test_constraint_files_are_read_line_by_line() -> None:
    """Markers are evaluated; options, URLs and comments are left aside."""
    lines = [
        "A.b<3 # why",
        "a-b>1; python_version >= '3'",
        "a_b==9; python_version < '3'",
        "-r x",
        "a-b @ https://x/y",
        "c==1",
        "",
    ]
    assert constraint_for("a-b", lines) == SpecifierSet("<3,>1")
    assert constraint_for("d", lines) == SpecifierSet()
