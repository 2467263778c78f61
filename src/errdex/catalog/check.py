"""`errdex check`: walks every record and says what in it is not so.

Each check is one small function that yields what is wrong with one record, in words. None
only warns. What the checks need beyond the record (sources, the other records of the
repository) comes in `Repository`.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from urllib.parse import quote

import msgspec

from errdex.catalog.rows import StoredRecord
from errdex.explain import Context
from errdex.explain.facts import Facts
from errdex.explain.interface import claims, families, strongest
from errdex.model.explanation import Sentence
from errdex.model.record import CONTEXT_LINES, Record, record_id, record_slug, wire_text
from errdex.model.site import MAX_PATTERN_CHARACTERS, Hole, MessageTemplate
from errdex.pipeline.lines import decode_lines
from errdex.syntax import code_block
from errdex.syntax.code_block import Names

SourceReader = Callable[[str, str, str], str | None]
"""Text of a file by repository, revision and path; None where the catalog does not have it."""
KEYS = tuple(field.encode_name for field in msgspec.structs.fields(Record))
"""The contract's 31 keys, in its order."""
SPOKEN = ("documentation", "triggerScenarios", "commonSituations", "solutions", "preventionTips")
CODED = ("exampleFix", "validationCode", "typeGuard", "tryCatchPattern")


