"""A package whose functions try to break out: each is contained, reported, and proves nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from errdex.model.site import CallableFacts, Hole, MessageTemplate, ThrowSite
from errdex.prove.target import Target, make_target
from errdex.prove.verdict import Verdict, judge
from errdex.prove.worker import Worker

SOURCE = (Path(__file__).parent.parent / "fixtures" / "prove" / "hostile" / "hostile.py").read_text()


def _target(function: str) -> Target:
    """The raise statement of `function`, or where it claims to raise: that of `unlucky`."""
    nodes = {node.name: node for node in ast.parse(SOURCE).body if isinstance(node, ast.FunctionDef)}
    raises = [node for node in ast.walk(nodes[function]) if isinstance(node, ast.Raise)]
    raises = raises or [node for node in ast.walk(nodes["unlucky"]) if isinstance(node, ast.Raise)]
    template = MessageTemplate(
        parts=("refused: ", Hole(expression="value", written="{value}")),
        written="refused: {value}",
        form="fstring",
        origin="inline",
    )
    site = ThrowSite(
        kind="raise",
        path="hostile.py",
        line=raises[-1].lineno,
        end_line=raises[-1].end_lineno or raises[-1].lineno,
        column=4,
        statement="",
        callable=CallableFacts(
            name=function, module="hostile", path="hostile.py", line=1, end_line=1, kind="function"
        ),
        error_class="ValueError",
        class_written="ValueError",
        templates=(template,),
    )
    return make_target(site, SOURCE, "/site/hostile.py")


def _judged(worker: Worker, function: str) -> Verdict:
    target = _target(function)
    program = f"from hostile import {function}\n\n{function}({target.line})\n"
    return judge(worker, program, "hostile", target)


def test_an_honest_function_is_proved(hostile: Worker) -> None:
    """The same machinery proves a plain raise: what follows is refused for what it does, not by accident."""
    verdict = _judged(hostile, "unlucky")
    assert verdict.proved, verdict.reason
    assert verdict.run is not None
    assert verdict.run.errors.rstrip().endswith(f"ValueError: refused: {_target('unlucky').line}")


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("open_a_socket", "network:socket.getaddrinfo|network:socket.connect|not to be believed"),
        ("fork_without_end", "process:os.fork"),
        ("eat_memory", "another outcome|killed"),
        ("ignore_signals", "killed: out of time"),
        ("swallow_everything", "killed: out of time"),
        ("print_for_ever", "killed: too much output"),
        ("kill_everything", "process:os.kill|died without a report|the worker died"),
        ("sleep", "killed: out of time"),
        ("patch_the_tracer", "tamper:sys.settrace"),
        ("trace_itself", "tamper:sys.settrace"),
        ("forge_the_report", "forged a report"),
        ("speak_the_protocol", "forged a report|another outcome"),
        ("forge_the_traceback", "died without a report"),
        ("borrow_a_line", "another outcome"),
    ],
)
def test_an_attack_proves_nothing_and_is_reported(hostile: Worker, function: str, reason: str) -> None:
    """Each attack ends inside, the verdict says what was tried, and there is no proof."""
    verdict = _judged(hostile, function)
    assert not verdict.proved
    assert any(part in verdict.reason for part in reason.split("|")), verdict.reason


def test_nothing_outside_can_be_written(hostile: Worker) -> None:
    """Every attempt to write outside the scratch folder fails and is reported."""
    verdict = _judged(hostile, "write_outside")
    assert verdict.seen.error is not None
    assert verdict.seen.error.text == "refused: []"
    assert "write:/etc/owned" in verdict.seen.flags


def test_the_scratch_folder_is_small(hostile: Worker) -> None:
    """Writing without end meets the limit of a file's size, and the machine's disk is not touched."""
    verdict = _judged(hostile, "fill_the_disk")
    assert verdict.seen.error is not None or verdict.seen.lost is not None
    assert verdict.seen.error is None or verdict.seen.error.text == "refused: True"


def test_what_an_attempt_killed_is_there_for_the_next(hostile: Worker) -> None:
    """Other programs of the same module run after one that tried to kill everything."""
    assert not _judged(hostile, "kill_everything").proved
    assert _judged(hostile, "unlucky").proved


def test_the_home_folder_is_not_there(hostile: Worker) -> None:
    """Neither home folders nor the machine's accounts can be read."""
    verdict = _judged(hostile, "read_home")
    assert verdict.seen.error is not None
    assert verdict.seen.error.text == "refused: []"


def test_the_environment_is_not_inherited(hostile: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables of the calling process do not reach the sandbox."""
    monkeypatch.setenv("ERRDEX_TEST_SECRET", "1")
    verdict = _judged(hostile, "read_environment")
    assert verdict.seen.error is not None
    assert verdict.seen.error.text == "refused: []"


def test_processes_started_by_an_import_are_bounded_and_die(hostile: Worker) -> None:
    """A module that forks without end when imported is stopped by the limit on processes and killed as a tree."""
    program = "from hostile_import import refuse\n\nrefuse(1)\n"
    (seen,) = hostile.attempt([program], module="hostile_import")
    assert seen.lost is not None or not seen.is_credible or seen.error is not None
    hostile.end()
    (after,) = hostile.attempt(["raise KeyError(1)"], module=None)
    assert after.error is not None
    assert after.error.name == "builtins.KeyError"
