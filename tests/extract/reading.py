"""What tests of extraction share: trees made of folders, and the expectations written in fixtures."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from errdex.model.site import MessageTemplate, ThrowSite
from errdex.model.source import Coordinate, SourceFile, SourceTree
from errdex.pipeline import Analysis, analyze

FIXTURES = Path(__file__).parent.parent / "fixtures"


def tree_of(root: Path) -> SourceTree:
    """Return a folder's Python files as a tree; blobs are the files' own bytes, shortened."""
    files = tuple(
        SourceFile(
            path=path.relative_to(root).as_posix(),
            size_bytes=path.stat().st_size,
            blob=hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest(),
        )
        for path in sorted(root.rglob("*.py"))
    )
    return SourceTree(
        coordinate=Coordinate(kind="local", name=str(root)),
        root=root,
        repo="local/tree",
        package=root.name,
        version=None,
        revision="0" * 40,
        permalink=None,
        files=files,
    )


def analysis_of(root: Path) -> Analysis:
    """Analyse a folder in this process."""
    return analyze(tree_of(root))


def analysis_of_text(folder: Path, text: str, name: str = "module.py") -> Analysis:
    """Analyse one file's text."""
    (folder / name).write_text(text, encoding="utf-8")
    return analysis_of(folder)


def expectations(path: Path) -> dict[int, tuple[str | None, list[str] | None]]:
    """Return by line what a fixture says of the statement there: class and templates; None for `no-throw`."""
    found: dict[int, tuple[str | None, list[str] | None]] = {}
    error_class: str | None = None
    templates: list[str] = []
    said = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if text == "# no-throw":
            found[number + 1] = (None, None)
        elif match := re.match(r"# throws: (\S+)(?: (.*))?$", text):
            error_class, said = match[1], True
            if match[2] and match[2].startswith('"') and "+" not in match[2]:
                templates.append(match[2][1:-1].replace('\\"', '"'))
        elif text.startswith("# template: "):
            templates.append(text.removeprefix("# template: ").replace("\\n", "\n"))
            said = True
        elif said:
            found[number] = (error_class, templates)
            error_class, templates, said = None, [], False
    return found


def fits(template: MessageTemplate, message: str) -> bool:
    """Whether a message is one that the template renders."""
    pattern = "".join(re.escape(part) if isinstance(part, str) else "(.*?)" for part in template.parts)
    return re.fullmatch(pattern, message, re.DOTALL) is not None


def by_line(sites: tuple[ThrowSite, ...], path: str) -> dict[int, ThrowSite]:
    """Return a file's sites by line."""
    return {site.line: site for site in sites if site.path == path}