class Problem(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One thing in one record that is not so."""

    record_id: str
    repo: str
    slug: str
    check: str
    """The check's name: the function that found it."""
    detail: str


class Repository:
    """What the checks of one repository's records share."""

    def __init__(self, records: Sequence[StoredRecord], source: SourceReader) -> None:
        self.records = records
        self.slugs = {stored.record.id: stored.record.slug for stored in records}
        first = records[0].record
        self.source: Callable[[str], str | None] = cache(
            lambda path: source(first.repo, first.analyzed_sha, path)
        )
        self.names = Names((site for stored in records for site in stored.evidence.sites), self.source)

    def has_line(self, path: str, line: int) -> bool:
        """Whether the file has that line; true where the catalog does not hold the file, for nothing can be said."""
        return self.source(path) is None or 0 < line <= len(self.lines(path))

    @cache  # noqa: B019  # lives as long as one run of the check
    def lines(self, path: str) -> Sequence[str]:
        """Return the lines of a file, as the analysis counts them; empty where the source is not there."""
        return decode_lines((self.source(path) or "").encode("utf-8", "replace"))


def check_records(stored: Iterable[StoredRecord], source: SourceReader) -> Iterator[Problem]:
    """Yield everything that is wrong with the records, repository by repository."""
    by_repo: dict[str, list[StoredRecord]] = defaultdict(list)
    for one in stored:
        by_repo[one.record.repo].append(one)
    for records in by_repo.values():
        repository = Repository(records, source)
        for one in records:
            for check in CHECKS:
                for detail in check(one, repository):
                    record = one.record
                    yield Problem(
                        record_id=record.id,
                        repo=record.repo,
                        slug=record.slug,
                        check=check.__name__,
                        detail=detail,
                    )


_TAG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def schema(stored: StoredRecord, _: Repository) -> Iterator[str]:
    """31 keys in order, of their types; texts not empty; tags kebab-case; revision, time and lines well-formed."""
    record = stored.record
    data = msgspec.json.decode(msgspec.json.encode(record))
    if tuple(data) != KEYS:
        yield "its keys are not the contract's"
    try:
        msgspec.convert(data, Record)
    except msgspec.ValidationError as error:
        yield f"a value has the wrong type: {error}"
    for key in ("errorMessage", "documentation", "triggerScenarios", "commonSituations", "githubUrl"):
        if not str(data[key]).strip():
            yield f"{key} is empty"
    for key in ("solutions", "preventionTips"):
        if any(not item.strip() for item in data[key]):
            yield f"{key} holds an empty text"
    if not data["solutions"]:
        yield "there is no solution"
    for tag in [*record.tags, *([record.background_tag] if record.background_tag else [])]:
        if not _TAG.fullmatch(tag):
            yield f"the tag {tag!r} is not kebab-case"
    if not re.fullmatch(r"[0-9a-f]{40}", record.analyzed_sha) or not _INSTANT.fullmatch(record.analyzed_at):
        yield "revision or time is malformed"


def identity(stored: StoredRecord, _: Repository) -> Iterator[str]:
    """The id is the contract's hash, and the slug comes from the code or message."""
    record = stored.record
    key = record.error_code or record.error_message
    if record.id != record_id(record.repo, key, record.file_path):
        yield "its id is not the hash of repository, message and file"
    base = record_slug(key)
    if record.slug != base and not record.slug.startswith((f"{base}-", record.id)):
        yield f"its slug does not come from its message ({base})"


def source_lines(stored: StoredRecord, repository: Repository) -> Iterator[str]:
    """The lines shown are the file's lines around the raising statement, and the link names them."""
    record = stored.record
    start, end = record.source_code_start, record.source_code_end
    if not (start <= record.line_number <= end <= start + 2 * CONTEXT_LINES):
        yield "the lines shown do not surround the raising line"
    if f"#L{start}-L{end}" not in record.github_url:
        yield "the link does not name the lines shown"
    lines = repository.lines(record.file_path)
    if lines and len(record.source_code.split("\n")) != end - start + 1:
        yield "the number of lines shown is not the number said"


def sentences(stored: StoredRecord, _: Repository) -> Iterator[str]:
    """Every text is made of sentences, each with where it comes from."""
    record = msgspec.to_builtins(stored.record)
    for key in SPOKEN:
        found = stored.evidence.sentences.get(key, ())
        texts = [wire_text(sentence.text) for sentence in found]
        if record[key] != (texts if isinstance(record[key], list) else " ".join(texts)):
            yield f"{key} says more or less than its sentences"
        for sentence in found:
            where = sentence.provenance
            if where.kind in {"source", "docs", "tests"} and not (
                (where.path and where.line) or where.detail
            ):
                yield f"{key}: a sentence names no place: {sentence.text}"
            if where.kind in {"family", "model", "run"} and not where.detail:
                yield f"{key}: a sentence does not say which {where.kind}: {sentence.text}"


_CODE_SPAN = re.compile(r"``.+?``|`[^`]*`|“[^”]*”", re.DOTALL)


def slots(stored: StoredRecord, _: Repository) -> Iterator[str]:
    """No slot of a template is left in a sentence, no code span is empty or open, no word is doubled by a join."""
    for key in SPOKEN:
        for sentence in stored.evidence.sentences.get(key, ()):
            plain = _CODE_SPAN.sub("X", sentence.text)
            if re.search(r"\{[a-z_]*\}", plain):
                yield f"{key}: a slot is left: {sentence.text}"
            if "``" in plain or "`" in plain or re.search(r"(?<!`)``(?!`)\s*``", sentence.text):
                yield f"{key}: a code span is open or empty: {sentence.text}"
            if (
                "  " in plain.strip()
                or not sentence.text.strip()
                or re.search(r" \.(\s|$)", plain)
                or re.search(r"\b(when|while|so that)\s*\.?$", plain)
            ):
                yield f"{key}: a sentence is broken: {sentence.text}"


def repetition(stored: StoredRecord, _: Repository) -> Iterator[str]:
    """No sentence merely repeats the message as its own explanation."""
    message = _bare(stored.record.error_message)
    if len(message) < 12:
        return
    for key in SPOKEN:
        for sentence in stored.evidence.sentences.get(key, ()):
            if _bare(sentence.text) == message:
                yield f"{key} repeats the message: {sentence.text}"


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


FILLINGS = ("zqx", "47", "Zw Qy\nxz", "[zq, 'xw']")
"""What holes are filled with: texts that no message of a library holds."""


def pattern(stored: StoredRecord, _: Repository) -> Iterator[str]:
    """The pattern is short enough, compiles, and finds every message that the template renders."""
    record = stored.record
    if len(record.message_pattern) > MAX_PATTERN_CHARACTERS:
        yield "the pattern is longer than 500 characters"
    try:
        compiled = re.compile(record.message_pattern, re.DOTALL)
    except re.error as error:
        yield f"the pattern does not compile: {error}"
        return
    template = _template(stored)
    if template is None or not template.is_matchable or len(record.message_pattern) == MAX_PATTERN_CHARACTERS:
        return
    for filling in FILLINGS:
        if compiled.search(render(template, filling)) is None:
            yield f"the pattern does not find its own message: {render(template, filling)!r}"


def foreign_matches(stored: StoredRecord, repository: Repository) -> Iterator[str]:
    """The pattern finds no other message of the package that lacks its literal words."""
    template = _template(stored)
    if template is None or not template.is_matchable:
        return
    try:
        compiled = re.compile(stored.record.message_pattern, re.DOTALL)
    except re.error:
        return
    literals = [part for part in template.parts if isinstance(part, str)]
    chosen = random.Random(stored.record.id).sample(repository.records, min(8, len(repository.records)))  # noqa: S311
    for other in chosen:
        foreign = _template(other)
        if foreign is None or other is stored:
            continue
        message = render(foreign, FILLINGS[0])
        if compiled.search(message) and not _in_order(literals, message):
            yield f"the pattern finds another message: {message!r}"


def _in_order(literals: Sequence[str], message: str) -> bool:
    at = 0
    for literal in literals:
        at = message.find(literal, at)
        if at < 0:
            return False
        at += len(literal)
    return True


def _template(stored: StoredRecord) -> MessageTemplate | None:
    """Return the wording that the record is about."""
    for site in stored.evidence.sites:
        for template in site.templates:
            if wire_text(template.text) == stored.evidence.template:
                return template
    return None


def render(template: MessageTemplate, filling: str) -> str:
    """Return the message that `template` makes when every hole holds `filling`."""
    return "".join(filling if isinstance(part, Hole) else part for part in template.parts)


def code(stored: StoredRecord, repository: Repository) -> Iterator[str]:
    """Every block parses, its names exist, and its calls bind."""
    record = msgspec.to_builtins(stored.record)
    for key in CODED:
        text = record[key]
        if text is None:
            continue
        if key not in stored.evidence.code:
            yield f"{key} has no provenance"
        broken = list(code_block.parsing(text))
        if not broken:
            site_text = repository.source(stored.record.file_path) or ""
            broken += code_block.names(text, repository.names, site_text)
            broken += code_block.binding(text, repository.names, stored.evidence.sites[0].callable)
        for detail in broken:
            yield f"{key} {detail}"


def family(stored: StoredRecord, repository: Repository) -> Iterator[str]:
    """At most one family claims the site; it is the record's, and it has a page."""
    record = stored.record
    if record.background_tag is not None and record.background_tag not in families():
        yield f"there is no family {record.background_tag}"
    if not repository.source(record.file_path):
        return
    evidence = stored.evidence
    context = Context(
        package=evidence.package, version=evidence.version, repo=record.repo, source_lines=repository.lines
    )
    winners = strongest(claims(Facts(evidence.sites[0], _template(stored), context)))
    if len(winners) > 1:
        yield f"several families claim it alike: {', '.join(winners)}"
    elif record.background_tag != (winners[0] if winners else None):
        yield f"its family is {record.background_tag}, claimed by {winners[0] if winners else None}"


def links(stored: StoredRecord, repository: Repository) -> Iterator[str]:
    """Every link leads somewhere: related records, the family's page, the lines of the permalink, each sentence's place.

    Addresses on other hosts are not visited: their form is checked, and that they name the analysed file and revision.
    """
    record, evidence = stored.record, stored.evidence
    for related in evidence.related:
        if repository.slugs.get(related.id) != related.slug or related.id == record.id:
            yield f"the related error {related.id} ({related.slug}) is not there"
    yield from _permalink(record, repository)
    known = families().get(record.background_tag or "")
    if known is not None and not all(map(_ADDRESS.fullmatch, known.page.sections["Source"])):
        yield f"the page of the family {known.slug} names no address as its source"
    for key in SPOKEN:
        for sentence in evidence.sentences.get(key, ()):
            yield from _place(sentence, key, repository)
    for entry in evidence.sites[0].entry_points:
        if not repository.has_line(entry.path, entry.line):
            yield f"the entry point {entry.name} is not at {entry.path}:{entry.line}"


_ADDRESS = re.compile(r"https://[\w.-]+(:\d+)?(/\S*)?")


def _permalink(record: Record, repository: Repository) -> Iterator[str]:
    address, _, fragment = record.github_url.partition("#")
    if record.github_url.startswith("/"):
        if address != f"/source/{record.repo}/{record.analyzed_sha}/{quote(record.file_path)}":
            yield f"the link leads to no page of ours: {record.github_url}"
    elif not _ADDRESS.fullmatch(address) or not address.endswith("/" + quote(record.file_path)):
        yield f"the link does not lead to {record.file_path}: {record.github_url}"
    lines = re.fullmatch(r"L(\d+)-L(\d+)", fragment)
    if lines is None or not all(
        repository.has_line(record.file_path, int(number)) for number in lines.groups()
    ):
        yield f"the link names lines that {record.file_path} does not have: #{fragment}"


def _place(sentence: Sentence, key: str, repository: Repository) -> Iterator[str]:
    """A quoted place of the analysed tree is there; the library's tests need not be part of it."""
    where = sentence.provenance
    if where.kind not in {"source", "docs"} or where.path is None or where.line is None:
        return
    if not all(repository.has_line(where.path, line) for line in (where.line, where.end_line or where.line)):
        yield f"{key}: there is no {where.path}:{where.line}, which is to bear out: {sentence.text}"


CHECKS: tuple[Callable[[StoredRecord, Repository], Iterator[str]], ...] = (
    schema, identity, source_lines, sentences, slots, repetition, pattern, foreign_matches, code, family, links,
)  # fmt: skip
"""Every check, in the order they are reported."""
