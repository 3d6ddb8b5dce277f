"""Claims of a proof that q is the conjugate of the closed convex p, each accepted or rejected.

`reading` reads the file and defines its contents; then pieces and spans have
to be in order and none of them, nor a range of parameters, empty.

By (cover) p is the typed function. By (convex) p'' >= 0 on every piece, and where pieces meet values agree
and slopes are in order, so p is convex, and a line of slope v that touches it at u, that is
p'(u-) <= v <= p'(u+), lies below it: with q(v) = u v - p(u) this is (bound) and (attained) at once.
Where convexity is not shown, (bound) is tried by itself: p(u) + q(v) - u v >= 0 on each pair of faces.
(unbounded) off the domain of q, p grows at most with the slope at its end, so that u v - p(u) is unbounded.
Where parameters are excluded, a chord shows that p is not convex, or p is finite nowhere.
"""

import itertools
from typing import NamedTuple

from workbench.conjugates.convex.checker import balls, grammar, reading
from workbench.conjugates.convex.checker.forms import BUDGET, Undecided, Undefined, settled
from workbench.conjugates.convex.checker.grammar import (
    INFINITY,
    MINUS_INFINITY,
    add,
    derivative,
    negative,
    substitute,
    times,
)
from workbench.conjugates.convex.checker.reading import EPS, LARGE, VERSION, ProofError

__all__ = ["EPS", "INFINITY", "LARGE", "MINUS_INFINITY", "NAMES", "VERSION", "Proof", "ProofError", "check"]
NAMES = ("cover", "convex", "bound", "attained", "unbounded")
NEVER = ("not", grammar.TRUE)


class Claim(NamedTuple):
    """One claim: whether it was shown, and what is missing where it was not."""

    name: str
    shown: bool
    detail: str


class Rejected(Exception):
    """A step that was not shown, in words."""


def check(proof):
    """Return the claims of a proof, in the order of `NAMES`."""
    parsed = Proof(proof)
    results = []
    for name in NAMES:
        missing = getattr(parsed, name)()
        results.append(Claim(name, not missing, missing or DETAILS[name]))
    return results


DETAILS = {
    "cover": "the pieces are the typed function on its domain; the cases cover the parameters, except where "
    "p is shown not to be convex or to be finite nowhere",
    "convex": "p'' >= 0 on every piece, and where pieces meet p is continuous and its slopes are in order",
    "bound": "p(u) + q(v) - u v >= 0 for all u and v, so no gap is negative",
    "attained": "for every v in the domain of q some u, or a sequence of them, has u v - p(u) = q(v)",
    "unbounded": "off the domain of q, u v - p(u) is unbounded",
}


class Proof:
    """A proof that was read; each method gives what is missing of its claim, or ""."""

    def __init__(self, proof):
        self.reading = reading.read_proof(proof)
        self.parameters = self.reading.parameters
        self.cases = [
            _Case(self.reading, case, text["when"])
            for case, text in zip(self.reading.cases, proof["cases"], strict=True)
        ]
        self.excluded = [_Excluded(self.reading, *entry) for entry in self.reading.excluded]
        self._missing = {}

    def _each(self, name):
        """Return the missing step of a claim in the first case that lacks one; cached."""
        if name not in self._missing:
            self._missing[name] = next(filter(None, (case.missing(name) for case in self.cases)), "")
        return self._missing[name]

    def cover(self):
        if "all" not in self._missing:
            self._missing["all"] = self._each("in_order") or self._each("cover") or self._uncovered()
        return self._missing["all"]

    def _uncovered(self):
        """Return the missing step where no case holds; there p must have no conjugate."""
        for region in self.excluded:
            if missing := region.missing("refuted"):
                return missing
        ranges = [region.when for region in (*self.cases, *self.excluded)]
        outside = [("not", ("and", *conditions)) for conditions in ranges if conditions]
        if len(outside) < len(ranges) or _is_empty([*self.parameters, *outside]):
            return ""
        return "that the cases cover the declared parameters"

    def convex(self):
        return self.cover() or self._each("convex")

    def touching(self):
        """Return the missing step of the claim that every span has a line that touches p."""
        return self._each("touching")

    def bound(self):
        if not self.convex() and not self.touching():
            return self._each("bound_at_ends")
        return self.cover() or self._each("bound")

    def attained(self):
        return self.cover() or self.touching() or self._each("attained")

    def unbounded(self):
        return self.cover() or self._each("unbounded")


