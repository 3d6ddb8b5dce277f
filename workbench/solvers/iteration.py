"""Pacing, recording and stopping as generator adaptors over a run.

    for certificate in take_until(record(steps(run, every(n))), lambda c: c.relative_gap <= 1e-6):
        ...

Each adaptor takes an iterator and gives one, so a page, a command line and a notebook combine the
same pieces; no algorithm knows any of them.

>>> import numpy as np
>>> import workbench as wb
>>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
>>> y = np.array([1, 1, -1, -1])
>>> from workbench.solvers.iteration import every, record, steps, take_until
>>> run = wb.Run(wb.Problem(X, y, "hinge", lam=0.1), "gauss-seidel")
>>> certificates = record(steps(run, every(4)))
>>> seen = list(take_until(certificates, lambda certificate: certificate.relative_gap <= 1e-6))
>>> bool(seen[-1].relative_gap <= 1e-6)
True
"""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from workbench.certificates.assembly import Certificate
    from workbench.solvers.run import Run


__all__ = ["epochs", "every", "record", "steps", "take_until", "throttle"]


Item = TypeVar("Item")


def __dir__() -> list[str]:
    return __all__


def every(size: int) -> Iterator[int]:
    """Yield the same number of steps endlessly.

    >>> import itertools
    >>> import workbench as wb
    >>> list(itertools.islice(wb.iteration.every(4), 3))
    [4, 4, 4]
    """
    return itertools.repeat(size)


def epochs(run: Run, limit: float) -> Iterator[int]:
    """Yield the numbers of steps to the next check, until the run has done `limit` epochs in all.

    One epoch at first and later a share of those that this solver has done, a tenth unless it asks for
    another, so that certificates cost little beside a long run and a short one stops early. A solver that
    knows when it will know more of its gap says so itself.

    >>> import workbench as wb
    >>> run = wb.Run(wb.Problem([[1.0], [-2.0]], [1, -1], "hinge", lam=0.1), "gauss-seidel")
    >>> sum(size for size in wb.iteration.epochs(run, 3) if run.step(size))
    6
    """
    n = run.epoch_steps
    while (left := run.steps_left(limit)) > 0:
        paced = run.solver.pace(run.state)
        share = int(int(run.epochs) * run.solver.check_share)
        size = max(1, share) * n if paced is None else max(1, paced)
        yield min(size, left)


def steps(run: Run, sizes: Iterable[int], stop: Callable[[], bool] | None = None) -> Iterator[Run]:
    """Advance the run by each size in turn and yield it; end where an iterate overflows or `stop` says so.

    >>> import workbench as wb
    >>> run = wb.Run(wb.Problem([[1.0], [-2.0]], [1, -1], "hinge", lam=0.1), "gauss-seidel")
    >>> [each.steps for each in wb.iteration.steps(run, [1, 3])]
    [1, 4]
    """
    for size in sizes:
        done = run.step_until(size, stop)
        yield run
        if done < size:
            return


def record(runs: Iterable[Run]) -> Iterator[Certificate]:
    """Certify each state, add a row to its run's history and yield the certificate.

    >>> import workbench as wb
    >>> run = wb.Run(wb.Problem([[1.0], [-2.0]], [1, -1], "hinge", lam=0.1), "gauss-seidel")
    >>> certificates = list(wb.iteration.record(wb.iteration.steps(run, [1, 40])))
    >>> certificates[-1].relative_gap <= 1e-6
    True
    """
    for run in runs:
        yield run.record()


def take_until(items: Iterable[Item], enough: Callable[[Item], bool]) -> Iterator[Item]:
    """Pass items on up to and with the first for which `enough(item)` holds.

    >>> import workbench as wb
    >>> list(wb.iteration.take_until([3, 1, 2], lambda item: item < 2))
    [3, 1]
    """
    for item in items:
        yield item
        if enough(item):
            return


def throttle(items: Iterable[Item], seconds: float) -> Iterator[Item]:
    """Pass on the first item, then at most one in this many seconds, and always the last.

    >>> import workbench as wb
    >>> list(wb.iteration.throttle(range(5), seconds=60.0))
    [0, 4]
    """
    last: Item | None = None
    due = -float("inf")
    for item in items:
        now = time.monotonic()
        last = item
        if now >= due:
            yield item
            last, due = None, now + seconds
    if last is not None:
        yield last
