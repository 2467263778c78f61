"""Git's own program, called so that a hostile repository or URL can do nothing but be read.

No hooks, no `ext::` transport, no prompts, no file system monitor, no submodules, no
optional locks; the user's own configuration (proxies, credentials, `insteadOf`) stays in force.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PROTOCOLS = "https:http:ssh:git:file"
_HARDENING = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.symlinks=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.pager=cat"),
    *("-c", "protocol.ext.allow=never"),
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "submodule.recurse=false"),
    *("-c", "fetch.recurseSubmodules=false"),
    *("-c", "diff.external="),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "advice.detachedHead=false"),
    *("-c", "http.lowSpeedLimit=1000"),
    *("-c", "http.lowSpeedTime=60"),
)
_PASSED_ON = (
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_PROXY_SSL_CAINFO",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
)
"""The only `GIT_` variables that reach git: `GIT_DIR` and its kind would point it elsewhere."""


class GitFailedError(Exception):
    """Git answered with an error: args are its exit code and what it said."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(code, said)
        self.code, self.said = code, said


def git(folder: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    """Run git in `folder` and return what it printed.

    Raises:
        GitFailedError: It failed, or there is no git.
    """
    program = shutil.which("git")
    if program is None:
        raise GitFailedError(127, "git is not installed")
    run = subprocess.run(
        [program, *_HARDENING, *arguments],
        cwd=folder,
        env=environment(),
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=False,
    )
    if run.returncode != 0:
        raise GitFailedError(run.returncode, _said(run.stderr))
    return run.stdout


def environment() -> dict[str, str]:
    """Return the environment git runs in."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _PASSED_ON
    }
    return kept | {
        "GIT_ALLOW_PROTOCOL": PROTOCOLS,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
        "LC_ALL": "C",
    }


def _said(stderr: bytes) -> str:
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    text = telling[0] if telling else "it said nothing"
    return (text.partition(": ")[2] or text).rstrip(".")