def _is_empty(conditions):
    """Return whether it is shown that conditions never hold together."""
    try:
        return settled(lambda face: face.holds(NEVER), conditions)
    except (Undecided, Undefined):
        return False


class _Range:
    """One range of the parameters."""

    def __init__(self, proof, when, text):
        self.u, self.v, self.typed, self.when = proof.u, proof.v, proof.typed, when
        self.inside_domain = proof.domain
        self.premises = [*proof.parameters, *when]
        self.text = f"for {' and '.join(text)}: " if text else ""

    def missing(self, name):
        """Return the missing step of a claim, or "" if its check ran to its end, which alone accepts it."""
        try:
            getattr(self, name)()
        except (Rejected, Undecided, Undefined, grammar.GrammarError) as error:
            return f"{self.text}{error}"
        except Exception as error:
            return f"{self.text}the check ended in {type(error).__name__}: {error}"
        return ""

    def inside(self, name, low, high):
        """Return the conditions of an open interval."""
        return [*self.premises, ("<", low, ("name", name)), ("<", ("name", name), high)]

    def show(self, conditions, goal, words, besides=None):
        """Reject where a condition does not follow."""
        self._settle(lambda face: face.holds(goal), conditions, words, besides)

    def show_equal(self, conditions, a, b, words, besides=None):
        self._settle(lambda face: face.is_zero(face.form(a) - face.form(b)), conditions, words, besides)

    @staticmethod
    def _settle(question, conditions, words, besides=None):
        try:
            answer = settled(question, conditions, besides)
        except (Undecided, Undefined) as error:
            raise Rejected(f"{words} ({error})") from None
        if not answer:
            raise Rejected(words)

    def substituted(self, tree, place):
        return substitute(tree, self.u, place)

    def _is_nowhere(self, low, high):
        def undefined(face):
            try:
                face.form(self.typed)
            except Undefined:
                return True
            return False

        return settled(undefined, self.inside(self.u, low, high))


class _Excluded(_Range):
    """A range without a conjugate."""

    def __init__(self, proof, conditions, chord):
        super().__init__(proof, conditions, ())
        self.chord = chord

    def refutes(self, chord):
        """Return whether a chord, as texts, would do."""
        self.chord = [grammar.parse(text) for text in chord]
        return not self.missing("refuted")

    def refuted(self):
        """Check that p lies above a chord between two places where it is finite, or is finite nowhere."""
        if not self.chord:
            if not self._is_nowhere(MINUS_INFINITY, INFINITY):
                raise Rejected("that p is finite nowhere for parameters that are excluded without a chord")
            return
        middle = times(grammar.HALF, add(*self.chord))
        self._settle(
            lambda face: self._is_above_chord(face, middle),
            self.premises,
            "that p is not convex for parameters that are excluded",
        )

    def _is_above_chord(self, face, middle):
        ends = add(*(self.substituted(self.typed, place) for place in self.chord))
        value = self.substituted(self.typed, middle)
        face.form(ends)
        try:
            face.form(value)
        except Undefined:
            return True
        return face.holds((">", times(grammar.number(2), value), ends))


