"""q against the supremum of u v - p(u), maximized in numbers over the formula as it was given."""

import mpmath

from workbench.convex.evaluation import at, compiled
from workbench.convex.numeric import supremum
from workbench.convex.samples import places
from workbench.convex.skeleton import skeleton
from workbench.errors import ConvexityError

AGREE = mpmath.mpf(10) ** -15
# The supremum at a slope of 20 may lie at u = e^20, which numbers still find.
FAR = 20


def refuse_wrong(pair, given):
    """Refuse a pair that numbers contradict; at far values too where the derivation rests on some."""
    draws = pair.setting.draws[:2] + (pair.setting.far[:4] if pair.setting.unproved else [])
    _, fault = compare(pair, given, draws=draws, count=5)
    if fault:
        raise ConvexityError(
            f"the derivation and the numbers disagree ({fault}), so no conjugate is given; "
            "write the function out in pieces"
        )


def compare(pair, given, draws=None, count=9, function=None):
    """(points compared, None or a sentence about the first that differs); `function` stands in for q."""
    compared, slots = 0, skeleton(pair.shape, pair.setting)
    for draw in draws or pair.setting.draws:
        p = compiled(given, pair.shape.u, given=draw)
        numbers = {symbol: at(expr, draw) for symbol, expr in pair.setting.forward.items()}
        q = (function or pair.q).evaluator(numbers)
        low, high = (at(end, draw) for end in (pair.shape.low, pair.shape.high))
        cuts = [at(piece.low, draw) for piece in pair.shape.pieces[1:]]
        for v in _slopes(pair, slots, draw, count):
            value, wanted = q(v), supremum(p, v, low, high, cuts)
            if wanted is None:
                continue
            compared += 1
            same = (
                value == wanted if mpmath.isinf(wanted) else abs(value - wanted) <= AGREE * (1 + abs(wanted))
            )
            if not same:
                return (
                    compared,
                    f"q({mpmath.nstr(v, 8)}) = {mpmath.nstr(value, 10)}, not {mpmath.nstr(wanted, 10)}",
                )
    return compared, None


def _slopes(pair, slots, draw, count):
    """Places in every slot of slopes, and outside the domain of q."""
    if not slots:
        slope = at(pair.shape.slopes[0][0], draw)
        return [slope, slope + 1, slope - 1]
    found = [v for slot in slots for v in places(slot.low, slot.high, draw, count) if abs(v) < FAR]
    low, high = (at(end, draw) for end in (slots[0].low, slots[-1].high))
    return (
        found
        + [low - mpmath.mpf("0.7")] * bool(mpmath.isfinite(low))
        + [high + mpmath.mpf("0.7")] * bool(mpmath.isfinite(high))
    )
