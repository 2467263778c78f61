"""A package that needs gigabytes is proved by slice at once, not after a download."""

from __future__ import annotations

from pathlib import Path

from errdex.prove.environment import large_requirement


def _wheel(root: Path, *requirements: str) -> Path:
    folder = root / "kernels-1.dist-info"
    folder.mkdir()
    lines = [
        "Metadata-Version: 2.1",
        "Name: kernels",
        "Version: 1",
        *map("Requires-Dist: {}".format, requirements),
    ]
    (folder / "METADATA").write_text("\n".join(lines) + "\n")
    return root


def test_what_it_always_needs_is_named(tmp_path: Path) -> None:
    """The requirement that is too large is told as the wheel states it."""
    root = _wheel(tmp_path, "numpy", "torch==2.14.1")
    assert large_requirement(root, "kernels") == "torch==2.14.1"


def test_what_it_needs_elsewhere_or_only_on_request_does_not_count(tmp_path: Path) -> None:
    """An extra, or a requirement of another platform, hinders nothing."""
    root = _wheel(tmp_path, "torch; extra == 'gpu'", "jax; sys_platform == 'no-such-platform'")
    assert large_requirement(root, "kernels") is None
