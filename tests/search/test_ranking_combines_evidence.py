"""Ranking: place, words, class and version weigh together; none of them decides alone."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errdex.search import answer

PORT = "port must be between 1 and 65535, got {port}"
FILLED = "port must be between 1 and 65535, got 70000"


def test_the_line_decides_between_equal_words(indexed, site, trace):
    """Two functions raise the same words; the frame's line tells which."""
    index = indexed(site(PORT, line=10, function="bind"), site(PORT, line=90, function="connect"))
    got = answer(trace(f"ValueError: {FILLED}", ("acme/core.py", 90, "connect")), index)
    assert (got.matches[0].function, got.verdict) == ("connect", "exact")


def test_the_function_decides_where_lines_have_moved(indexed, site, trace):
    """In another release the lines are others; the function's name still leads to the right one."""
    index = indexed(site(PORT, line=10, function="bind"), site(PORT, line=90, function="connect"))
    got = answer(trace(f"ValueError: {FILLED}", ("acme/core.py", 131, "connect")), index)
    assert got.matches[0].function == "connect"


def test_the_words_decide_within_a_function(indexed, site, trace):
    """A frame in the right function and a line that is off: the wording tells which raise it was."""
    index = indexed(site("host is empty", line=10), site(PORT, line=14), site("no such route", line=18))
    got = answer(trace(f"ValueError: {FILLED}", ("acme/core.py", 11, "start")), index)
    assert got.matches[0].template == PORT


@pytest.mark.parametrize(
    "root",
    [
        "/home/alice/.venv/lib/python3.12/site-packages/",
        "C:\\Users\\bob\\AppData\\Lib\\site-packages\\",
        "/opt/app/acme-1.0-py3.11.egg/",
        "/usr/lib/python3/dist-packages/",
        "build/bdist.linux-x86_64/egg/",
        "/srv/frozen/app/",
    ],
)
def test_where_a_package_is_installed_does_not_matter(indexed, root, site, trace):
    """Site-packages, eggs, Debian's folders, frozen programs and Windows drives lead to the same place."""
    index = indexed(site(PORT, function="connect"), site(PORT, package="other", path="other/core.py"))
    path = "acme/core.py".replace("/", "\\") if "\\" in root else "acme/core.py"
    got = answer(trace(f"ValueError: {FILLED}", (root + path, 10, "connect"), root=""), index)
    assert (got.matches[0].package, got.verdict) == ("acme", "exact")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(folders=st.lists(st.text("abcdefghij-_ .", min_size=1, max_size=8), max_size=5))
def test_ranking_does_not_change_with_the_directory(indexed, site, trace, folders):
    """Whatever folders a package lies in, the answer is the same."""
    index = indexed(site(PORT, function="connect"), site("host is empty", line=12, function="connect"))
    root = "/" + "".join(f"{folder}/" for folder in folders) + "site-packages/"
    got = answer(trace(f"ValueError: {FILLED}", ("acme/core.py", 10, "connect"), root=root), index)
    assert [(match.line, match.score) for match in got.matches] == [
        (match.line, match.score)
        for match in answer(trace(f"ValueError: {FILLED}", ("acme/core.py", 10, "connect")), index).matches
    ]


def test_a_universal_template_never_wins_over_a_telling_one(indexed, site):
    """`Error: {message}` fits everything and says nothing; alone it is no answer either."""
    universal = [site("Error: {message}", line=number, path=f"acme/m{number}.py") for number in range(1, 40)]
    index = indexed(site("Error: disk {disk} is full of {what}", line=50), *universal)
    got = answer("ValueError: Error: disk /dev/sda is full of logs", index)
    assert got.matches[0].line == 50
    alone = answer("ValueError: Error: something else happened", index)
    assert alone.verdict in {"ambiguous", "no-match"}


@pytest.mark.parametrize(
    ("raised", "printed"),
    [("IOError", "OSError"), ("acme.errors.StartError", "StartError"), ("socket.error", "OSError")],
)
def test_a_class_is_known_by_its_other_names(indexed, raised, printed, site):
    """Aliases of builtins and dotted names count as the same class."""
    index = indexed(
        site("engine is stuck", error_class=raised), site("engine is stuck", error_class="KeyError", line=99)
    )
    assert answer(f"{printed}: engine is stuck", index).matches[0].line == 10


def test_a_subclass_is_kin_and_a_stranger_is_not(indexed, site):
    """A base of the raised class, as printed, speaks for a site; another class speaks against it."""
    index = indexed(
        site("engine is stuck", error_class="acme.StuckError", bases=("acme.EngineError", "Exception")),
        site("engine is stuck", error_class="acme.OtherError", line=99),
    )
    assert answer("acme.EngineError: engine is stuck", index).matches[0].line == 10


