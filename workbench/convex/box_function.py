"""An expression of one variable with its derivatives, as functions from boxes to proved bounds."""

from functools import cached_property

import sympy as sp

from workbench.convex.intervals import INF, REALS, Unbounded, add, compiled, exact, multiply
from workbench.convex.limited import attempt
from workbench.convex.tails import evaluated, interval_sign, sign_of_product

BOXES = 4000
# The starts of tails that are tried in turn, counted from zero or, as 1/w, from a finite end.
STARTS = (2, 8, 64, 1024, 2**20)
SPELLINGS = (sp.simplify, lambda e: sp.factor(sp.together(sp.expand(e.rewrite(sp.exp)))))


def named(boxes):
    """The status of a proof that took so many boxes."""
    return f"proved with interval arithmetic, {boxes} boxes" if boxes else "proved"


class Function:
    """An expression and its derivatives as functions of intervals, on an open interval of SymPy numbers."""

    def __init__(self, expression, u, low, high, values=None):
        given = {symbol: sp.nsimplify(value, rational=True) for symbol, value in (values or {}).items()}
        self.u = sp.Dummy("u", real=True)
        self.low, self.high = sp.sympify(low), sp.sympify(high)
        self.expression = sp.sympify(expression).xreplace(given).xreplace({u: self.u})
        strange = self.expression.free_symbols - {self.u}
        if strange:
            raise ValueError(f"{expression}: no value for {', '.join(sorted(map(str, strange)))}")
        self._images, self.boxes = {}, 0

    def derivative(self, order):
        return sp.diff(self.expression, self.u, order) if order else self.expression

    def image(self, box, order=0):
        """The interval of the derivative on a box; the whole line where the expression is not real."""
        if order not in self._images:
            try:
                self._images[order] = compiled(self.derivative(order), (self.u,))
            except Unbounded:
                self._images[order] = lambda _: REALS
        try:
            return self._images[order](box)
        except Unbounded:
            return REALS

    def bounds(self, box):
        """A narrower interval: the mean value form and, where the slope has a sign, the two ends."""
        low, high = self.image(box)
        slope = self.image(box, 1)
        if slope[0] > -INF and slope[1] < INF:
            first, last = self.image((box[0], box[0])), self.image((box[1], box[1]))
            if slope[0] >= 0 or slope[1] <= 0:
                bottom, top = (first, last) if slope[0] >= 0 else (last, first)
                return max(low, bottom[0]), min(high, top[1])
            middle = ((box[0] + box[1]) / 2).mid()
            reach = (box[0] - middle).lower(), (box[1] - middle).upper()
            mean = add(self.image((middle, middle)), multiply(slope, reach))
            low, high = max(low, mean[0]), min(high, mean[1])
        return low, high

    @cached_property
    def closed_roots(self):
        """The zeros that SymPy finds."""
        roots = attempt(sp.solve, self.expression, self.u, limit=1.0, default=())
        return roots if isinstance(roots, list) else []

    def spelled(self, form):
        """The same function by another formula."""
        return Function(form, self.u, self.low, self.high)

    def chart(self, side):
        """(expression in w, w, the way back): the end of that side lies at w = oo."""
        w = sp.Dummy("w", positive=True)
        end = self.low if side < 0 else self.high
        place = side * w if end.is_infinite else end - side / w
        form = self.expression.xreplace({self.u: place})
        return attempt(sp.powsimp, sp.expand(form) if form.is_polynomial(w) else form, default=form), w, place


def first_proved(search, f, boxes):
    """The first proved answer for one of several spellings of the expression, else the first answer."""
    answer = search(f, boxes)
    for spelling in SPELLINGS:
        if answer.proved:
            break
        form = attempt(spelling, f.expression, limit=1.0)
        if form is not None and form != f.expression:
            other = search(f.spelled(form), boxes)
            answer = other if other.proved else answer
    return answer


def sign_by_factors(expression, u, box):
    """The sign on a box, +1 for >= 0 and -1 for <= 0, as the product of the factors' signs; else None."""
    return sign_of_product(expression, lambda factor: interval_sign(evaluated(factor, u, box)))


def inside(f, cut):
    return bool(exact(f.low)[1] < cut[0]) and bool(cut[1] < exact(f.high)[0])
