"""Pieces of work on several cores: the same pieces, and the same results to the bit, however many there are.

The kernels release the interpreter's lock, so that threads of Python suffice: there is no parallel code in a
kernel, and a process may fork. ``NUMBA_NUM_THREADS`` says how many cores may be used, `at_most` of how many a
call makes use.
"""

import contextlib
import contextvars
import functools
import itertools
import os
from concurrent.futures import ThreadPoolExecutor

import numba
from threadpoolctl import threadpool_limits

# How many numbers make a piece at least: fewer are read sooner than a second thread wakes.
PIECE = 2**18
MOST_PIECES = 32
_most = contextvars.ContextVar("threads", default=None)


def pieces(rows, count):
    """Split the rows into `count` ranges (first, last), at most `MOST_PIECES`."""
    count = max(1, min(count, MOST_PIECES, rows))
    ends = [rows * k // count for k in range(count + 1)]
    return tuple(itertools.pairwise(ends))


@contextlib.contextmanager
def at_most(count):
    """Within it a call takes at most `count` threads, BLAS too; None leaves them as they are."""
    before = _most.set(count)
    try:
        with contextlib.nullcontext() if count is None else threadpool_limits(count):
            yield
    finally:
        _most.reset(before)


def mapped(function, items):
    """Return [function(item) for item in items], the items shared out among the cores."""
    if len(items) == 1:
        return [function(items[0])]
    results = [None] * len(items)
    left = iter(range(len(items)))

    def work():
        for k in left:
            results[k] = function(items[k])

    helpers = min(_most.get() or len(items), _cores(), len(items)) - 1
    futures = [_pool().submit(work) for _ in range(helpers)]
    work()
    for future in futures:
        # One that has not begun would find nothing left to do.
        if not future.cancel():
            future.result()
    return results


def _cores():
    return numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]  # numba sets it when it is imported


@functools.cache
def _pool():
    return ThreadPoolExecutor(_cores(), thread_name_prefix="workbench-kernels")


if hasattr(os, "register_at_fork"):  # a child has none of its parent's threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
