"""The conjugate of one smooth convex piece: the root of p'(x) = v, and q(v) = v x(v) - p(x(v))."""

from typing import NamedTuple

import mpmath
import sympy as sp

from workbench.conjugates.convex import invert
from workbench.conjugates.convex.checker import balls, grammar
from workbench.conjugates.convex.checker.forms import Undecided, Undefined
from workbench.conjugates.convex.evaluation import DIGITS, compiled, value_at
from workbench.conjugates.convex.evidence import digits
from workbench.conjugates.convex.limited import OutOfTime, attempt, seconds
from workbench.conjugates.convex.primitives import formula
from workbench.conjugates.convex.samples import places
from workbench.conjugates.convex.tidy import textbook

# A root must give back x to this, relative to 1 + |x|: 40 digits less what a formula cancels.
AGREE = mpmath.mpf(10) ** -18
SEARCH_SECONDS = 4.0
SPELLING_SECONDS = 2.0
READABLE = 80
ARCS = {sp.atan: sp.tan, sp.asin: sp.sin, sp.acos: sp.cos}


class Solved(NamedTuple):
    """x(v) and q(v), for slopes v of one piece."""

    root: sp.Expr
    value: sp.Expr


def conjugate_piece(piece, u, v, setting, limit=SEARCH_SECONDS):
    """Return `Solved`, or None if no closed form was found within `limit` seconds."""
    result = attempt(_search, piece, u, v, setting, limit=limit)
    return result and result[0].solved(result[1])


def _search(piece, u, v, setting):
    for chart in _charts(piece, u, v, setting):
        for root in invert.solve(chart.slope, chart.X, chart.W):
            if chart.accepts(root):
                return chart, root
    return None


