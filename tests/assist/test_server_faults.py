"""Whatever a model's server does, nothing is lost, nothing is half kept, and the bill says what was spent."""

from decimal import Decimal

import msgspec
import pytest
from tests.assist.loopback import GOOD, Said, failure, message, reply

from errdex.assist.bill import Usage
from errdex.assist.faults import PrivateCodeError
from errdex.assist.pace import Clock
from errdex.catalog.ask import ask, open_questions


def run(catalog, terms, **limits):
    """Ask about every record; return the questions, what became of them, and the bill."""
    made = terms(**limits)
    questions = open_questions(catalog, catalog.records(), made)
    return questions, *ask(catalog, questions, made)


def kept(catalog):
    """The ids that have an answer."""
    return {row.id for row in catalog.assists.answers()}


def test_every_answer_is_kept_with_its_bill_and_never_asked_for_twice(shelf, terms, loopback):
    """A second run over the same facts sends nothing."""
    questions, report, bill = run(shelf, terms)
    assert len(questions) == len(list(shelf.records())) == report.answered == len(loopback.requests)
    assert kept(shelf) == {question.id for question in questions}
    assert (bill.requests, bill.input_tokens, bill.output_tokens) == (
        len(questions),
        100 * len(questions),
        20 * len(questions),
    )
    assert bill.usd == len(questions) * Decimal("0.0003")
    assert bill.unsaid == 0
    again, report, bill = run(shelf, terms)
    assert (again, report.answered, bill.requests) == ([], 0, 0)
    assert len(loopback.requests) == len(questions)


def test_a_rate_limit_is_waited_out_for_exactly_as_long_as_the_server_asks(shelf, terms, loopback, clock):
    """`Retry-After` holds back every request; what was refused costs nothing."""
    loopback.script = [failure(429, "slow down", Retry_After="7")]
    questions, report, bill = run(shelf, terms)
    assert clock.slept == [7.0]
    assert report.answered == len(questions)
    assert bill.requests == len(questions) + 1
    assert bill.input_tokens == 100 * len(questions)


def test_a_server_that_wants_to_be_left_alone_for_long_ends_the_run(shelf, terms, loopback, clock):
    """A wait that is longer than our patience is not waited for; the next run goes on."""
    loopback.script = [reply(GOOD), failure(429, "tomorrow", Retry_After="86400")]
    questions, report, _ = run(shelf, terms)
    assert "86400" in report.stopped
    assert (report.answered, clock.slept) == (1, [])
    loopback.script = []
    rest, report, _ = run(shelf, terms)
    assert report.answered == len(rest) == len(questions) - 1


def test_waits_after_server_errors_grow_and_end(shelf, terms, loopback, clock):
    """500 is tried again after 1, 2, 4 and 8 seconds, then that record is given up and the next one asked."""
    loopback.script = [failure(500)] * 5
    questions, report, bill = run(shelf, terms)
    assert clock.slept == [1.0, 2.0, 4.0, 8.0]
    assert [record for record, _ in report.failed] == [questions[0].id]
    assert kept(shelf) == {question.id for question in questions[1:]}
    assert bill.requests == 5 + len(questions) - 1
    assert bill.unsaid == 0


def test_five_records_that_fail_in_a_row_end_the_run(shelf, terms, loopback):
    """A server that serves nobody is not asked about a thousand records."""
    loopback.otherwise = lambda _body: failure(503)
    questions, report, _ = run(shelf, terms, retries=0)
    assert len(loopback.requests) == len(report.failed) == 5
    assert len(questions) > 5
    assert "5 records in a row" in report.stopped


def test_a_time_out_is_tried_again_and_counted_as_not_said(shelf, terms, loopback):
    """What a request cost that was never answered is not known: the bill says so, and what it was at most."""
    loopback.script = [Said(b"", hang=True)]
    questions, report, bill = run(shelf, terms, timeout_s=0.2)
    assert report.answered == len(questions)
    assert (report.unsaid, bill.unsaid) == (1, 1)
    assert bill.unsaid_most_tokens > 200


@pytest.mark.parametrize(
    ("said", "input_tokens"),
    [
        pytest.param(reply('{"meaning": "cut he', finish="length"), 100, id="cut by its limit of tokens"),
        pytest.param(reply("Sure! Here is your JSON:"), 100, id="prose"),
        pytest.param(reply({"meaning": "x"}), 100, id="another form"),
        pytest.param(reply({**GOOD, "situations": "one"}), 100, id="another type"),
        pytest.param(reply({**GOOD, "extra": 1}), 100, id="more than was asked for"),
        pytest.param(reply(""), 100, id="nothing"),
        pytest.param(Said(b"<html>busy</html>", headers={"Content-Type": "text/html"}), 0, id="a page"),
        pytest.param(Said(b'{"choices": ['), 0, id="half a body"),
        pytest.param(Said(b"{}"), 0, id="an empty object"),
        pytest.param(Said(reply(GOOD).body, cut=True), 0, id="a connection that breaks off"),
    ],
)
def test_a_broken_answer_is_asked_for_again_and_its_tokens_are_counted(
    shelf, terms, loopback, said, input_tokens
):
    """Of a broken answer nothing is kept; the tokens that the server says it took are on the bill."""
    loopback.script = [said]
    questions, report, bill = run(shelf, terms)
    assert report.answered == len(questions) == len(kept(shelf))
    assert bill.requests == len(questions) + 1
    assert bill.input_tokens == 100 * len(questions) + input_tokens
    assert bill.unsaid == (input_tokens == 0)


