"""Coroutines in tests, in a thread: the browser that tests share keeps a loop in the thread of the tests."""

import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor


def run(coroutine):
    """Run a coroutine to its end on a loop of its own and return its value."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def answer_of(page, message):
    """Return the answer of a page to a message, which may be a coroutine."""
    answer = page.answer(message)
    return run(answer) if inspect.iscoroutine(answer) else answer
