"""Coroutines in tests, in a thread: the browser that tests share keeps a loop in the thread of the tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run(coroutine):
    """What a coroutine returns, run to its end on a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
