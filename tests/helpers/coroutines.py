"""Coroutines in tests, in a thread: the browser that tests share keeps a loop in the thread of the tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run(coroutine):
    """Run a coroutine to its end on a loop of its own and return its value."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
