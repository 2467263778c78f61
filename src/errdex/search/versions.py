"""Package versions that a text betrays: in paths, egg names, pins, headers, and in URLs of messages."""

from __future__ import annotations

import re

from errdex.search.names import distribution_name

_VERSION = r"(?P<version>\d{1,4}(?:\.\d{1,6}){1,4}(?:\.?(?:a|b|rc|post|dev)\d{0,4})?)"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"[/\\](?P<name>[A-Za-z][\w.]{{0,60}})-{_VERSION}(?:-py\d[\w.-]{{0,30}})?(?:\.egg|\.dist-info|\.whl|\.zip|[/\\])",
        rf"(?<![\w/.-])(?<!install )(?<!install \")(?<!install ')(?P<name>[A-Za-z][\w.-]{{0,60}}(?:\[[\w,-]{{1,60}}\])?)==={{0,1}}{_VERSION}",
        rf"(?<![\w/.-])(?P<name>[a-zA-Z][\w-]{{1,40}})-{_VERSION}(?=,|\s|$)",
        rf"/pkg/mod/(?P<name>[\w./-]{{1,200}})@v{_VERSION}",
        rf"SSH-2\.0-(?P<name>[a-z]\w{{1,40}})_{_VERSION}",
        rf"errors\.(?P<name>pydantic)\.dev/{_VERSION}",
        rf"python-(?P<name>requests)/{_VERSION}",
        rf"(?P<name>[A-Z][A-Za-z]{{1,30}}) Version:? {_VERSION}",
        rf"(?m)^[ \t]*+(?P<name>[A-Za-z][\w.-]{{1,40}}) (?:version|Version)?:? ?v?{_VERSION}[ \t]*$",
    )
)
_SQLALCHEMY = re.compile(r"sqlalche\.me/e/(\d)(\d)/|docs\.sqlalchemy\.org/en/(\d)(\d)/")
_MAYBE = re.compile(
    r"-\d|==|@v|errors\.pydantic|ersion|sqlalche|docs\.sqla|-requests/|paramiko_|[a-z] v?\d+\.\d\S*[ \t]*$",
    re.MULTILINE,
)
"""What at least one of the patterns needs: most texts betray nothing, and this says so at once."""
_NO_PACKAGES = frozenset({"python", "platform", "linux"})
MOST_CHARACTERS = 60_000


def versions_in(text: str) -> dict[str, str]:
    """Return package to version, by normal name, as `text` betrays them; the first mention wins."""
    text = text[:MOST_CHARACTERS]
    if _MAYBE.search(text) is None:
        return {}
    versions: dict[str, str] = {}
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            name = distribution_name(found["name"].partition("[")[0])
            if name not in _NO_PACKAGES:
                versions.setdefault(name, found["version"])
    series = _SQLALCHEMY.search(text)
    if series is not None:
        digits = [digit for digit in series.groups() if digit]
        versions.setdefault("sqlalchemy", ".".join(digits))
    return versions


def fits_version(stated: str, version: str | None) -> bool:
    """Return whether `version` is the stated one, or of the stated series (`2.10` covers `2.10.6`)."""
    return version is not None and (version == stated or version.startswith(f"{stated}."))
