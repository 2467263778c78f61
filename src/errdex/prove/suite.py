"""The library's own tests: which of their expected errors may be a site's, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from errdex.model.site import ThrowSite
from errdex.prove.cases import Case, Place, TestFile

_MAX_FILES = 6
_MAX_PLACES = 32
_LEAST_WORDS = 10
"""Characters of a message's literal text below which a file is not looked for by it."""
_EXCEPTIONS = frozenset({"Exception", "BaseException"})
_WORD = re.compile(r"[^\W\d_]{3,}")


class Suite:
    """Test files of one package, read when they are asked for."""

    def __init__(self, texts: Mapping[Path, str], installed: Path, brought: Path | None) -> None:
        """Take the texts of the test files.

        Args:
            texts: Test files by path.
            installed: Folder of installed packages: what is there is imported, not copied.
            brought: Folder of the tests that are not installed, with their helpers.
        """
        self._texts = {path: text for path, text in texts.items() if "aises" in text}
        self._installed, self._brought = installed, brought
        self._files: dict[Path, TestFile | None] = {}

    def cases(self, site: ThrowSite) -> Iterator[Case]:
        """Yield the cases that may raise `site`, the likeliest first."""
        for place in self._places(site):
            yield from place.file.cases(place)

    def _places(self, site: ThrowSite) -> list[Place]:
        wanted = _Wanted(site)
        scored: list[tuple[int, int, Place]] = []
        for path in self._near(wanted):
            file = self._file(path)
            for place in file.places() if file is not None else ():
                score = wanted.score(place)
                if score > 0:
                    scored.append((-score, len(scored), place))
        return [place for _, _, place in sorted(scored, key=lambda each: each[:2])[:_MAX_PLACES]]

    def _near(self, wanted: _Wanted) -> list[Path]:
        """Return the files that speak of the site: by its words, by the callable's name, by the module's."""
        scores = {path: wanted.score_of_file(path, text) for path, text in self._texts.items()}
        likely = [path for path, score in scores.items() if score > 0]
        return sorted(likely, key=lambda path: (-scores[path], str(path)))[:_MAX_FILES]

    def _file(self, path: Path) -> TestFile | None:
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: Path) -> TestFile | None:
        package = None
        if path.is_relative_to(self._installed):
            package = ".".join(path.relative_to(self._installed).parent.parts)
        try:
            text = self._texts.get(path) or path.read_text(encoding="utf-8", errors="replace")
            return TestFile(path, text, package, self._find)
        except (OSError, SyntaxError, ValueError, RecursionError):
            return None

    def _find(self, module: str, user: Path) -> TestFile | None:
        """Return the file of a module that only the tests have; None for one that can be imported."""
        level = len(module) - len(module.lstrip("."))
        name = module[level:].replace(".", "/")
        if level:
            starts = [user.parents[level - 1]] if level <= len(user.parents) else []
        elif self._brought is None or self._is_installed(name.partition("/")[0]):
            return None
        else:
            starts = [each for each in user.parents if each.is_relative_to(self._brought)]
        for start in starts:
            for path in (start / f"{name}.py", start / name / "__init__.py"):
                if path.is_file() and self._is_of_tests(path):
                    return self._file(path)
        return None

    def _is_installed(self, name: str) -> bool:
        return (self._installed / name).is_dir() or (self._installed / f"{name}.py").is_file()

    def _is_of_tests(self, path: Path) -> bool:
        """Whether a file is the tests' own: what is installed is, where it says so in its path."""
        if not path.is_relative_to(self._installed):
            return True
        return "test" in str(path.relative_to(self._installed))


class _Wanted:
    """What is looked for on behalf of one site."""

    def __init__(self, site: ThrowSite) -> None:
        self.stem = Path(site.path).stem.strip("_")
        names = site.callable.name.split(".")
        dunder = names[-1].startswith("__")
        self.function = names[-2] if dunder and len(names) > 1 else names[-1]
        self.owner = names[-2] if len(names) > 1 else ""
        self.entries = {each.name.rpartition(".")[2] for each in site.entry_points}
        name = site.known_class
        self.error = name.rpartition(".")[2] if name else None
        self.is_own = site.error_class is not None and "." in site.error_class
        """Whether the class is the library's: few other errors are of it."""
        self.bases = {each.rpartition(".")[2] for each in site.bases} - _EXCEPTIONS
        literals = [part.strip() for each in site.templates for part in each.parts if isinstance(part, str)]
        self.literal = max(literals, key=len, default="")
        self.words = frozenset(word.lower() for each in literals for word in _WORD.findall(each))

    def score_of_file(self, path: Path, text: str) -> int:
        """Return how likely a file's tests raise the site; 0 for not at all."""
        score = 0
        if len(self.literal) >= _LEAST_WORDS and self.literal[:30] in text:
            score += 8
        if self.function in text:
            score += 3 + (self.owner in text if self.owner else 0)
        elif any(each in text for each in self.entries):
            score += 2
        if self.error is not None and self.error in text and (score or self.is_own):
            score += 2
        if score and self.stem in path.stem:
            score += 3
        return score

    def score(self, place: Place) -> int:
        """Return how likely a place's error is the site's; 0 for not at all."""
        expected = place.expected
        score = 0
        if self.error is not None and expected.classes:
            if self.error in expected.classes:
                score += 3
            elif self.bases & set(expected.classes):
                score += 1
            elif not _EXCEPTIONS & set(expected.classes):
                return 0
        said = [word.lower() for word in _WORD.findall(expected.words)]
        if said and self.words:
            share = sum(word in self.words for word in said) / len(said)
            if share < 0.3:
                return 0
            score += round(6 * share)
        score += 3 * (self.function in expected.names) + 2 * (self.owner in expected.names)
        score += bool(self.entries & expected.names)
        return score if score > 3 or (score == 3 and self.is_own) else 0
