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
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from errdex.errors import ProveError

_DONE = ".errdex-installed"
_INSTALL_S = 900
_DISTRIBUTIONS = {
    "PIL": "pillow", "cv2": "opencv-python-headless", "yaml": "pyyaml", "sklearn": "scikit-learn", "bs4": "beautifulsoup4",
    "dateutil": "python-dateutil", "OpenSSL": "pyopenssl", "jwt": "pyjwt", "nacl": "pynacl", "attr": "attrs",
    "google": "protobuf", "dns": "dnspython", "docx": "python-docx", "magic": "python-magic",
}  # fmt: skip
"""Distributions that are imported under another name; all others under their own."""
_TOO_LARGE = frozenset(
    {"torch", "tensorflow", "jax", "jaxlib", "pyspark", "torchvision", "torchaudio", "vllm"}
)
"""Gigabytes: their users' errors are proved by slice."""


def large_requirement(root: Path, package: str) -> str | None:
    """Return what a package of the unpacked wheel at `root` always needs and is too large to be fetched for proofs."""
    for found in distributions(path=[str(root)], name=package):
        for each in map(Requirement, found.requires or ()):
            is_needed = each.marker is None or each.marker.evaluate({"extra": ""})
            if is_needed and canonicalize_name(each.name) in _TOO_LARGE:
                return str(each)
    return None


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
    return _install_into(fresh, folder, requirement, dependencies=dependencies)


def with_optional(environment: Environment, package: str, module: str) -> Environment | None:
    """Return a copy of an environment that also has what `package` needs for `module`, where it names it as optional.

    None where it does not, where it is too large to be fetched for one proof, or where no wheel is to be had.
    """
    wanted = canonicalize_name(_DISTRIBUTIONS.get(module.partition(".")[0], module.partition(".")[0]))
    requirement = next(
        (
            each
            for found in distributions(path=[str(environment.folder)], name=package)
            for each in map(Requirement, found.requires or ())
            if canonicalize_name(each.name) == wanted
        ),
        None,
    )
    if requirement is None or wanted in _TOO_LARGE:
        return None
    folder = environment.folder.with_name(f"{environment.folder.name}+{wanted}")
    if (folder / _DONE).is_file():
        return _read(folder)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".installing-"))
    shutil.copytree(environment.folder, fresh, copy_function=os.link, dirs_exist_ok=True)
    (fresh / _DONE).unlink()
    try:
        return _install_into(fresh, folder, f"{requirement.name}{requirement.specifier}", dependencies=True)
    except InstallError:
        return None


def _install_into(fresh: Path, folder: Path, requirement: str, *, dependencies: bool) -> Environment:
    """Let pip unpack into `fresh`, then give it its name; what stands there already is left alone."""
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
