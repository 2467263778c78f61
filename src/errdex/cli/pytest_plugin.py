"""`pytest --errdex`: each failing test's report says what its error is, with the values of the condition."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pluggy import Result


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--errdex`."""
    parser.getgroup("errdex").addoption(
        "--errdex", action="store_true", help="Explain the errors that failing tests raise."
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Result[pytest.TestReport], None]:
    """Add a section to the report of a test that raised, if `--errdex` asks for it; failed asserts explain themselves."""
    outcome = yield
    if not item.config.getoption("--errdex") or call.excinfo is None:
        return
    report = outcome.get_result()
    if not report.failed or isinstance(call.excinfo.value, AssertionError):
        return
    from errdex.cli.live import explanation  # noqa: PLC0415 - only a failing test pays for it

    text = explanation(call.excinfo.value, colour=False)
    if text:
        report.sections.append(("what this error is", text))