def test_a_model_that_never_answers_in_form_is_asked_twice_a_record(shelf, terms, loopback):
    """Every broken answer costs as much as a good one: it is not asked for as often as a busy server."""
    loopback.otherwise = lambda _body: reply("no", sent=50, made=1)
    _, report, bill = run(shelf, terms)
    assert len(loopback.requests) == 10
    assert len(report.failed) == 5
    assert (bill.input_tokens, bill.output_tokens) == (500, 10)
    assert kept(shelf) == set()


def test_tokens_that_an_error_speaks_of_are_on_the_bill(shelf, terms, loopback):
    """Some servers bill what they refuse: where the body says so, it is counted."""
    body = b'{"error": {"message": "filtered"}, "usage": {"prompt_tokens": 77, "completion_tokens": 3}}'
    loopback.script = [Said(body, 422)]
    questions, report, bill = run(shelf, terms)
    assert len(report.failed) == 1
    assert bill.input_tokens == 100 * (len(questions) - 1) + 77


@pytest.mark.parametrize("status", [401, 403, 404, 402])
def test_a_server_that_refuses_us_altogether_is_asked_once(shelf, terms, loopback, status):
    """A wrong key, an unknown model, an empty account: the run ends, and nothing was sent in vain."""
    loopback.otherwise = lambda _body: failure(status, "not you")
    _, report, _ = run(shelf, terms)
    assert report.refused
    assert len(loopback.requests) == 1


def test_nobody_waits_for_a_run_that_is_over(shelf, terms, loopback):
    """One request is told to wait for minutes, the other that the key is wrong: the run ends now."""
    loopback.script = [failure(429, "later", Retry_After="500"), failure(401, "not you")]
    made = terms(concurrency=2)
    made = msgspec.structs.replace(made, policy=msgspec.structs.replace(made.policy, clock=Clock()))
    report, _ = ask(shelf, open_questions(shelf, shelf.records(), made), made)
    assert report.refused
    assert len(loopback.requests) == 2


def test_a_request_that_is_refused_for_itself_does_not_stop_the_others(shelf, terms, loopback, clock):
    """400 concerns one record: it is not tried again."""
    loopback.script = [failure(400, "context too long")]
    questions, report, _ = run(shelf, terms)
    assert [record for record, _ in report.failed] == [questions[0].id]
    assert report.answered == len(questions) - 1
    assert clock.slept == []


def test_the_budget_of_tokens_is_never_passed(shelf, terms, loopback):
    """What may come back is set aside before a request leaves; the next run goes on where this one stopped."""
    loopback.otherwise = lambda _body: reply(GOOD, sent=700, made=200)
    questions, report, bill = run(shelf, terms, max_tokens=3_000)
    assert 0 < bill.input_tokens + bill.output_tokens <= 3_000
    assert "3,000 tokens" in report.stopped
    assert 0 < report.answered < len(questions)
    rest, report, _ = run(shelf, terms)
    assert report.answered == len(rest)
    assert len(kept(shelf)) == len(questions)


def test_the_budget_of_money_is_never_passed(shelf, terms, loopback):
    """Dollars are counted with the price of both directions."""
    loopback.otherwise = lambda _body: reply(GOOD, sent=700, made=200)
    _, report, bill = run(shelf, terms, max_cost=Decimal("0.01"))
    assert Decimal(0) < bill.usd <= Decimal("0.01")
    assert "$0.01" in report.stopped


def test_several_requests_at_once_and_no_more(shelf, terms, loopback):
    """Three at once are three at once, and each record is asked about once."""
    questions, report, _ = run(shelf, terms, concurrency=3)
    assert report.answered == len(questions) == len(loopback.requests)
    assert loopback.most_at_once <= 3
    assert len({str(body["messages"]) for body in loopback.requests}) == len(questions)


def test_a_budget_that_is_only_set_aside_is_waited_for(shelf, terms, loopback):
    """With several requests at once the budget is used as far as with one: what is under way is waited for."""
    _, report, bill = run(shelf, terms, concurrency=8, max_tokens=2_600)
    assert report.answered > 3
    assert bill.input_tokens + bill.output_tokens <= 2_600


def test_requests_leave_at_the_pace_that_was_asked_for(shelf, terms, clock):
    """Thirty a minute are two seconds apart."""
    questions, *_ = run(shelf, terms, per_minute=30)
    assert clock.seconds == pytest.approx(2.0 * (len(questions) - 1))


def test_anthropic_is_asked_in_its_own_protocol(shelf, terms, loopback):
    """The same questions, the same form, the same bill."""
    loopback.otherwise = lambda _body: message(GOOD)
    questions, report, bill = run(shelf, terms, protocol="anthropic")
    assert report.answered == len(questions)
    assert bill.input_tokens == 100 * len(questions)
    assert loopback.requests[0]["output_config"]["format"]["type"] == "json_schema"


def test_private_code_stays_here_until_the_catalog_says_otherwise(shelf, terms, loopback):
    """The refusal names the catalog and the flag; the word is kept, and can be taken back."""
    shelf.assists.allow_private(allowed=False)
    with pytest.raises(PrivateCodeError, match="--allow-private"):
        run(shelf, terms)
    assert loopback.requests == []
    shelf.assists.allow_private(allowed=True)
    assert run(shelf, terms)[1].answered > 0


def test_usage_adds_up():
    """Tokens add by direction."""
    assert Usage(1, 2) + Usage(3, 4) == Usage(4, 6)
