"""One-sided limits of real functions, and a limit on the time that one SymPy call may take."""

import contextlib
import signal
import threading
import time
from itertools import pairwise

import mpmath
import sympy as sp

from workbench.convex.setting import at, compiled

INTERRUPTIBLE = ("sympy", "mpmath", "workbench")
AGAIN = 0.02


class OutOfTime(BaseException):
    """A call was stopped; no `Exception`, since SymPy swallows those in the middle of its searches."""


@contextlib.contextmanager
def seconds(limit):
    """Stop the block with `OutOfTime` after seconds of processor time, so that load changes no result.

    Where signals do not reach (in other threads), the block runs to its end.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_, frame):
        # An exception in a callback of the garbage collector or a finalizer would be lost: ask again soon.
        if frame is None or frame.f_globals.get("__name__", "").split(".")[0] in INTERRUPTIBLE:
            raise OutOfTime

    started = time.process_time()
    before = signal.signal(signal.SIGVTALRM, stop)
    outer, _ = signal.setitimer(signal.ITIMER_VIRTUAL, limit, AGAIN)
    if 0.0 < outer < limit:
        signal.setitimer(signal.ITIMER_VIRTUAL, outer, AGAIN)
    try:
        yield
    finally:
        # A block inside another gives the other what is left of its time.
        left = max(outer - (time.process_time() - started), 1e-3) if outer else 0.0
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        signal.setitimer(signal.ITIMER_VIRTUAL, left, AGAIN if left else 0)


def attempt(function, *arguments, limit=3.0, default=None, **options):
    """The result of a SymPy call, or the default where it fails or takes too long."""
    try:
        with seconds(limit):
            return function(*arguments, **options)
    except (OutOfTime, Exception):
        # SymPy's searches raise errors of many kinds where they meet what they do not know.
        return default


def one_sided(expression, x, point, side, setting):
    """The limit at `point` from the given side (+1 from above, -1 from below), or None if not found.

    The symbolic answer is kept only where it agrees with numbers close to the point, for every set
    of sample values of the parameters. An answer of numbers alone goes on record in the setting, for
    the verification to say so.
    """
    for candidate, symbolic in _candidates(expression, x, point, side):
        if candidate is None or candidate.has(sp.nan, sp.zoo, sp.AccumBounds, sp.Limit) or candidate.has(x):
            continue
        if all(_agrees(expression, x, point, side, candidate, draw) for draw in setting.draws):
            if not symbolic:
                setting.unproved.append(f"the limit of {expression} as {x} tends to {point} is {candidate}")
            return candidate
    return None


def _candidates(expression, x, point, side):
    """Yield (candidate, found by symbolic means)."""
    if not expression.has(x):
        yield expression, True
        return
    if point.is_finite is not False:
        yield attempt(expression.subs, x, point), True
    way = "+" if side > 0 else "-"
    yield attempt(sp.limit, expression, x, point, way, limit=0.8), True
    for rewrite in (sp.simplify, lambda e: sp.expand_log(sp.expand(e), force=True)):
        other = attempt(rewrite, expression, limit=0.5)
        if other is not None and other != expression:
            yield attempt(sp.limit, other, x, point, way, limit=0.8), True
    for guess in (sp.oo, -sp.oo, sp.S.Zero):
        yield guess, False


def _agrees(expression, x, point, side, candidate, draw):
    """Whether values ever closer to the point approach the candidate."""
    function = compiled(expression, x, given=draw)
    wanted = at(candidate, draw) if candidate.free_symbols <= set(draw) else mpmath.nan
    if mpmath.isnan(wanted):
        return False
    with mpmath.workdps(60):
        errors = [_error(function(place), wanted) for place in _approach(at(point, draw), side)]
    errors = [error for error in errors if not mpmath.isnan(error)]
    return len(errors) >= 3 and (errors[-1] < 1e-9 or (errors[-1] < 0.9 * errors[0] and _falls(errors)))


def _falls(errors):
    return all(
        later <= earlier * (1 + mpmath.mpf(10) ** -9)
        for earlier, later in pairwise(errors)
    )


def _error(value, wanted):
    """A distance that goes to zero where the value tends to what is wanted, infinities included."""
    if mpmath.isnan(value):
        return value
    if mpmath.isinf(wanted):
        return 1 / (1 + abs(value)) if value * wanted > 0 else mpmath.mpf(2)
    return abs(value - wanted)


def _approach(point, side):
    if mpmath.isinf(point):
        # e^(e^1000) has 434 digits in its exponent, which is as far as evaluation stays quick.
        return [-side * mpmath.mpf(size) for size in (30, 60, 120, 250, 500, 1000)]
    return [point + side * mpmath.mpf(10) ** -k * max(1, abs(point)) for k in (2, 4, 6, 9, 12, 15)]


def sign_at(expression, draw):
    """The sign of an expression in the positive symbols at sample values, 0 within rounding."""
    value = at(expression, draw)
    if mpmath.isnan(value):
        return None
    return 0 if abs(value) < mpmath.mpf(10) ** -25 else int(mpmath.sign(value))
