"""Claims of a proof that q is the conjugate of the closed convex p, each accepted or rejected.

A proof is plain data (JSON), all formulas as text in the grammar of what is typed:

    version     1
    function    {"text", "variable", "domain": condition or "", "parameters": {name: [conditions]}}
    dual        the name of the variable of q
    cases       [{"when": [conditions],
                  "pieces": [[low, high, p]],              p on consecutive open intervals
                  "spans": [[low, high, q, witness, k]],   q on consecutive open intervals of slopes; the
                                                           supremum stands at u = witness, in piece k, or
                                                           where pieces meet or end if k is null
                  "knots": [[place, q]],                   between spans
                  "ends": [end, end]}]                     null: does not belong to the domain of q;
                                                           or [q, witness]; the witness may hold _eps
                  "endless": [witness, witness]            of ends that do not belong: u(_M), or null
    excluded    [[conditions]]                             values of the parameters without a result

What follows from what. On (cover) p is the typed function; (convex) p'' >= 0 on every piece, and where pieces
meet values agree and slopes are in order, so p is convex, and a line of slope v that touches it at u, that
is p'(u-) <= v <= p'(u+), lies below it: with q(v) = u v - p(u) this is (bound) and (attained) at once.
Where convexity is not shown, (bound) is tried by itself: p(u) + q(v) - u v >= 0 on each pair of faces.
(unbounded) off the domain of q, p grows at most with the slope at its end, so that u v - p(u) has no bound.
"""

from typing import NamedTuple

from workbench.convex.checker import balls, grammar
from workbench.convex.checker.forms import BUDGET, Undecided, Undefined, settled
from workbench.convex.checker.grammar import (
    INFINITY,
    MINUS_INFINITY,
    add,
    derivative,
    negative,
    substitute,
    times,
)

VERSION = 1
NAMES = ("cover", "convex", "bound", "attained", "unbounded")
# Names that no typed formula can have.
EPS, LARGE = "_eps", "_M"
# Formulas with these may jump or bend where their slope is asked for.
SWITCHES = {"abs", "sign", "max", "min", "cases"}


class Claim(NamedTuple):
    """One claim: whether it was shown, and what is missing where it was not."""

    name: str
    shown: bool
    detail: str


class Rejected(Exception):
    """A step that was not shown, in words."""


class ProofError(Exception):
    """A proof file that cannot be read."""


def check(proof):
    """The claims of a proof, in the order of `NAMES`."""
    parsed = Proof(proof)
    results = []
    for name in NAMES:
        missing = getattr(parsed, name)()
        results.append(Claim(name, not missing, missing or DETAILS[name]))
    return results


DETAILS = {
    "cover": "the pieces are the typed function on its domain, and the cases cover the parameters",
    "convex": "p'' >= 0 on every piece, and where pieces meet p is continuous and its slopes are in order",
    "bound": "p(u) + q(v) - u v >= 0 for all u and v, so no gap is negative",
    "attained": "for every v in the domain of q some u, or a sequence of them, has u v - p(u) = q(v)",
    "unbounded": "off the domain of q, u v - p(u) has no bound",
}


