"""The verdict on a ranked trace, and the sentences that say why."""

from __future__ import annotations

from collections.abc import Sequence

from errdex.model.answer import Frame, Trace, TraceBlock, Verdict
from errdex.search.candidates import Candidate
from errdex.search.evidence import OTHER_FUNCTION
from errdex.search.index import Index
from errdex.search.interpreter import is_interpreter_error
from errdex.search.lineage import version_key
from errdex.search.names import library_parts, path_parts
from errdex.search.rank import Place
from errdex.search.versions import fits_version

EXACT = 0.93
LIKELY = 0.6


def verdict_of(best: Place) -> Verdict:
    """Return how sure the best place is.

    `exact` only where its line or its whole wording bears it out; never more than `ambiguous` where the trace's
    frames are of another package, of a version that the catalog does not have or in another function, nor where
    neither line nor words say which of a function's errors it was.
    """
    borne_out = best.best.is_inside or best.best.fit.kind in {"whole", "loose"}
    found = best.best
    doubtful = (
        found.era < -1.0
        or found.is_elsewhere
        or found.fit.kind == "none"
        or 0.0 < found.place <= OTHER_FUNCTION
    )
    if not found.is_inside and doubtful:
        return "ambiguous"
    if best.probability >= EXACT and borne_out:
        return "exact"
    return "likely" if best.probability >= LIKELY else "ambiguous"


_FIT_WORDS = {
    "whole": "the message is worded exactly so",
    "loose": "the message is worded so, but for line breaks or quotes",
    "inside": "the message contains its words",
    "cut": "the message, though cut, begins with its words",
}


def why(candidate: Candidate, error_class: str | None) -> str:
    """Return one sentence: which evidence speaks for a candidate."""
    words: list[str] = []
    frame = candidate.frame
    if candidate.is_inside and frame is not None:
        words.append(f"line {frame.line} of the trace lies in this statement")
    elif frame is not None:
        name = f" `{frame.function}`" if frame.function else ""
        words.append(f"the trace passes through its function{name}")
    if candidate.fit.kind in _FIT_WORDS:
        words.append(_FIT_WORDS[candidate.fit.kind])
    if error_class is not None and candidate.class_worth > 0:
        words.append(f"it raises `{error_class.rpartition('.')[2]}`")
    if candidate.code:
        words.append("it gives the same error code")
    text = ", ".join(words[:-1]) + (" and " if len(words) > 1 else "") + (words[-1] if words else "")
    return (text[:1].upper() + text[1:] or "Package and place fit") + "."


def reason(verdict: Verdict, shown: Sequence[Place], error_class: str | None) -> str:
    """Return one sentence for a person on an answer that has matches."""
    words = why(shown[0].best, error_class)
    if verdict == "exact":
        return words
    if verdict == "likely":
        return f"Probably this one: {words[:1].lower()}{words[1:]}"
    rivals = sum(place.probability > shown[0].probability / 3 for place in shown)
    if rivals > 1:
        return f"{rivals} places fit about equally well; the text does not say which one it was."
    return f"Perhaps this one, but the evidence is thin: {words[:1].lower()}{words[1:]}"


def reason_for_nothing(trace: Trace, index: Index | None) -> tuple[Verdict, str]:
    """Return the verdict and its sentence where no place fits."""
    block = trace.blocks[-1] if trace.blocks else None
    if block is None:
        return "no-match", "Nothing in this text reads like an error."
    for one in reversed(trace.blocks):
        if is_interpreter_error(one.error_class, one.message, trace.runtime):
            return "no-match", _interpreter_reason(one, trace.runtime)
    own = _own_code(trace)
    if own is not None:
        return "no-match", f"{_where(own)} is no library's code: what is there raises this itself."
    missing = missing_packages(trace, index)
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        return "unindexed", f"{' and '.join(missing)} {verb} not in the catalog."
    old = _missing_versions(trace, index)
    if old is not None:
        return "unindexed", old
    if index is None or not len(index):
        return "unindexed", "The catalog is empty: analyse the library first (`errdex analyze pypi:NAME`)."
    return "no-match", "No error of the catalog is worded like this or stands where the trace points."


def _interpreter_reason(block: TraceBlock, runtime: str) -> str:
    name = (block.error_class or "This").rpartition(".")[2]
    who = {"python": "Python itself", "node": "the JavaScript engine", "java": "the JVM"}.get(
        runtime, "the runtime itself"
    )
    words = f"{name} in these words is raised by {who}, by no library"
    frame = block.frames[-1] if block.frames else None
    if frame is None:
        return f"{words}."
    return f"{words}; {_where(frame)} {_INTERPRETER_DEEDS.get(name, 'is where it happened')}."


def _own_code(trace: Trace) -> Frame | None:
    """Return the last exception's innermost frame if it lies in no library, its file and line known."""
    frames = trace.blocks[-1].frames
    if not frames or frames[-1].line is None or not frames[-1].path.endswith((".py", ".pyw", ".pyx")):
        return None
    parts = path_parts(frames[-1].path)
    installed = library_parts(parts) is not None or any(
        part.startswith(("python3", "python2")) for part in parts
    )
    return None if installed or trace.runtime != "python" else frames[-1]


_INTERPRETER_DEEDS = {
    "NameError": "uses a name that is not bound there",
    "UnboundLocalError": "reads a local variable before it is assigned",
    "AttributeError": "asks for an attribute that the object does not have",
    "ModuleNotFoundError": "imports a module that is not installed here",
    "ImportError": "imports what is not there",
    "KeyError": "looks up a key that is not there",
    "IndexError": "reads past the end of a sequence",
    "TypeError": "uses a value in a way its type does not allow",
    "ZeroDivisionError": "divides by zero",
    "SyntaxError": "is not valid Python",
    "RecursionError": "is where the recursion ran out of stack",
}


def _where(frame: Frame) -> str:
    parts = path_parts(frame.path)
    path = "/".join(library_parts(parts) or parts[-1:]) or frame.path
    line = f":{frame.line}" if frame.line is not None else ""
    return f"{path}{line}"


def missing_packages(trace: Trace, index: Index | None) -> list[str]:
    """Return the top-level modules that the trace's innermost frames or class lie in and the index lacks."""
    missing: list[str] = []
    for block in reversed(trace.blocks):
        for frame in reversed(block.frames):
            below = library_parts(path_parts(frame.path))
            if below:
                root = below[0].removesuffix(".py")
                if index is None or not index.has_root(root):
                    missing.append(root)
                break
        module, dot, _ = (block.error_class or "").partition(".")
        if (
            dot
            and not block.frames
            and trace.runtime == "python"
            and (index is None or not index.has_root(module))
        ):
            missing.append(module)
    return list(dict.fromkeys(missing))


def _missing_versions(trace: Trace, index: Index | None) -> str | None:
    """Return a sentence on a version the trace states and the index lacks, though it has others of the package."""
    if index is None:
        return None
    for package, stated in trace.versions.items():
        known = [version for version in index.versions_of(package) if version is not None]
        if known and not any(fits_version(stated, version) for version in known):
            newest = sorted(known, key=version_key)[-3:]
            return f"{package} {stated} is not in the catalog, which has {', '.join(newest)}."
    return None
