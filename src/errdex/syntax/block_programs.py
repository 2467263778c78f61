"""Programs that hold a record's code blocks against its proof: what must reject the witness, and accept the fix."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping

import msgspec

from errdex.model.record import Proof, Run

_WRONG = "errdex_wrong_outcome"
_CAUGHT = "errdex_caught"
"""Names of a pattern's classes: the witness may import others under the same names."""
FIX_FAULT = "raises the error that it is to fix, or fails by itself"


class BlockProgram(msgspec.Struct, frozen=True):
    """One program; that it ends with an error is the block's fault."""

    key: str
    """The record's key of the block."""
    fault: str
    """What it means if the program raises: `does not reject the witness`."""
    program: str


def block_programs(proof: Proof, code: Mapping[str, str]) -> Iterator[BlockProgram]:
    """Yield what is to be run for the blocks in `code`, by key; none for a block that cannot be called so.

    A validation must raise for the witness and not for the fix; a type guard must be false for the witness and
    true for the fix; an `except` clause must catch what the witness raises. Of an example fix's two functions
    `before` must raise what the witness raises, with its arguments, and `after` must not.
    """
    yield from _example(code.get("exampleFix"), proof.witness)
    for run, is_witness in ((proof.witness, True), (proof.fix, False)):
        if run is None:
            continue
        whose = "the witness" if is_witness else "the fix"
        if call := _call(code.get("validationCode"), run):
            wanted = f"{'does not reject' if is_witness else 'rejects'} {whose}"
            yield BlockProgram("validationCode", wanted, _expecting(call, raises=is_witness))
        if call := _call(code.get("typeGuard"), run):
            wanted = f"{'accepts' if is_witness else 'does not accept'} {whose}"
            setup, _, expression = call.rpartition("\n")
            negation = "" if is_witness else "not "
            yield BlockProgram(
                "typeGuard",
                wanted,
                f"{setup}\nif {negation}({expression}):\n    raise AssertionError({_WRONG!r})\n",
            )
    if caught := _caught(code.get("tryCatchPattern"), proof.witness):
        yield BlockProgram("tryCatchPattern", "does not catch what the witness raises", caught)


def _example(code: str | None, witness: Run) -> Iterator[BlockProgram]:
    error = (
        f"except Exception as error:\n    if type(error).__name__ != {_raised(witness)!r}:\n        raise\n"
    )
    if call := _call(code, witness, "before"):
        program = _tried(call, error + f"else:\n    raise AssertionError({_WRONG!r})\n")
        yield BlockProgram("exampleFix", "does not show the error", program)
    if call := _call(code, witness, "after"):
        yield BlockProgram("exampleFix", FIX_FAULT, call)


def _raised(witness: Run) -> str:
    """Return the class, without its module, that the witness's report ends with."""
    head = "Traceback (most recent call last):"
    report = witness.output.rpartition(head)[2].lstrip("\n")
    last = next((line for line in report.splitlines() if line and not line.startswith(" ")), "")
    return last.partition(":")[0].rpartition(".")[2]


def _call(code: str | None, run: Run, name: str | None = None) -> str | None:
    """Return a program whose last line calls a function of `code` (its only one if not named) with the run's arguments."""
    if not code:
        return None
    try:
        functions = [each for each in ast.parse(code).body if isinstance(each, ast.FunctionDef)]
    except SyntaxError:
        return None
    if name is not None:
        functions = [each for each in functions if each.name == name]
    if len(functions) != 1:
        return None
    names = [each.arg for each in (*functions[0].args.posonlyargs, *functions[0].args.args)]
    arguments = dict(run.arguments)
    if names and names[0] not in arguments and run.receiver:  # a method's block takes the instance first
        arguments[names[0]] = run.receiver
    if (not names and name is None) or any(each not in arguments for each in names):
        return None
    given = ", ".join(f"{each}={arguments[each]}" for each in names)
    return f"{run.setup}\n{code}\n{functions[0].name}({given})"


def _expecting(call: str, *, raises: bool) -> str:
    if not raises:
        return call
    return _tried(call, f"except Exception:\n    pass\nelse:\n    raise AssertionError({_WRONG!r})\n")


def _tried(call: str, clauses: str) -> str:
    """Return a program with its last line in a `try` statement."""
    setup, _, expression = call.rpartition("\n")
    return f"{setup}\ntry:\n    {expression}\n{clauses}"


def _caught(code: str | None, witness: Run) -> str | None:
    """Return a program that runs the witness under the pattern's own `except` clauses."""
    if not code:
        return None
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    handlers = [each.type for node in ast.walk(tree) if isinstance(node, ast.Try) for each in node.handlers]
    if not handlers:
        return None
    imports = [ast.unparse(each) for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    caught = [
        f"{_CAUGHT}_{index} = {ast.unparse(each)}" for index, each in enumerate(handlers) if each is not None
    ]
    clauses = "".join(
        f"except {_CAUGHT}_{index}:\n    pass\n" if each is not None else "except:\n    pass\n"
        for index, each in enumerate(handlers)
    )
    body = textwrap.indent(witness.code.rstrip(), "    ")
    lines = "\n".join([*imports, *caught])
    return f"{lines}\ntry:\n{body}\n{clauses}else:\n    raise AssertionError({_WRONG!r})\n"
