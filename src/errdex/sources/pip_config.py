"""Where pip would look for packages on this machine, as pip itself says it.

Read through pip's public command `pip config list`; where this interpreter has no pip,
the one on PATH; where there is none, pip's environment variables alone. What only bears
on installing (`no-binary`, `only-binary`, `target`, …) is left aside: nothing is installed.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

SECTIONS = ("global", "install", "download", ":env:")
"""Later ones win, as for `pip download`; `install` is where most people write their index."""
_COMMAND_TIMEOUT_S = 60


class PipConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The part of pip's configuration that says where packages come from."""

    index_url: str | None = None
    """None asks the public index, whose address the index library knows."""
    extra_index_urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    no_index: bool = False
    cert: str | None = None
    client_cert: str | None = None
    proxy: str | None = None
    trusted_hosts: tuple[str, ...] = ()
    timeout_s: float = 15
    """Pip's own default."""
    pre: bool = False
    constraints: tuple[str, ...] = ()
    """Constraint files (paths or URLs)."""


def read_pip_config() -> PipConfig:
    """Ask pip for its configuration.

    `PIP_CONFIG_FILE=/dev/null` is pip's own way to say "no files": then there is nothing to ask.
    """
    if os.environ.get("PIP_CONFIG_FILE") == os.devnull:
        return interpret(_environment())
    return interpret(_listed() or _environment())


def interpret(values: dict[str, str]) -> PipConfig:
    """Return the configuration that `section.option` values stand for."""
    merged: dict[str, str] = {}
    for section in SECTIONS:
        for key, value in values.items():
            if key.startswith(section + "."):
                merged[key[len(section) + 1 :].replace("_", "-")] = value

    def words(option: str) -> tuple[str, ...]:
        return tuple(merged.get(option, "").split())

    return PipConfig(
        index_url=merged.get("index-url") or merged.get("pypi-url") or None,
        extra_index_urls=words("extra-index-url"),
        find_links=words("find-links"),
        no_index=_is_true(merged.get("no-index", "")),
        cert=merged.get("cert") or None,
        client_cert=merged.get("client-cert") or None,
        proxy=merged.get("proxy") or None,
        trusted_hosts=words("trusted-host"),
        timeout_s=_seconds(merged.get("timeout") or merged.get("default-timeout") or ""),
        pre=_is_true(merged.get("pre", "")),
        constraints=words("constraint"),
    )


def fingerprint() -> str:
    """Return 16 hex digits that change when pip's configuration may have: its variables and its files.

    Costs no process. The files are those of pip's documentation ("Configuration files, location").
    """
    digest = hashlib.sha256()
    for name, value in sorted(os.environ.items()):
        if name.startswith("PIP_"):
            digest.update(f"{name}\0{value}\0".encode("utf-8", "surrogateescape"))
    for path in _config_files():
        try:
            digest.update(path.read_bytes() + b"\0")
        except OSError:
            digest.update(b"-\0")
    return digest.hexdigest()[:16]


def _config_files() -> list[Path]:
    home = Path.home()
    name = "pip.ini" if os.name == "nt" else "pip.conf"
    folders = [
        Path(folder) / "pip" for folder in os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":") if folder
    ]
    folders += [Path("/etc"), Path("/Library/Application Support/pip"), home / ".pip", home / "pip"]
    folders += [Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "pip"]
    folders += [home / "Library/Application Support/pip", Path(sys.prefix)]
    folders += [
        Path(os.environ[variable]) / "pip"
        for variable in ("APPDATA", "PROGRAMDATA")
        if variable in os.environ
    ]
    named = os.environ.get("PIP_CONFIG_FILE")
    return [folder / name for folder in folders] + ([Path(named)] if named else [])


def _listed() -> dict[str, str] | None:
    """Return what `pip config list` prints, or None where there is no pip to ask."""
    programs = [[sys.executable, "-m", "pip"]] if sys.executable else []
    programs += [[found] for found in (shutil.which("pip"), shutil.which("pip3")) if found]
    for program in programs:
        try:
            run = subprocess.run(
                [*program, "config", "list"],
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=_COMMAND_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if run.returncode == 0:
            return parse_listing(run.stdout)
    return None


def parse_listing(text: str) -> dict[str, str]:
    """Read the lines `section.option='value'` that `pip config list` prints (values are Python literals)."""
    values = {}
    for line in text.splitlines():
        key, equals, literal = line.partition("=")
        if not equals:
            continue
        try:
            value = ast.literal_eval(literal)
        except (ValueError, SyntaxError):
            continue
        if isinstance(value, str):
            values[key.strip()] = value
    return values


def _environment() -> dict[str, str]:
    return {
        ":env:." + name[4:].lower().replace("_", "-"): value
        for name, value in os.environ.items()
        if name.startswith("PIP_")
    }


def _is_true(value: str) -> bool:
    return value.strip().lower() in {"1", "true", "yes", "y", "t", "on"}


def _seconds(value: str) -> float:
    try:
        return max(1.0, float(value))
    except ValueError:
        return PipConfig().timeout_s
