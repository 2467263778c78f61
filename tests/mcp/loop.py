"""An event loop of its own for each test, whatever the test's thread runs already.

Playwright's synchronous interface leaves a loop running in the thread of the tests that come after it.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def in_own_loop(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end in a thread of its own and return what it returns."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
