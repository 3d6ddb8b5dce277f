"""The conjugate that is evaluated, part by part and knot by knot, against the slopes of p.

The ends of its parts and its knots cut the line of slopes. On every interval between two cuts, the part
that a call would take has to be the formula of the slot of slopes there; at every cut, the value that a
call would give has to be the supremum there, or +oo off the domain.
"""

from itertools import pairwise
from typing import NamedTuple

import mpmath
import sympy as sp

from workbench.convex.evaluation import at
from workbench.convex.function import ConvexFunction
from workbench.convex.identity import conjugate_identity, is_zero
from workbench.convex.proof import Claim
from workbench.convex.skeleton import skeleton
from workbench.convex.wording import interval

NO_FORM = "missing step: no closed form; q is computed by bisection on p'(u) = v"
DIFFERENT = mpmath.mpf(10) ** -15


class Unordered(Exception):
    """It is not known which of two places comes first."""


class Found(NamedTuple):
    """A part of q in the symbols of the setting, with the places of its ends among the cuts."""

    part: object
    expr: sp.Expr
    first: int
    last: int


def judge(pair, function):
    """The claims about a function as the conjugate of the `Shape` of a pair."""
    if type(function) is not ConvexFunction or "evaluator" in vars(function):
        return [Claim("evaluation", "checked", "missing step: q is computed by code that is not known here")]
    try:
        return _Judge(pair, function).claims()
    except Unordered as doubt:
        return [Claim("domain", "checked", f"missing step: {doubt}")]