class Chart:
    """x = offset + sx X and v = sv W, with X and W positive where the piece allows it.

    SymPy merges powers and logarithms of positive symbols, and leaves those of real ones alone.
    """

    def __init__(self, piece, u, v, setting, offset, signs, positive):
        self.u, self.v, self.setting = u, v, setting
        self.sx, self.sv = signs
        self.offset, self.piece = offset, piece
        self.X = sp.Dummy("X", **{"positive" if positive[0] else "real": True})
        self.W = sp.Dummy("W", **{"positive" if positive[1] else "real": True})
        self.p = piece.expr.xreplace({u: offset + self.sx * self.X})
        # dp/dX = sx p'(x), and p'(x) = sv W
        self.slope = sp.powsimp(sp.diff(self.p, self.X) * self.sx * self.sv)
        self._samples = [self._sample(draw) for draw in setting.draws]

    def _sample(self, draw):
        """(draw, [(X, W, q)]) on the piece."""
        curvature = sp.diff(self.slope, self.X)
        p, slope, bend = (compiled(e, self.X, numbers=draw) for e in (self.p, self.slope, curvature))
        low, offset = self.piece.low, self.offset
        rows = []
        with mpmath.workdps(DIGITS):
            for place in places(low, self.piece.high, draw):
                X = self.sx * (place - value_at(offset, draw))
                W = slope(X)
                q = place * self.sv * W - p(X)
                # A nearly constant slope does not determine X to the available digits.
                error = abs(slope(X, digits=2 * DIGITS) - W) + mpmath.mpf(10) ** -DIGITS * abs(W)
                lost = error > AGREE / 100 * abs(bend(X)) * (abs(X) + 1)
                if mpmath.isfinite(q) and not lost:
                    rows.append((X, W, q))
        return draw, rows

    def accepts(self, root):
        """Return whether the root gives back X at every sample, and can be read by a person."""
        if root.has(sp.I) or sp.count_ops(root) > READABLE:
            return False
        return self._agrees(root, 0)

    def _agrees(self, expression, column):
        for draw, rows in self._samples:
            function = attempt(compiled, expression, self.W, numbers=draw)
            if function is None or len(rows) < 4:
                return False
            for X, W, q in rows:
                value, expected, size = function(W), (X, q)[column], (abs(X), abs(q) + abs(X * W))[column]
                if mpmath.isnan(value) or abs(value - expected) > AGREE * (1 + size):
                    return False
        return self._is_real(expression)

    def _is_real(self, expression):
        """Return whether all parts of the expression have real values at the samples, unlike acos(2)."""
        try:
            tree = grammar.parse(formula(expression))
        except grammar.GrammarError:
            return True
        for draw, rows in self._samples:
            values = {str(symbol): balls.interval(digits(value_at(t, {}))) for symbol, t in draw.items()}
            for _, W, _ in rows:
                try:
                    balls.evaluate(tree, {**values, str(self.W): balls.interval(digits(W))})
                except Undefined:
                    return False
                except Undecided:
                    continue
        return True

    def solved(self, root):
        root = self._plainest([root, *_collected(self._spellings(root), 1.0)], 0)
        raw = (self.offset + self.sx * root) * self.sv * self.W - self.p.xreplace({self.X: root})
        undone = _undone(raw)
        raw = undone if undone != raw and self._agrees(undone, 1) else raw
        forms = _collected(self._spellings(raw), SPELLING_SECONDS)
        forms += [-form for form in forms]
        value = self._plainest([raw, *forms], 1)
        back = {self.W: self.sv * self.v}
        return Solved(*(textbook(form.xreplace(back)) for form in (self.offset + self.sx * root, value)))

    def _spellings(self, expression):
        """Yield other forms of an expression, the quick ones first."""
        for form in _simpler(expression):
            yield form
            if form.has(sp.log):
                yield self._split_logarithms(form)
        if expression.has(sp.log):
            yield self._split_logarithms(expression)

    def _split_logarithms(self, expression):
        """Logarithms of products as sums, each factor with the sign that it has on the piece."""
        draw, rows = self._samples[0]
        values = {**draw, self.W: rows[len(rows) // 2][1]}

        def positive(factor):
            return factor if value_at(factor, values) > 0 else sp.expand(-factor)

        def split(argument):
            parts = []
            for side, sign in zip(sp.fraction(sp.factor(sp.together(argument))), (1, -1), strict=True):
                factors = [factor.as_base_exp() for factor in sp.Mul.make_args(side)]
                parts += [sign * power * sp.log(positive(base)) for base, power in factors if base != -1]
            return sp.Add(*parts)

        form = attempt(lambda: sp.expand(expression.replace(sp.log, split)), limit=1.5, default=expression)
        logarithms = sorted((node for node in form.atoms(sp.log) if node.has(self.W)), key=str)
        return sp.collect(form, logarithms, sp.factor)

    def _plainest(self, forms, column):
        """Return the shortest form that agrees with the samples; the first is right by construction."""
        first, *others = forms
        for form in sorted(dict.fromkeys(others), key=_length):
            if _length(form) < _length(first) and self._agrees(form, column):
                return form
        return first


def _charts(piece, u, v, setting):
    """Yield the piece as it stands, with signs known where they are, then counted from its finite end."""
    x_sign = _sign(piece.low, piece.high, setting)
    v_sign = _sign(piece.slopes[0], piece.slopes[1], setting)
    signs, positive = (x_sign or 1, v_sign or 1), (x_sign is not None, v_sign is not None)
    yield Chart(piece, u, v, setting, sp.S.Zero, signs, positive)
    for end, sign in ((piece.low, 1), (piece.high, -1)):
        if end.is_finite is not False and end != 0:
            yield Chart(piece, u, v, setting, end, (sign, v_sign or 1), (True, v_sign is not None))


def _sign(low, high, setting):
    """+1 or -1 where (low, high) lies on one side of zero, else None."""
    low, high = sp.sympify(low), sp.sympify(high)
    if all(value_at(low, draw) >= 0 for draw in setting.draws):
        return 1
    if all(value_at(high, draw) <= 0 for draw in setting.draws):
        return -1
    return None


def _collected(forms, budget):
    """Return the forms that are found within a number of seconds."""
    unique = []
    try:
        with seconds(budget):
            for form in forms:  # the forms before the limit stay
                unique.append(form)  # noqa: PERF402
    except OutOfTime:
        pass
    return unique


def _simpler(expression, limit=2.0):
    """Yield other spellings of the expression, none of them trusted."""
    ways = [
        lambda e: _in_lowest_terms(sp.powsimp(sp.powdenest(sp.expand(e), force=True), force=True)),
        sp.simplify,
        lambda e: sp.expand(sp.simplify(e)),
        lambda e: sp.simplify(sp.expand_log(sp.expand(e), force=True)),
        _under_one_root,
        lambda e: sp.radsimp(textbook(sp.simplify(e))),
    ]
    if expression.has(sp.LambertW):
        ways = [_without_exponential_of_w, lambda e: sp.simplify(_without_exponential_of_w(e)), *ways[:2]]
    for way in ways:
        form = attempt(way, expression, limit=limit)
        if form is not None and not form.has(sp.I, sp.zoo, sp.nan):
            yield form


def _undone(expression):
    """Return the expression with x for atan(tan(x)) and the like."""
    return expression.replace(
        lambda node: isinstance(node.args[0] if node.args else None, ARCS.get(node.func, ())),
        lambda node: node.args[0].args[0],
    )


def _in_lowest_terms(expression):
    """Powers of one base with equal exponents are collected."""
    merged = sp.powsimp(expression, combine="exp").replace(
        lambda node: node.is_Pow and bool(node.exp.free_symbols),
        lambda node: sp.Pow(node.base, sp.factor(sp.together(node.exp))),
    )
    terms: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(sp.expand(merged, power_exp=False)):
        factor, power = term.as_independent(*(node for node in term.atoms(sp.Dummy)), as_Add=False)
        terms[power] = terms.get(power, 0) + factor
    return sp.Add(*(sp.factor(sp.together(factor)) * power for power, factor in terms.items()))


def _under_one_root(expression):
    """sqrt(a) b = +- sqrt(a b^2), where the square is simpler."""
    form = sp.factor(sp.simplify(expression))
    if not any(
        node.is_Pow and node.exp.is_Rational and node.exp.q == 2 for node in sp.preorder_traversal(form)
    ):
        return form
    square = sp.factor(sp.simplify(sp.expand(form**2)))
    root = sp.sqrt(square)
    return root if _length(root) < _length(form) else form


def _without_exponential_of_w(expression):
    """e^(k W(z)) = (z / W(z))^k."""
    expression = sp.expand(expression, power_exp=True)

    def merge(node):
        factor, w = node.exp.as_coeff_Mul()
        return (w.args[0] / w) ** factor if isinstance(w, sp.LambertW) else node

    return sp.expand(expression.replace(lambda node: isinstance(node, sp.exp), merge))


def _length(expression):
    """Operations, those below a logarithm twice, and more for towers of powers."""
    towers = [node for node in expression.atoms(sp.Pow) if node.exp.atoms(sp.Dummy) and node.base != sp.E]
    inner = [node.args[0] for node in expression.atoms(sp.log)]
    return sp.count_ops(expression) + sum(map(sp.count_ops, inner)) + 8 * len(towers)