def test_the_cause_of_a_chain_comes_first_and_both_are_shown(indexed, site, trace):
    """The wrapped error is explained first; the one the program died of stands beside it."""
    index = indexed(
        site("no schema for table {table}", path="acme/schema.py", error_class="acme.SchemaError"),
        site("cannot load the data set", path="acme/load.py", line=70, error_class="acme.LoadError"),
    )
    text = (
        trace("acme.SchemaError: no schema for table users", ("acme/schema.py", 10, "start"))
        + "\n\nThe above exception was the direct cause of the following exception:\n\n"
        + trace("acme.LoadError: cannot load the data set", ("acme/load.py", 70, "start"))
    )
    got = answer(text, index)
    assert [(match.file, match.block) for match in got.matches] == [
        ("acme/schema.py", 0),
        ("acme/load.py", 1),
    ]


def test_the_version_a_text_states_is_preferred(indexed, site):
    """The same place in two versions is one match, of the version that the text names."""
    index = indexed(site(PORT, version="1.0", line=10), site(PORT, version="2.0", line=40))
    got = answer(f"acme==1.0\nValueError: {FILLED}", index)
    assert [(match.version, match.line) for match in got.matches] == [("1.0", 10)]
    assert got.matches[0].version_fact == "Your acme 1.0 raises this at line 10."


def test_a_rewording_is_told(indexed, site):
    """Where a later version says it in other words, the answer says so."""
    index = indexed(
        site("the port {port} is not between 1 and 65535", version="1.0"),
        site("the port {port} is out of range, not between 1 and 65535", version="2.0", line=44),
    )
    got = answer("acme-1.0\nValueError: the port 70000 is not between 1 and 65535", index)
    assert "reworded by 2.0" in got.matches[0].version_fact


def test_the_traces_files_tell_the_version(indexed, site, trace):
    """A frame in a file that only the old version has makes the old version's place the likelier one."""
    index = indexed(
        site("not enough room for {n} items", version="1.0", path="acme/old/store.py", function="Store.put"),
        site("unrelated words of the old api", version="1.0", path="acme/old/api.py"),
        site("not enough room for {n} items", version="2.0", path="acme/store.py", function="Store.put"),
    )
    got = answer(trace("ValueError: not enough room for 5 items", ("acme/old/api.py", 99, "handle")), index)
    assert got.matches[0].version == "1.0"


def test_words_of_another_package_are_no_confident_answer(indexed, site, trace):
    """A trace that ends in one library is not explained by another's words with confidence."""
    index = indexed(site("failed to load the model {name}", package="other", path="other/load.py"))
    got = answer(trace("ValueError: failed to load the model x", ("torchy/nn/module.py", 5, "load")), index)
    assert got.verdict in {"ambiguous", "unindexed", "no-match"}


def test_a_rare_class_alone_leads_to_its_sites(indexed, site):
    """Without any known words, a class that few sites raise is still worth showing, not worth being sure of."""
    index = indexed(site(None, error_class="acme.RemovedInV1"), site("unrelated words altogether", line=30))
    got = answer("acme.RemovedInV1: you tried to use what is gone", index)
    assert got.matches[0].line == 10
    assert got.verdict != "exact"


def test_an_error_code_leads_to_its_site(indexed, site):
    """A stable code at the front of the message speaks for the site that gives it."""
    index = indexed(
        site("cannot find model {name} anywhere", code="E050"),
        site("cannot find model {name} anywhere", line=99),
    )
    assert answer("OSError: [E050] cannot find model en anywhere", index).matches[0].line == 10


@pytest.mark.parametrize(
    "text",
    [
        "acme.StartError: the engine cannot be start\ned while the cooling sys\ntem is off",
        "acme.StartError: The Engine cannot be started while the `cooling system` is off",
        "acme.StartError: the engine cannot be started while the cooling",
        "acme.StartError: the engine can not be started while the cooling system was off",
        "[2024-05-01 10:00:00,123] {taskinstance.py:12} ERROR - the engine cannot be started while the cooling system is off",
        '{"errorMessage": "the engine cannot be started while the cooling system is off", "errorType": "StartError"}',
        "worker raised: StartError('the engine cannot be started while the cooling system is off')",
    ],
    ids=["wrapped", "retyped", "cut", "reworded", "logged", "lambda", "repr"],
)
def test_a_maltreated_message_still_leads_to_its_site(indexed, text, site):
    """Words broken by a terminal, retyped, cut, reworded, logged or escaped still find their place."""
    noise = (
        f"the {word} cannot be {deed}" for word in ("pump", "valve", "gate") for deed in ("opened", "started")
    )
    index = indexed(
        site("the engine cannot be started while the cooling system is off", error_class="acme.StartError"),
        *(site(words, line=100 + number) for number, words in enumerate(noise)),
    )
    assert answer(text, index).matches[0].line == 10


def test_a_frame_in_another_function_is_no_sure_place(indexed, site, trace):
    """The same file and words, but the trace ends in another function: shown, not claimed."""
    index = indexed(site("failed to parse: {text}", function="_normalize", line=40))
    got = answer(trace("ValueError: failed to parse: []", ("acme/core.py", 97, "parse")), index)
    assert got.matches[0].function == "_normalize"
    assert got.verdict == "ambiguous"
