"""Proved bounds and signs of an expression of one variable on an interval.

Compact parts are settled by interval arithmetic with branch and bound; infinite ends, and finite ones
where the expression is singular or vanishes, by the symbolic arguments of `tails`; interior zeros by the
first derivative that does not vanish there. A status says how far this went:

    "proved"                                     symbolic arguments alone
    "proved with interval arithmetic, N boxes"   branch and bound took part
    "checked"                                    neither was enough; the values are those of sampled points

    supremum(expr, u, low, high) -> Enclosure(low, high, status, boxes)
    infimum(expr, u, low, high)  -> Enclosure
    sign_of(expr, u, low, high)  -> Sign(relation, status, boxes, witness)

Expressions hold numbers and `u` alone (`values` puts numbers in for further symbols) and are smooth inside
the interval; kinks are for the caller to cut at. Ends may be infinite, and are otherwise taken as limits.
"""

import heapq
import itertools
import math
from typing import NamedTuple

import sympy as sp
from flint import arb

from workbench.convex.box_function import (
    BOXES,
    STARTS,
    Function,
    first_proved,
    inside,
    named,
    sign_by_factors,
)
from workbench.convex.intervals import INF, exact, precise
from workbench.convex.signs import Sign, sign_of
from workbench.convex.simple import simple_numbers
from workbench.convex.tails import limit_at_infinity, monotone_ends, tail_range

__all__ = ["Enclosure", "Sign", "infimum", "sign_of", "supremum"]
CLOSE = 1e-12


class Enclosure(NamedTuple):
    """A number known to lie in [low, high], infinite ends included."""

    low: float
    high: float
    status: str
    boxes: int = 0

    @property
    def proved(self):
        return self.status.startswith("proved")


def supremum(expression, u, low, high, values=None, boxes=BOXES):
    """An `Enclosure` of the supremum over the open interval (low, high).

    Parameters
    ----------
    expression : sympy.Expr
        Smooth on the interval, in `u` and the symbols of `values`.
    low, high : sympy numbers or infinities
    values : dict of symbol to number, optional
        A float stands for the decimal it prints as.
    boxes : int
        The most boxes that branch and bound may use; the enclosure is then wider.
    """
    return first_proved(_supremum, Function(expression, u, low, high, values), boxes)


def infimum(expression, u, low, high, values=None, boxes=BOXES):
    """An `Enclosure` of the infimum; see `supremum`."""
    low, high, status, count = supremum(-sp.sympify(expression), u, low, high, values, boxes)
    return Enclosure(-high or 0.0, -low or 0.0, status, count)


@precise
def _supremum(f, boxes):
    if not f.expression.has(f.u):
        value = exact(f.expression)
        return Enclosure(_below(value[0]), _above(value[1]), "proved")
    whole = _monotone_supremum(f)
    if whole is not None:
        return whole
    ends, best, top, settled = [], -INF, -INF, True
    for side in (-1, 1):
        cut, low, high = _tail_bounds(f, side)
        settled = settled and cut is not None
        best, top = max(best, low), max(top, high)
        ends.append(cut)
    if best == INF:
        return Enclosure(math.inf, math.inf, named(f.boxes), f.boxes)
    if not settled:
        return _sampled(f)
    core_low, core_high = _core_bounds(f, ends[0], ends[1], best, boxes)
    return Enclosure(_below(max(best, core_low)), _above(max(top, core_high)), named(f.boxes), f.boxes)


def _monotone_supremum(f):
    """The limit at an end, where the sign of the slope is the same all over the interval."""
    ends = []
    for side in (-1, 1):
        expression, w, _ = f.chart(side)
        limit = limit_at_infinity(expression, w)
        if limit is sp.oo:
            return Enclosure(math.inf, math.inf, "proved")
        ends.append(limit)
    sign = sign_by_factors(f.derivative(1), f.u, (exact(f.low)[0], exact(f.high)[1]))
    if sign is None or None in ends:
        return None
    value = exact(ends[1] if sign > 0 else ends[0])
    return Enclosure(_below(value[0]), _above(value[1]), "proved")


def _tail_bounds(f, side):
    """(where the tail begins, a lower and an upper bound of its supremum); (None, ...) if not settled.

    A finite end where the expression is regular needs no tail.
    """
    end = f.low if side < 0 else f.high
    if end.is_finite is not False:
        place = exact(end)
        image = f.image((place[0], place[1]))
        if image[0].is_finite() and image[1].is_finite() and f.image(place, 1)[1].is_finite():
            return place[0] if side < 0 else place[1], -INF, -INF
    expression, w, place = f.chart(side)
    for start in STARTS:
        cut = exact(place.xreplace({w: sp.Integer(start)}))
        if not inside(f, cut):
            continue
        ends = monotone_ends(expression, w, arb(start))
        if ends is not None:
            first, last = ends
            return (cut[1] if side < 0 else cut[0]), max(first[0], last[0]), max(first[1], last[1])
        image = tail_range(expression, w, arb(start))
        if image[1] - image[0] < CLOSE:
            return (cut[1] if side < 0 else cut[0]), image[0], image[1]
    return None, -INF, INF


def _core_bounds(f, left, right, best, boxes):
    """Bounds of the supremum over [left, right], best first."""
    if not left < right:
        box = min(left, right), max(left, right)
        return best, f.bounds(box)[1]
    order = itertools.count()
    queue = [(float(-f.bounds((left, right))[1]), next(order), (left, right))]
    settled = best
    while queue:
        f.boxes += 1
        top, _, box = heapq.heappop(queue)
        middle = ((box[0] + box[1]) / 2).mid()
        best = max(best, *(f.image((x, x))[0] for x in (box[0], middle, box[1])))
        allowed = float(best) + CLOSE * (1 + abs(float(best)))
        if -top <= allowed or f.boxes >= boxes or not box[0] < middle < box[1]:
            settled = max(settled, arb(-top).upper())
            break
        for half in ((box[0], middle), (middle, box[1])):
            bound = f.bounds(half)[1]
            if bound > best:
                # Rounded up, so that the queue never forgets a value.
                heapq.heappush(queue, (-math.nextafter(float(bound), math.inf), next(order), half))
    else:
        settled = best
    return best, max(settled, best)


def _sampled(f):
    values = [f.image((x, x)) for x in map(_number, simple_numbers(f.low, f.high))]
    best = max((image[0] for image in values if image[0].is_finite()), default=-INF)
    return Enclosure(_below(best), math.inf, f"checked at {len(values)} points", f.boxes)


def _number(value):
    return exact(value)[0]


def _below(value):
    return math.nextafter(float(value), -math.inf) if value.is_finite() and value != 0 else float(value)


def _above(value):
    return math.nextafter(float(value), math.inf) if value.is_finite() and value != 0 else float(value)