class Proof:
    """A proof that was read; each method gives what is missing of its claim, or ""."""

    def __init__(self, proof):
        try:
            if proof["version"] != VERSION:
                raise ProofError(f"version {proof['version']!r} is not {VERSION}")
            function = proof["function"]
            self.u, self.v = function["variable"], proof["dual"]
            self.declared = set(function["parameters"])
            self.names = {self.u, *self.declared}
            if self.v in self.names or any(name.startswith("_") for name in (self.v, *self.names)):
                raise ValueError("the names of u, v and the parameters differ, and none begins with _")
            self.parameters = [
                grammar.read_condition(text) for texts in function["parameters"].values() for text in texts
            ]
            self.typed = grammar.read(function["text"])
            if function["domain"]:
                inside = grammar.read_condition(function["domain"])
                self.typed = ("cases", (self.typed, inside), (INFINITY, grammar.TRUE))
            self.cases = [_Case(self, case) for case in proof["cases"]]
            self.excluded = [[grammar.read_condition(text) for text in texts] for texts in proof["excluded"]]
            self.keep([*self.parameters, *(each for conditions in self.excluded for each in conditions)])
        except (KeyError, TypeError, ValueError, grammar.GrammarError) as error:
            raise ProofError(f"{type(error).__name__}: {error}") from None
        if strange := grammar.names(self.typed) - self.names:
            raise ProofError(f"{min(strange)} is no declared parameter")
        self._missing = {}

    def keep(self, trees, *more):
        """Refuse trees with other names than the parameters and some more."""
        for tree in trees:
            if tree is not None and (strange := grammar.names(tree) - self.declared - set(more)):
                raise ValueError(f"{min(strange)} has no place in a condition, an end or a value here")

    def _each(self, name):
        """What is missing of a claim in the first case that lacks something; kept."""
        if name not in self._missing:
            self._missing[name] = ""
            for case in self.cases:
                try:
                    getattr(case, name)()
                except (Rejected, Undecided, Undefined, grammar.GrammarError) as error:
                    self._missing[name] = f"{case.text}{error}"
                    break
                except Exception as error:
                    # A claim is accepted where its check ends, and in no other way.
                    self._missing[name] = f"{case.text}the check ended in {type(error).__name__}: {error}"
                    break
        return self._missing[name]

    def cover(self):
        if not self.cases:
            return "there is no case"
        if missing := self._each("cover"):
            return missing
        outside = [("not", ("and", *case.when)) for case in self.cases if case.when]
        outside += [("not", ("and", *conditions)) for conditions in self.excluded]
        if len(outside) < len(self.cases) + len(self.excluded):
            return ""
        try:
            never = settled(lambda face: face.holds(("not", grammar.TRUE)), [*self.parameters, *outside])
        except (Undecided, Undefined):
            never = False
        return "" if never else "that the cases cover the declared parameters"

    def convex(self):
        return self.cover() or self._each("convex")

    def touching(self):
        """Every span has a line that touches p."""
        return self._each("touching")

    def bound(self):
        if not self.convex() and not self.touching():
            return self._each("bound_at_ends")
        return self.cover() or self._each("bound")

    def attained(self):
        return self.cover() or self.touching() or self._each("attained")

    def unbounded(self):
        return self.cover() or self._each("unbounded")