class _Judge:
    def __init__(self, pair, function):
        self.pair, self.setting, self.shape = pair, pair.setting, pair.shape
        self.function, self.v = function, function.variable
        enter = self.setting.enter
        self.slots = skeleton(self.shape, self.setting)
        self.ends = [(enter(part.low), enter(part.high)) for part in function.parts]
        self.knots = [(enter(knot.place), enter(knot.value)) for knot in function.knots]
        self.cuts = self._sorted_cuts()
        self.parts = [
            Found(part, enter(part.expr), self._index(low), self._index(high))
            for part, (low, high) in zip(function.parts, self.ends, strict=True)
        ]

    # --- cuts in order

    def _sorted_cuts(self):
        cuts = [-sp.oo, sp.oo]
        places = [end for slot in self.slots for end in (slot.low, slot.high)]
        if not self.slots:
            places.append(self.shape.slopes[0][0])
        for place in [*places, *(end for ends in self.ends for end in ends), *(k for k, _ in self.knots)]:
            if place in cuts:
                continue
            position = next((k for k, cut in enumerate(cuts) if self._order(cut, place) <= 0), len(cuts))
            if self._order(cuts[position], place) != 0:
                cuts.insert(position, place)
        return cuts

    def _order(self, cut, place):
        """The sign of place - cut."""
        if cut == place:
            return 0
        if cut == -sp.oo or place == sp.oo:
            return 1
        if cut == sp.oo or place == -sp.oo:
            return -1
        sign = self.setting.peek(place - cut)
        if sign is None:
            leave = self.setting.leave
            raise Unordered(f"which of {leave(cut)} and {leave(place)} comes first")
        return sign

    def _index(self, place):
        return next(k for k, cut in enumerate(self.cuts) if cut == place or self._order(cut, place) == 0)

    # --- intervals between cuts

    def claims(self):
        matched, found = {}, []
        for k, _ in enumerate(pairwise(self.cuts)):
            slot, part = self._slot(k), self._part(k)
            if (slot is None) != (part is None):
                found.append(Claim("domain", "failed", self._uncovered(k, slot)))
            elif slot is not None:
                matched.setdefault((slot, id(part)), (slot, part, []))[2].append(k)
        found += [self._piece(*match) for match in matched.values() if match[0].index is not None]
        lines = [match[:2] for match in matched.values() if match[0].index is None]
        wrong = [slot for slot, part in lines if not self._line(slot, part)]
        if wrong:
            place = self.setting.leave(wrong[0].at)
            found.append(Claim("places", "checked", f"missing step: q(v) = a v - p(a) at a = {place}"))
        else:
            found.append(Claim("places", "proved", self._places_detail()))
        return [*found, self._values()]

    def _places_detail(self):
        if any(slot.index is None for slot in self.slots):
            return "q(v) = a v - p(a) between the slopes at every kink and finite end a, as it is evaluated"
        return "there is no kink, and no end of the domain with a finite value"

    def _slot(self, k):
        return next((slot for slot in self.slots
                     if self._index(slot.low) <= k and self._index(slot.high) > k), None)  # fmt: skip

    def _part(self, k):
        return next((part for part in self.parts if part.first <= k < part.last), None)

    def _uncovered(self, k, slot):
        low, high = (self.setting.leave(cut) for cut in self.cuts[k : k + 2])
        if slot is None:
            return f"q is finite for v between {low} and {high}, where no line of that slope lies below p"
        return f"q is +oo for v between {low} and {high}, where the supremum is finite"

    def _line(self, slot, part):
        return not part.part.implicit and is_zero(part.expr - slot.at * self.v + slot.value)

    def _piece(self, slot, part, intervals):
        piece, leave = self.shape.pieces[slot.index], self.setting.leave
        reach = self._reach(slot, piece, intervals)
        name = f"piece on {interval(leave(reach.low), leave(reach.high))}"
        if part.part.implicit and part.part.inverse is None:
            return Claim(name, "failed", "q has neither a closed form nor a function to invert")
        if part.part.inverse is not None and not self._same_inverse(part.part.inverse, piece, intervals):
            return Claim(name, "checked", "missing step: q falls back on numbers of another function than p")
        if part.part.implicit:
            return Claim(name, "checked", NO_FORM)
        if conjugate_identity(part.expr, self.v, reach, self.shape.u):
            return Claim(name, "proved", "q(p'(u)) = u p'(u) - p(u) identically in u")
        missing = "missing step: q(p'(u)) - u p'(u) + p(u) simplifies to 0; it is 0 at the sampled points"
        return Claim(name, "checked", missing)

    def _same_inverse(self, inverse, piece, intervals):
        """Whether it is that of the piece, on an interval whose slopes are those that are asked for."""
        mine, low, high = (self.setting.enter(form) for form in (inverse.piece, inverse.low, inverse.high))
        u = self.shape.u
        if inverse.variable != u or not (mine == piece.expr or is_zero(mine - piece.expr)):
            return False
        slope = sp.diff(piece.expr, u)
        first, last = self.cuts[intervals[0]], self.cuts[intervals[-1] + 1]
        below = low == piece.low or self._is_slope(slope, u, low, first, -1)
        return below and (high == piece.high or self._is_slope(slope, u, high, last, 1))

    def _is_slope(self, slope, u, end, cut, side):
        """Whether the slope at an end of the inverse's interval reaches the cut."""
        return end.is_finite is not False and self._order(cut, slope.subs(u, end)) in (0, side)

    def _reach(self, slot, piece, intervals):
        """The part of the piece that these slopes come from: half of it where it was cut at u = 0."""
        first, last = self.cuts[intervals[0]], self.cuts[intervals[-1] + 1]
        whole = (self._index(slot.low), self._index(slot.high)) == (intervals[0], intervals[-1] + 1)
        if whole:
            return piece
        u = self.shape.u
        middle = sp.diff(piece.expr, u).subs(u, 0)
        if self._index(slot.low) != intervals[0] and middle == first:
            return piece._replace(low=sp.S.Zero)
        return piece._replace(high=sp.S.Zero) if middle == last else piece

    # --- values at the cuts

    def _values(self):
        if self.setting.unproved:
            return Claim("domain", "checked", f"missing step: {self.setting.unproved[0]}")
        for k, cut in enumerate(self.cuts[1:-1], 1):
            given, wanted = self._given(k), self._wanted(k)
            if wanted is None:
                leave = self.setting.leave
                return Claim("domain", "checked", f"missing step: the value of the supremum at {leave(cut)}")
            if given != wanted and not (_is_finite(given, wanted) and is_zero(given - wanted)):
                return self._different(cut, given, wanted)
        return Claim("domain", "proved", "the slopes of p cover the domain of q as it is evaluated; its ends "
                     "are the limits of p'")  # fmt: skip

    def _given(self, k):
        """What a call gives at a cut."""
        for place, value in self.knots:
            if self._index(place) == k:
                return value
        part = next((part for part in self.parts if part.first < k < part.last), None)
        if part is None:
            return sp.oo
        return sp.nan if part.part.implicit else part.expr.subs(self.v, self.cuts[k])

    def _wanted(self, k):
        """The supremum at a cut."""
        cut = self.cuts[k]
        if not self.slots:
            at_slope = self._order(self.shape.slopes[0][0], cut) == 0
            return self.pair.ends[0] if at_slope and self.pair.ends[0] is not None else sp.oo
        before, after = self._slot(k - 1), self._slot(k)
        if before is None and after is None:
            return sp.oo
        for slot in (before, after):
            if slot is not None and slot.index is None:
                return slot.at * cut - slot.value
        if before is None or after is None:
            end = self.pair.ends[0 if before is None else 1]
            return sp.oo if end is None else end
        if before is not after:
            return self.shape.pieces[after.index].low * cut - self.shape.values[after.index][0]
        return self._inside_piece(k, before)

    def _inside_piece(self, k, slot):
        """The formula's own value, which its identity on both sides makes the supremum."""
        piece, u = self.shape.pieces[slot.index], self.shape.u
        if is_zero(sp.diff(piece.expr, u).subs(u, 0) - self.cuts[k]):
            return -piece.expr.subs(u, 0)
        part = self._part(k)
        if part is None or part.part.implicit:
            return None
        return part.expr.subs(self.v, self.cuts[k])

    def _different(self, cut, given, wanted):
        leave = self.setting.leave
        detail = f"q({leave(cut)}) is given as {leave(given)}, and the supremum is {leave(wanted)}"
        if _is_finite(given, wanted):
            apart = [abs(at(given - wanted, draw)) for draw in self.setting.draws]
            if not any(size > DIFFERENT for size in apart):
                return Claim("domain", "checked", f"missing step: {detail}, which are one number")
        return Claim("domain", "failed", detail)


def _is_finite(*values):
    """Whether all are numbers; of a/(2 - a) SymPy leaves it open, and the region settles it."""
    return not any(value.has(sp.oo, -sp.oo, sp.zoo, sp.nan) for value in values)