class _Case(_Range):
    """One range with a conjugate."""

    def __init__(self, proof, case, text):
        super().__init__(proof, case.when, text)
        self.pieces, self.spans, self.knots, self.ends, self.endless = case[1:]
        # A domain of one point is one piece, from the point to itself, with all slopes there.
        self.is_point = len(self.pieces) == 1 and self.pieces[0][0] == self.pieces[0][1]

    def slope(self, k):
        return derivative(self.pieces[k][2], self.u)

    # --- claims

    def in_order(self):
        """Check that neither the range nor an interval is empty and that intervals follow each other."""
        if _is_empty(self.premises):
            raise Rejected("that some parameters are in the range of a case")
        for name, intervals in (("piece", self.pieces), ("span", self.spans)):
            for k, (low, high, *_) in enumerate(intervals, 1):
                if not (name == "piece" and self.is_point):
                    self.show(self.premises, ("<", low, high), f"that {name} {k} is not empty")
            for k, (before, after) in enumerate(itertools.pairwise(intervals), 1):
                self._same(before[1], after[0], f"that {name}s {k} and {k + 1} meet")
        for k, ((place, _), span) in enumerate(zip(self.knots, self.spans[1:], strict=False), 1):
            self._same(place, span[0], f"that knot {k} stands where spans meet")
        if not self.spans:
            value = self.knots[0][1]
            if value is None or any(end is None or end[0] is None for end in self.ends):
                raise Rejected("the value of q at its only slope")
            for end in self.ends:
                self._same(value, end[0], "that q has one value at its only slope")

    def cover(self):
        """Check that the typed formula equals the pieces and is infinite outside them."""
        for k, (low, high, value) in enumerate(self.pieces):
            inside, words = self.inside(self.u, low, high), f"that piece {k + 1} is the formula"
            if self.is_point:
                inside = [*self.premises, ("==", ("name", self.u), low)]
            # The limit fills a hole of the typed formula, since q is the same; a piece may not have a hole,
            # at which it might jump or be infinite.
            self.show(inside, self.inside_domain, f"that piece {k + 1} lies in the domain")
            self._settle(
                lambda face, p=value: bool(face.form(p)), inside, f"that piece {k + 1} is without a hole"
            )
            # Without it nothing else is shown: half of the time is kept for numbers.
            with BUDGET.limited_to(BUDGET.remaining / 2):
                self.show_equal(inside, self.typed, value, words, besides=self.u)
        for place, value in [*((high, value) for _, high, value in self.pieces), self.pieces[0][::2]]:
            if place not in (INFINITY, MINUS_INFINITY):
                self._settle(
                    lambda face, a=place, p=value: self._is_above(face, a, p),
                    self.premises,
                    "that the formula is not below its limit where a piece ends",
                )
        for low, high in ((MINUS_INFINITY, self.pieces[0][0]), (self.pieces[-1][1], INFINITY)):
            if low != INFINITY and high != MINUS_INFINITY and not self._is_nowhere(low, high):
                raise Rejected("that the formula is without a value beyond the pieces")

    def _is_above(self, face, place, value):
        """Return whether the typed formula is undefined or at least the piece's limit where a piece ends."""
        try:
            typed = face.form(self.substituted(self.typed, place))
        except Undefined:
            return True
        face.at_limits = True
        return face.is_(typed - face.form(self.substituted(value, place)), ">=")

    def _same(self, a, b, words):
        if a != b:
            self.show_equal(self.premises, a, b, words)

    def convex(self):
        if self.is_point:
            return
        for k, (low, high, _) in enumerate(self.pieces):
            bend = derivative(self.slope(k), self.u)
            alone = set().union(*map(grammar.names, (low, high, bend))) <= {self.u}
            # A third of the time, where it is limited: where p'' tends to 0, boxes come to no end.
            with BUDGET.limited_to(BUDGET.remaining / 3):
                if alone and balls.nonnegative(bend, self.u, low, high):
                    continue
            self.show(
                self.inside(self.u, low, high), (">=", bend, grammar.ZERO), f"that p'' >= 0 on piece {k + 1}"
            )
        for k, (before, after) in enumerate(zip(self.pieces, self.pieces[1:], strict=False)):
            place = after[0]
            for value in (before[2], after[2]):
                self.show_equal(
                    self.premises,
                    self.substituted(self.typed, place),
                    self.substituted(value, place),
                    f"that p is continuous where pieces {k + 1} and {k + 2} meet",
                )
            self.show(
                self.premises,
                ("<=", self.substituted(self.slope(k), place), self.substituted(self.slope(k + 1), place)),
                f"that the slopes are in order where pieces {k + 1} and {k + 2} meet",
            )

    def touching(self):
        """Check p'(u-) <= v <= p'(u+) and q(v) = u v - p(u) at the witness of every span."""
        if not self.spans:
            ((place, _), end) = self.domain(), self.ends[0]
            if len(self.pieces) > 1 or end is None or not self._touched(place, end):
                raise Rejected("that a straight line has its conjugate at one slope")
            return
        for k, (low, high, value, witness, piece) in enumerate(self.spans):
            if value is None or witness is None:
                raise Rejected("a closed form of q on a span of slopes")
            self._touches(
                self.inside(self.v, low, high), ("name", self.v), value, witness, piece, f"span {k + 1}"
            )
        for (place, value), before, after in zip(self.knots, self.spans, self.spans[1:], strict=False):
            self._continues(place, value, (before[2], after[2]))

    def _continues(self, place, value, formulas):
        """Check that the value at a knot is the formula's on one side; q is continuous inside its domain."""
        if not any(self._is_limit(place, value, formula) for formula in formulas):
            raise Rejected("the value of q where two spans meet")

    def _is_limit(self, place, value, formula):
        """Return whether a value is the limit of a formula of q at a place."""

        def same(face):
            face.at_limits = True
            return face.is_zero(face.form(value) - face.form(substitute(formula, self.v, place)))

        try:
            return value is not None and formula is not None and settled(same, self.premises)
        except (Undecided, Undefined):
            return False

    def _touches(self, conditions, v, value, witness, piece, where):
        # The supremum is continuous in v inside its domain: single slopes may be left out.
        besides = self.v
        if piece is None:
            for k, end, kind in self._sides(witness):
                self.show(
                    conditions,
                    (kind, self.substituted(self.slope(k), end), v),
                    f"that the line of {where} touches p",
                    besides,
                )
            k = next(k for k, (low, high, _) in enumerate(self.pieces) if witness in (low, high))
        else:
            k = piece
            low, high, _ = self.pieces[k]
            for bound, kind in ((low, "<="), (high, ">=")):
                if bound not in (INFINITY, MINUS_INFINITY):
                    self.show(
                        conditions,
                        (kind, bound, witness),
                        f"that the witness of {where} lies in its piece",
                        besides,
                    )
            self.show_equal(
                conditions,
                self.substituted(self.slope(k), witness),
                v,
                f"that the line of {where} touches p",
                besides,
            )
        height = add(times(witness, v), negative(self.substituted(self.pieces[k][2], witness)))
        self.show_equal(conditions, value, height, f"that q is the height of the line of {where}", besides)

    def _sides(self, place):
        """(piece, place, how its slope there stands to v) of the pieces that meet or end at a place."""
        if self.is_point and place == self.pieces[0][0]:
            return []
        sides = [(k, place, "<=") for k, piece in enumerate(self.pieces) if piece[1] == place]
        sides += [(k, place, ">=") for k, piece in enumerate(self.pieces) if piece[0] == place]
        if not sides:
            raise Rejected("that a witness stands where pieces meet or end")
        return sides

    def domain(self):
        """Return the ends of the domain of q, as trees."""
        if not self.spans:
            return (self.knots[0][0],) * 2
        return self.spans[0][0], self.spans[-1][1]

    def bound_at_ends(self):
        """Check that q at an end is at least the supremum, where it is not a limit and no line touches."""
        for side, place, end in zip((0, 1), self.domain(), self.ends, strict=True):
            if end is not None and not self.closes(side) and not self._touched(place, end):
                self._bounded(self.premises, place, end[0])

    def closes(self, side):
        """Return whether the value at an end is the limit of the formula, as a closed function requires."""
        end = self.ends[side]
        return bool(self.spans and end and self._is_limit(self.domain()[side], end[0], self.spans[-side][2]))

    def _touched(self, place, end):
        value, witness = end
        if value is None:
            raise Rejected("a closed form of q at an end of its domain")
        if witness is None or EPS in grammar.names(witness):
            return False
        for piece in (None, *range(len(self.pieces))):
            try:
                self._touches(self.premises, place, value, witness, piece, "an end")
                return True
            except (Rejected, Undecided, Undefined, grammar.GrammarError):
                continue
        return False

    def _bounded(self, conditions, v, q):
        for k, (low, high, value) in enumerate(self.pieces):
            gap = add(value, q, negative(times(("name", self.u), v)))
            inside = self.inside(self.u, low, high)[len(self.premises) :]
            self.show(
                [*conditions, *inside],
                (">=", gap, grammar.ZERO),
                f"that p(u) + q(v) - u v >= 0 on piece {k + 1}",
            )

    def bound(self):
        """Check p(u) + q(v) - u v >= 0 on each pair of open faces; continuity carries it to their ends."""
        for low, high, value, *_ in self.spans:
            if value is None:
                raise Rejected("a closed form of q")
            self._bounded(self.inside(self.v, low, high), ("name", self.v), value)
        for (place, value), before, after in zip(self.knots, self.spans, self.spans[1:], strict=False):
            self._continues(place, value, (before[2], after[2]))
        self.bound_at_ends()

    def reaches(self, side, witness):
        """Return whether a witness would do at one end of the domain of q."""
        place, end = self.domain()[side], self.ends[side]
        try:
            if end is None:
                self._exceeds(place, witness)
            elif not self._touched(place, (end[0], witness)):
                self._approaches(place, end[0], witness)
        except (Rejected, Undecided, Undefined, grammar.GrammarError):
            return False
        return True

    def _approaches(self, place, value, witness):
        short = add(value, negative(times(witness, place)), self.substituted(self.typed, witness))
        self.show(
            [*self.premises, (">", ("name", EPS), grammar.ZERO)],
            ("<=", short, ("name", EPS)),
            "that the value of q at an end of its domain is approached",
        )

    def _exceeds(self, place, witness):
        height = add(times(witness, place), negative(self.substituted(self.typed, witness)))
        self.show(
            [*self.premises, (">", ("name", LARGE), grammar.ONE)],
            (">=", height, ("name", LARGE)),
            "that u v - p(u) is unbounded at an open end of the domain of q",
        )

    def attained(self):
        """Check that q is attained at the ends of its domain: as a limit, exactly, or within any eps > 0."""
        for side, place, end in zip((0, 1), self.domain(), self.ends, strict=True):
            if end is None or self.closes(side) or self._touched(place, end):
                continue
            if place in (INFINITY, MINUS_INFINITY):
                raise Rejected("that an infinite end belongs to no domain")
            value, witness = end
            if witness is None:
                raise Rejected("a sequence that approaches the value of q at an end of its domain")
            self._approaches(place, value, witness)

    def unbounded(self):
        for side, place, end in zip((0, 1), self.domain(), self.ends, strict=True):
            if place in (INFINITY, MINUS_INFINITY):
                continue
            k = -side
            low, high, _ = self.pieces[k]
            if (high if side else low) not in (INFINITY, MINUS_INFINITY):
                raise Rejected("that u goes on without end where the domain of q ends")
            kind = "<=" if side else ">="
            self.show(
                self.inside(self.u, low, high),
                (kind, self.slope(k), place),
                "that p grows at most with the slope at an end of the domain of q",
            )
            if end is None:
                witness = self.endless[side]
                if witness is None:
                    raise Rejected("that u v - p(u) is unbounded at an open end of the domain of q")
                self._exceeds(place, witness)