class _Case:
    """One range of the parameters."""

    def __init__(self, proof, case):
        self.u, self.v, self.typed = proof.u, proof.v, proof.typed
        self.when = [grammar.read_condition(text) for text in case["when"]]
        self.text = f"for {' and '.join(case['when'])}: " if case["when"] else ""
        self.premises = [*proof.parameters, *self.when]
        self.pieces = [tuple(map(grammar.read, piece)) for piece in case["pieces"]]
        self.spans = [(*map(_maybe, span[:4]), span[4]) for span in case["spans"]]
        self.knots = [tuple(map(_maybe, knot)) for knot in case["knots"]]
        self.ends = [end and tuple(map(_maybe, end)) for end in case["ends"]]
        self.endless = [_maybe(witness) for witness in case["endless"]]
        if not self.pieces or len(self.ends) != 2 or len(self.endless) != 2:
            raise ValueError("a case has at least one piece, two ends and two witnesses")
        if len(self.knots) != max(1, len(self.spans)) - bool(self.spans):
            raise ValueError("a case has a knot between any two spans, or one knot and no span")
        proof.keep(self.when)
        for low, high, value in self.pieces:
            proof.keep((low, high))
            proof.keep((value,), self.u)
            if grammar.kinds(value) & SWITCHES:
                raise ValueError("a piece is one smooth formula, without abs, sign, max, min and cases")

        for low, high, value, witness, _ in self.spans:
            proof.keep((low, high))
            proof.keep((value, witness), self.v)
        for place, value in self.knots:
            proof.keep((place, value))
        for end in self.ends:
            proof.keep(end or (), EPS)
            proof.keep((end or ())[:1])
        proof.keep(self.endless, LARGE)

    # --- faces

    def inside(self, name, low, high, *more):
        """The conditions of an open interval."""
        conditions = list(self.premises)
        if low != MINUS_INFINITY:
            conditions.append(("<", low, ("name", name)))
        if high != INFINITY:
            conditions.append(("<", ("name", name), high))
        return [*conditions, *more]

    def show(self, conditions, goal, words, besides=None):
        """Reject where a condition does not follow."""
        self._settle(lambda face: face.holds(goal), conditions, words, besides)

    def show_equal(self, conditions, a, b, words, besides=None):
        self._settle(lambda face: face.is_zero(face.form(a) - face.form(b)), conditions, words, besides)

    @staticmethod
    def _settle(question, conditions, words, besides):
        try:
            answer = settled(question, conditions, besides)
        except (Undecided, Undefined) as error:
            raise Rejected(f"{words} ({error})") from None
        if not answer:
            raise Rejected(words)

    def at(self, tree, place):
        return substitute(tree, self.u, place)

    def slope(self, k):
        return derivative(self.pieces[k][2], self.u)

    # --- claims

    def cover(self):
        """The typed formula is the pieces, and infinite beside them."""
        for k, (low, high, value) in enumerate(self.pieces):
            self._in_order(low, high, f"that piece {k + 1} is not empty")
            # Single places without a value are holes, which the limit fills: q is the same.
            inside, words = self.inside(self.u, low, high), f"that piece {k + 1} is the formula"
            # Without it nothing else is shown: half of the time is kept for numbers.
            with BUDGET.of(BUDGET.remaining / 2):
                self.show_equal(inside, self.typed, value, words, besides=self.u)
            if k:
                self._same(self.pieces[k - 1][1], low, "that the pieces meet")
        for place, value in [*((high, value) for _, high, value in self.pieces), self.pieces[0][::2]]:
            if place not in (INFINITY, MINUS_INFINITY):
                self._settle(
                    lambda face, a=place, p=value: self._is_above(face, a, p),
                    self.premises,
                    "that the formula is not below its limit where a piece ends",
                    None,
                )
        for low, high in ((MINUS_INFINITY, self.pieces[0][0]), (self.pieces[-1][1], INFINITY)):
            if low != INFINITY and high != MINUS_INFINITY and not self._is_nowhere(low, high):
                raise Rejected("that the formula has no value beyond the pieces")

    def _is_above(self, face, place, value):
        """Whether the typed formula has no value where a piece ends, or none below the limit of the piece."""
        try:
            typed = face.form(self.at(self.typed, place))
        except Undefined:
            return True
        face.at_limits = True
        return face.is_(typed - face.form(self.at(value, place)), ">=")

    def _in_order(self, low, high, words):
        if low != MINUS_INFINITY and high != INFINITY:
            self.show(self.premises, ("<", low, high), words)
        elif low == INFINITY or high == MINUS_INFINITY:
            raise Rejected(words)

    def _same(self, a, b, words):
        if a != b:
            self.show_equal(self.premises, a, b, words)

    def _is_nowhere(self, low, high):
        def undefined(face):
            try:
                face.form(self.typed)
            except Undefined:
                return True
            return False

        return settled(undefined, self.inside(self.u, low, high))

    def convex(self):
        for k, (low, high, _) in enumerate(self.pieces):
            bend = derivative(self.slope(k), self.u)
            alone = set().union(*map(grammar.names, (low, high, bend))) <= {self.u}
            # A third of the time, where it is limited: where p'' tends to 0, boxes come to no end.
            with BUDGET.of(BUDGET.remaining / 3):
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
                    self.at(self.typed, place),
                    self.at(value, place),
                    f"that p is continuous where pieces {k + 1} and {k + 2} meet",
                )
            self.show(
                self.premises,
                ("<=", self.at(self.slope(k), place), self.at(self.slope(k + 1), place)),
                f"that the slopes are in order where pieces {k + 1} and {k + 2} meet",
            )

    def touching(self):
        """p'(u-) <= v <= p'(u+) at the witness of every span, and q(v) = u v - p(u)."""
        if not self.spans:
            ((place, _), end) = self.domain(), self.ends[0]
            if len(self.pieces) > 1 or end is None or not self._touched(place, end):
                raise Rejected("that a straight line has its conjugate at one slope")
            return
        for k, (low, high, value, witness, piece) in enumerate(self.spans):
            if value is None or witness is None:
                raise Rejected("a closed form of q on a span of slopes")
            if k:
                self._same(self.spans[k - 1][1], low, "that the spans meet")
            self._touches(
                self.inside(self.v, low, high), ("name", self.v), value, witness, piece, f"span {k + 1}"
            )
        for (place, value), before, after in zip(self.knots, self.spans, self.spans[1:], strict=False):
            self._same(place, after[0], "that a knot stands where spans meet")
            self._continues(place, value, (before[2], after[2]))

    def _continues(self, place, value, formulas):
        """The value at a knot is that of the formula on one side; q is continuous inside its domain."""
        for formula in formulas:
            try:
                self.show_equal(self.premises, value, substitute(formula, self.v, place), "a knot")
                return
            except (Rejected, Undecided, Undefined):
                continue
        raise Rejected("the value of q where two spans meet")

    def _touches(self, conditions, v, value, witness, piece, where):
        # The supremum is continuous in v inside its domain: single slopes may be left out.
        besides = self.v
        if piece is None:
            for k, end, kind in self._sides(witness):
                self.show(
                    conditions,
                    (kind, self.at(self.slope(k), end), v),
                    f"that the line of {where} touches p",
                    besides,
                )
            k = next(k for k, (low, high, _) in enumerate(self.pieces) if witness in (low, high))
        else:
            k = piece
            if type(k) is not int or not 0 <= k < len(self.pieces):
                raise Rejected(f"piece {k!r} of {where}")
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
                conditions, self.at(self.slope(k), witness), v, f"that the line of {where} touches p", besides
            )
        height = add(times(witness, v), negative(self.at(self.pieces[k][2], witness)))
        self.show_equal(conditions, value, height, f"that q is the height of the line of {where}", besides)

    def _sides(self, place):
        """(piece, place, how its slope there stands to v) of the pieces that meet or end at a place."""
        sides = [(k, place, "<=") for k, piece in enumerate(self.pieces) if piece[1] == place]
        sides += [(k, place, ">=") for k, piece in enumerate(self.pieces) if piece[0] == place]
        if not sides:
            raise Rejected("that a witness stands where pieces meet or end")
        return sides

    def domain(self):
        """The ends of the domain of q, as trees."""
        if not self.spans:
            return (self.knots[0][0],) * 2
        return self.spans[0][0], self.spans[-1][1]

    def bound_at_ends(self):
        """q at an end is no smaller than the supremum, where it is no limit and no line touches."""
        for side, place, end in zip((0, 1), self.domain(), self.ends, strict=True):
            if end is not None and not self.closes(side) and not self._touched(place, end):
                self._bounded(self.premises, place, end[0])

    def closes(self, side):
        """Whether the value at an end is the limit of the formula, as that of a closed convex function is."""
        if not self.spans or self.ends[side] is None or self.ends[side][0] is None:
            return False
        place, value = self.domain()[side], self.ends[side][0]
        formula = self.spans[-side][2]

        def same(face):
            face.at_limits = True
            return face.is_zero(face.form(value) - face.form(substitute(formula, self.v, place)))

        try:
            return formula is not None and settled(same, self.premises)
        except (Undecided, Undefined):
            return False

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
        """p(u) + q(v) - u v >= 0 on each pair of open faces, which continuity carries to their ends."""
        for low, high, value, *_ in self.spans:
            if value is None:
                raise Rejected("a closed form of q")
            self._bounded(self.inside(self.v, low, high), ("name", self.v), value)
        for knot, before, after in zip(self.knots, self.spans, self.spans[1:], strict=False):
            self._continues(*knot, (before[2], after[2]))
        self.bound_at_ends()

    def reaches(self, side, witness):
        """Whether a witness would do at one end of the domain of q."""
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
        short = add(value, negative(times(witness, place)), self.at(self.typed, witness))
        self.show(
            [*self.premises, (">", ("name", EPS), grammar.ZERO)],
            ("<=", short, ("name", EPS)),
            "that the value of q at an end of its domain is approached",
        )

    def _exceeds(self, place, witness):
        height = add(times(witness, place), negative(self.at(self.typed, witness)))
        self.show(
            [*self.premises, (">", ("name", LARGE), grammar.ONE)],
            (">=", height, ("name", LARGE)),
            "that u v - p(u) has no bound at an open end of the domain of q",
        )

    def attained(self):
        """At an end of the domain of q: as a limit, exactly, or within any eps > 0."""
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
                    raise Rejected("that u v - p(u) has no bound at an open end of the domain of q")
                self._exceeds(place, witness)


def _maybe(text):
    return None if text is None else grammar.read(text)
