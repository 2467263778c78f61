"""Throw-away environments: a package and what it needs, wheels only, in a folder of its own. Never in ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import distributions
from pathlib import Path

import msgspec

from errdex.errors import ProveError

_DONE = ".errdex-installed"
_INSTALL_S = 900


class InstallError(ProveError):
    """A package or something it needs has no wheel that pip can install here."""

    slug = "not-installable"

    def __init__(self, requirement: str, detail: str) -> None:
        super().__init__(requirement, detail)
        self.requirement, self.detail = requirement, detail
        self.problem = f"{requirement} cannot be installed here from wheels: {detail}."
        self.hint = "Its errors can still be proved by slice, one function at a time."


class Environment(msgspec.Struct, frozen=True):
    """A folder of installed packages."""

    folder: Path
    installed: tuple[str, ...]
    """`name==version`, sorted."""

    @property
    def has_numpy(self) -> bool:
        """Whether arrays can be made of the real thing."""
        return any(each.startswith("numpy==") for each in self.installed)


def install(requirement: str, cache: Path, *, dependencies: bool = True) -> Environment:
    """Return the environment of a requirement (`requests==2.32.3`, or a wheel's path), installed if it is not yet.

    Nothing of the package runs: pip unpacks wheels. Two processes may install at the
    same time; one folder wins.

    Raises:
        InstallError: pip found no wheel, or could not reach its index.
    """
    tag = f"{Path(requirement).name}-{sysconfig.get_config_var('py_version_nodot')}"
    folder = cache / "prove" / (tag if dependencies else f"{tag}-alone")
    if (folder / _DONE).is_file():
        return _read(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".installing-"))
    command = [
        sys.executable, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
        "--only-binary", ":all:", "--target", str(fresh),
        *([] if dependencies else ["--no-deps"]), requirement,
    ]  # fmt: skip
    variables = {name: value for name, value in os.environ.items() if name != "PIP_TARGET"}
    try:
        done = subprocess.run(command, capture_output=True, env=variables, timeout=_INSTALL_S, check=False)
    except subprocess.TimeoutExpired:
        shutil.rmtree(fresh, ignore_errors=True)
        raise InstallError(requirement, "pip did not finish") from None
    if done.returncode != 0:
        shutil.rmtree(fresh, ignore_errors=True)
        raise InstallError(requirement, _last_error(done.stderr))
    (fresh / _DONE).touch()
    fresh.chmod(0o755)
    try:
        fresh.rename(folder)
    except OSError:  # another process was faster
        shutil.rmtree(fresh, ignore_errors=True)
    return _read(folder)


def _read(folder: Path) -> Environment:
    found = {f"{each.name}=={each.version}" for each in distributions(path=[str(folder)])}
    return Environment(folder, tuple(sorted(found, key=str.lower)))


def _last_error(stderr: bytes) -> str:
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.startswith("ERROR")]
    return lines[-1].removeprefix("ERROR:").strip()[:300] if lines else "pip failed"
