"""Where a repository lives: `owner/name` and permanent links, from its URL."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urlsplit

import msgspec

_PERMALINKS = (
    (re.compile(r"github\."), "https://{host}/{path}/blob/{sha}/{{path}}#L{{start}}-L{{end}}"),
    (re.compile(r"gitlab\.|.*\.gitlab\."), "https://{host}/{path}/-/blob/{sha}/{{path}}#L{{start}}-{{end}}"),
    (re.compile(r"bitbucket\.org$"), "https://{host}/{path}/src/{sha}/{{path}}#lines-{{start}}:{{end}}"),
    (
        re.compile(r"(codeberg\.org|gitea\.|forgejo\.)"),
        "https://{host}/{path}/src/commit/{sha}/{{path}}#L{{start}}-L{{end}}",
    ),
    (re.compile(r"git\.sr\.ht$"), "https://{host}/{path}/tree/{sha}/item/{{path}}#L{{start}}"),
)
"""By the start of the host's name; each form as the host's own "permalink" button writes it (2026-11)."""
DEFAULT_HOST = "github.com"
"""Where a repository named by `--repo` alone is taken to live."""


class Remote(msgspec.Struct, frozen=True, kw_only=True):
    """A repository's URL, taken apart."""

    host: str
    """Lower case; empty for a path on this machine."""
    path: str
    """Below the host, without `.git`: `owner/name`, or longer where a host nests groups."""

    @property
    def repo(self) -> str | None:
        """`owner/name`, groups folded into the owner with `-`; None where there are not two parts."""
        parts = [re.sub(r"[^A-Za-z0-9_.-]", "-", part).lstrip("-.") for part in self.path.split("/") if part]
        if not self.host:
            parts = parts[-2:]
        if len(parts) < 2 or not all(parts):
            return None
        return f"{'-'.join(parts[:-1])}/{parts[-1]}"


def read_remote(url: str) -> Remote:
    """Take a URL apart: `https://host/owner/name.git`, `git@host:owner/name`, `file:///…` or a path."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", url):
        split = urlsplit(url)
        try:
            host = split.hostname or ""
        except ValueError:
            host = ""
        return Remote(host="" if split.scheme == "file" else host.lower(), path=_trim(unquote(split.path)))
    scp = re.fullmatch(r"(?:[^@/:]+@)?([^/:]{2,}):(?!//)(.+)", url)
    if scp:
        return Remote(host=scp[1].lower(), path=_trim(scp[2]))
    return Remote(host="", path=_trim(url.replace("\\", "/")))


def _trim(path: str) -> str:
    return path.strip("/").removesuffix(".git").removesuffix("/")


def permalink(remote: Remote | None, repo: str | None, sha: str) -> str | None:
    """Return the link to a file at a commit, with the fields `{path}`, `{start}`, `{end}`; None for unknown hosts.

    `repo` (owner/name) replaces the remote's own path; without a known remote it is on github.com.
    """
    host, path = (remote.host, remote.path) if remote is not None else ("", "")
    if repo is not None and repo != (remote.repo if remote is not None else None):
        path = repo
    if repo is not None and not host:
        host = DEFAULT_HOST
    if not host or "/" not in path:
        return None
    for pattern, form in _PERMALINKS:
        if pattern.match(host):
            return form.format(host=host, path=quote(path, safe="/~"), sha=sha)
    return None


def without_secrets(url: str) -> str:
    """Return `url` without the password or token it may carry."""
    return (
        re.sub(r"^([A-Za-z][A-Za-z0-9+.-]*://)[^@/]*@", r"\1", url)
        if not url.startswith("ssh:")
        else re.sub(r"^(ssh://[^@/:]*):[^@/]*@", r"\1@", url)
    )
