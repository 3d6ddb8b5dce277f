"""q as it is evaluated, against enclosures of the supremum over the formula as it was given."""

from collections import Counter
from typing import NamedTuple

import mpmath
import sympy as sp

from workbench.conjugates.convex.checker import balls, grammar
from workbench.conjugates.convex.checker.forms import BUDGET, Undecided, Undefined
from workbench.conjugates.convex.evaluation import DIGITS, number, value_at
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.samples import places

# The supremum at a slope of 20 may lie at u = e^20.
DRAWS, FAR, EACH, BEYOND = 2, 20, 3, (mpmath.mpf("0.7"), mpmath.mpf("0.001"))
# Seconds of processor time, for one slope and for all of them.
EACH_SECONDS, SECONDS = 1.5, 6.0
OPEN = "undecided", mpmath.nan, ""


class Evidence(NamedTuple):
    """Counts of agreements of q with the supremum, the parts of q without one, the first contradiction."""

    counts: Counter
    silent: int
    fault: str

    @property
    def status(self):
        return "failed" if self.fault or self.silent else "checked"

    @property
    def detail(self):
        if self.fault:
            return self.fault
        text = f"q agrees with enclosures of the supremum at {self.counts['agrees']} slopes"
        open_ones = self.counts["undecided"]
        text += f", {open_ones} are undecided" if open_ones else ""
        return text + (f"; on {self.silent} parts of q none was decided" if self.silent else "")


@mpmath.workdps(DIGITS)
@BUDGET.limited_to(SECONDS)
def evidence(text, p, q, setting, domain=(-sp.oo, sp.oo), convex=False, units=(1, 1)):
    """Return the `Evidence` for a `ConvexFunction` q; `text` is p in the variable of the `ConvexFunction` p.

    Off the domain p is infinite; where it is known to be convex, enclosures are quicker. Of the units, in
    which values and slopes are near 1, the first is that of the values.
    """
    counts: Counter[str] = Counter()
    silent, fault = 0, ""
    try:
        typed = grammar.parse(text)
    except grammar.GrammarError:
        return Evidence(counts, len(q.parts) or 1, fault)
    for draw in setting.draws[:DRAWS]:
        numbers = {symbol: value_at(form, draw) for symbol, form in setting.forward.items()}
        values = {str(symbol): balls.interval(digits(number)) for symbol, number in numbers.items()}
        cuts = [
            float(value_at(place, numbers))
            for place in _finite(
                [*(k.place for k in p.knots), *(end for part in p.parts for end in (part.low, part.high))]
            )
        ]
        low, high = (float(value_at(setting.enter(end), draw)) for end in domain)
        supremum = balls.Supremum(typed, str(p.variable), values, cuts, low, high, convex, units[0])
        evaluate = q.evaluator(numbers)
        for slopes, counts_alone in _slopes(q, setting, draw, numbers, sp.sympify(units[1])):
            verdicts: Counter[str] = Counter()
            for v in slopes:
                limit = min(EACH_SECONDS, BUDGET.remaining / 2)
                verdict, value, expected = attempt(_verdict, evaluate, supremum, v, limit=limit, default=OPEN)
                verdicts[verdict] += 1
                if verdict == "contradicts" and not fault:
                    fault = f"q({mpmath.nstr(v, 8)}) = {mpmath.nstr(value, 10)}, not {expected}"
            silent += counts_alone and not verdicts["agrees"] and not fault
            counts += verdicts
    return Evidence(counts, silent, fault)


def _verdict(evaluate, supremum, v):
    """(verdict, q(v), what it should be) at one slope."""
    value = evaluate(v)
    if mpmath.isnan(value):
        return OPEN
    claim = None if mpmath.isinf(value) else balls.interval(digits(value))
    try:
        verdict, expected = supremum.verdict(balls.interval(digits(v)), claim)
    except (Undecided, Undefined):
        return OPEN
    return verdict, value, expected


def digits(number):
    """Return a number as a text that the checker reads."""
    return mpmath.nstr(number, DIGITS, strip_zeros=False) if isinstance(number, mpmath.mpf) else str(number)


def _finite(places):
    return [place for place in map(sp.sympify, places) if place.is_finite is not False]


def _slopes(q, setting, draw, numbers, unit):
    """(slopes, whether one of them has to be decided): of each part, beyond each end, and the knots."""
    ends = (q.parts[0].low, q.parts[-1].high) if q.parts else (q.knots[0].place,) * 2
    for part in q.parts:
        inside = places(setting.enter(part.low) / unit, setting.enter(part.high) / unit, draw, 2 * EACH)
        near = [v for v in inside if abs(v) < FAR][:: max(1, len(inside) // EACH)] or inside[:1]
        yield [v * number(unit) for v in near], True
    for end, side in zip(ends, (-1, 1), strict=True):
        if sp.sympify(end).is_finite is not False:
            place = value_at(end, numbers)
            yield [place + side * share * max(number(unit), abs(place)) for share in BEYOND], True
    yield [value_at(knot.place, numbers) for knot in q.knots], False
