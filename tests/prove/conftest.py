"""One sandbox for all tests of this folder; they skip where none works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from errdex.prove.limits import Limits
from errdex.prove.sandbox import Sandbox, SandboxMissingError, find_sandbox
from errdex.prove.worker import Worker

FIXTURES = Path(__file__).parent.parent / "fixtures" / "prove"


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    try:
        return find_sandbox()
    except SandboxMissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def hostile(sandbox: Sandbox) -> Iterator[Worker]:
    """A worker for the hostile package, with limits that a test can wait for."""
    limits = Limits(
        attempt_cpu_s=0.2, attempt_wall_s=1.0, import_wall_s=1.0, grace_s=2.0, memory_bytes=512 << 20
    )
    with Worker(sandbox, FIXTURES / "hostile", root="hostile", limits=limits) as worker:
        yield worker
