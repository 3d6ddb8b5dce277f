"""The sign of an expression of one variable on an interval, proved or refuted with a witness."""

import math
from typing import NamedTuple

import mpmath
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
from workbench.convex.intervals import exact, precise
from workbench.convex.limited import attempt
from workbench.convex.simple import simple_numbers, simplest_between
from workbench.convex.tails import tail_sign

NARROW = 2.0**-30
ORDERS = 8


class Sign(NamedTuple):
    """`relation` is ">0", ">=0" or "<0": everywhere, everywhere, or at `witness`; or "undecided".

    The witness is a rational with few digits. Where undecided, `depth` says how narrow boxes became:
    2**-depth times the interval.
    """

    relation: str
    status: str
    boxes: int = 0
    witness: sp.Rational | None = None
    depth: int = 0

    @property
    def proved(self):
        return self.status.startswith("proved")


def sign_of(expression, u, low, high, values=None, boxes=BOXES):
    """The `Sign` of an expression on the open interval (low, high); see `supremum` for the arguments."""
    return first_proved(_sign, Function(expression, u, low, high, values), boxes)


@precise
def _sign(f, boxes):
    whole = sign_by_factors(f.expression, f.u, (exact(f.low)[0], exact(f.high)[1]))
    if whole is not None and whole > 0:
        return Sign(">=0", "proved")
    witness = next((x for x in simple_numbers(f.low, f.high) if f.image(exact(x))[1] < 0), None)
    if witness is not None:
        return Sign("<0", "proved", 0, witness)
    strict, cuts = True, []
    for side in (-1, 1):
        cut, positive = _settled_end(f, side)
        if cut is None:
            end = f.low if side < 0 else f.high
            return Sign("undecided", f"checked; no sign found towards {end}")
        strict = strict and positive
        cuts.append(cut)
    return _core_sign(f, *cuts, strict, boxes)


def _settled_end(f, side):
    """(where the core begins, is the sign beyond it strict): the expression is >= 0 from there to the end."""
    end = f.low if side < 0 else f.high
    if end.is_finite is not False:
        place = exact(end)
        if f.image(place)[0] > 0:
            return (place[0] if side < 0 else place[1]), True
        near = _beside_zero(f, end, side)
        if near is not None:
            return near, True
    expression, w, place = f.chart(side)
    for start in STARTS:
        cut = exact(place.xreplace({w: sp.Integer(start)}))
        if inside(f, cut) and tail_sign(expression, w, arb(start)) == 1:
            return (cut[1] if side < 0 else cut[0]), False
    return None, False


def _beside_zero(f, root, side):
    """How far beside an exact zero the expression is positive: its first derivative there has the sign."""
    order = _order_of_zero(f, root)
    if order is None:
        return None
    inward = -side
    for power in range(2, 40, 3):
        place = exact(root)
        step = arb(2) ** -power
        far = (place[0] - step).lower() if inward < 0 else (place[1] + step).upper()
        box = (far, place[1]) if inward < 0 else (place[0], far)
        image = f.image(box, order)
        good = image[0] > 0 if inward > 0 or order % 2 == 0 else image[1] < 0
        if good and inside(f, (far, far)):
            return far
    return None


def _order_of_zero(f, root):
    """The order of the first derivative that does not vanish at an exact zero; None where it is no zero."""
    place = exact(root)
    for order in range(ORDERS):
        image = f.image(place, order)
        if image[0] > 0 or image[1] < 0:
            return order or None
        value = attempt(lambda order=order: sp.simplify(f.derivative(order).subs(f.u, root)), limit=1.0)
        if value is None or not value.is_number or value.has(sp.nan, sp.zoo, sp.oo):
            return None
        if value != 0:
            return order or None
    return None


def _core_sign(f, left, right, strict, boxes):
    """Branch and bound on [left, right]: widest boxes first, zeros inside settled as they show."""
    width = right - left
    waiting = [(left, right)] if left < right else []
    while waiting:
        f.boxes += 1
        box = waiting.pop()
        low, _ = f.bounds(box)
        if low > 0:
            continue
        middle = ((box[0] + box[1]) / 2).mid()
        if f.image((middle, middle))[1] < 0:
            return Sign("<0", named(f.boxes), f.boxes, _simple_witness(f, middle))
        narrow = box[1] - box[0] < width * NARROW
        if narrow or f.boxes % 64 == 0:
            around = _around_zero(f, box)
            if around is not None:
                strict = False
                waiting += [half for half in ((box[0], around[0]), (around[1], box[1])) if half[0] < half[1]]
                continue
        if f.boxes >= boxes or narrow:
            depth = round(math.log2(float(width / (box[1] - box[0]))))
            place = mpmath.nstr(mpmath.mpf(str(float(middle))), 6)
            detail = f"checked to boxes of 2^-{depth} of the interval; undecided near {place}"
            return Sign("undecided", detail, f.boxes, None, depth)
        waiting += [(box[0], middle), (middle, box[1])]
    return Sign(">0" if strict else ">=0", named(f.boxes), f.boxes)


def _around_zero(f, box):
    """A box around a zero of even order that this one meets, on which the expression is >= 0; else None."""
    for root in _exact_zeros(f, box):
        order = _order_of_zero(f, root)
        if order is None or order % 2:
            continue
        place = exact(root)
        for power in range(1, 40, 3):
            step = arb(2) ** -power
            around = (place[0] - step).lower(), (place[1] + step).upper()
            # One that lies beside the box would leave it as it is.
            if f.image(around, order)[0] > 0 and around[0] < box[1] and around[1] > box[0]:
                return around
    return None


def _exact_zeros(f, box):
    """Numbers in closed form near a box that may be zeros: simple rationals first, then roots."""
    width = box[1] - box[0]
    wide = (box[0] - width).lower(), (box[1] + width).upper()
    yield simplest_between(float(wide[0]), float(wide[1]))
    with mpmath.workdps(30):
        slope = sp.lambdify(f.u, f.derivative(1), "mpmath")
        place = attempt(mpmath.findroot, slope, float((box[0] + box[1]) / 2), limit=0.5)
        text = "" if place is None else mpmath.nstr(mpmath.re(place), 30)
    if text and wide[0] <= float(text) <= wide[1]:
        yield sp.nsimplify(sp.Float(text, 30), tolerance=1e-20)
    for root in f.closed_roots:
        if root.is_real and wide[0] <= exact(root)[1] and exact(root)[0] <= wide[1]:
            yield root


def _simple_witness(f, place):
    """The rational with the smallest denominator near the place at which the expression is negative."""
    value = float(place)
    for digits in range(18):
        for size in (1, 2, 5):
            step = sp.Rational(1, size * 10**digits)
            guess = sp.Rational(round(value / float(step))) * step
            if inside(f, exact(guess)) and f.image(exact(guess))[1] < 0:
                return guess
    return sp.Rational(str(value))
