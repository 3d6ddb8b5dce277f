"""Facts derived from the primal formula of a term: conjugate, domain, coordinate step, transfer function.

Everything here is derived by `workbench.conjugates.convex`, nothing is stated; `codegen` prints it.
"""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import sympy as sp

from workbench._support.errors import InputError
from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.primitives import BinaryEntropy, RelativeEntropy, elementary
from workbench.conjugates.terms import facts
from workbench.conjugates.terms.losses import LINEAR, QUADRATIC, START, U, V
from workbench.conjugates.terms.regularizers import DIVISOR, SCALE, C, S, W

# The start of a solver in a domain without zero, or with an infinite slope at zero:
# liblinear's start, inside the domain and close enough to zero that v is as good as zero.
INSIDE = sp.Rational(1, 10**8)
POSITIVE = "positive"


@dataclass(frozen=True)
class DerivedLoss:
    """The conjugate q on [lower, upper] and what a solver asks of it.

    `coordinate` None means that no closed form exists and the step is found by Newton's method on the
    slope of p, unless `powers` say that the slope of q is a power; `steep` says that this slope is infinite
    at an end of the domain, so that a solver starts at `start` and stays inside; `kinks` are the places
    where the slope of p jumps, with the slopes before and after, `conjugate_kinks` those of q, and `kink` is
    half of the jump of q' at zero; `curvature` bounds p'' between its kinks, and `smoothness` is the Hölder
    exponent of p' between them; `form` is (a, b, e) where q(v) = a v^2 / 2 + b v + e |v|, and `parabolas` are
    (low, high, a, b, c) of pieces a u^2 / 2 + b u + c of p; `pair` is the derivation.
    """

    pair: object
    conjugate: sp.Expr
    lower: sp.Expr
    upper: sp.Expr
    coordinate: sp.Expr | None
    kink: sp.Expr
    steep: bool
    start: sp.Expr
    powers: tuple
    kinks: tuple
    conjugate_kinks: tuple
    curvature: sp.Expr
    smoothness: sp.Expr
    form: tuple
    parabolas: tuple

    @property
    def kinked(self):
        """True if p has a kink, where its slope jumps."""
        return bool(self.kinks)


@functools.cache
def derive_loss(term):
    """`DerivedLoss` of a `LossTerm`."""
    pair = conjugate(elementary(term.value), domain=term.domain, parameters=term.assumptions, variable="u")
    _check_closed(f"loss {term.name}", pair, "losses")
    return derived_loss(term, pair)


def _check_closed(name, pair, kind):
    """Refuse a row whose conjugate lacks a formula to print."""
    if any(part.implicit for part in pair.q.parts):
        raise InputError(
            f"{name}: its conjugate lacks a closed form to print; leave the row out and use "
            f"wb.{kind}.custom({str(pair.p.expr)!r}), whose conjugate is solved for in numbers"
        )


def derived_loss(term, pair):
    """Return the facts that follow from the pair of a loss."""
    q = pair.q
    back = {
        symbol.symbol: match
        for symbol in pair.setting.parameters.values()
        for match in term.symbols
        if match.name == symbol.name
    } | {q.variable: V, pair.p.variable: U}
    folded = _folded(q).xreplace(back)
    if pair.shape is None:
        return _of_a_point(pair, folded, back)
    conjugate_kinks = facts.conjugate_kinks(pair, back)
    kink = _kink(conjugate_kinks)
    steep = _is_steep(pair)
    return DerivedLoss(
        pair,
        stable(folded, V),
        q.domain.inf.xreplace(back),
        q.domain.sup.xreplace(back),
        _coordinate(q, back, kink),
        kink,
        steep,
        _start(q, steep),
        _powers(q, back),
        facts.kinks(pair, back),
        conjugate_kinks,
        facts.curvature(pair, back),
        facts.smoothness(pair, back),
        facts.conjugate_form(pair, back),
        facts.parabolas(pair, back),
    )


def _of_a_point(pair, q, back):
    """Return the facts of a loss that is finite at one point alone, whose conjugate is a straight line."""
    ((place, value),) = ((knot.place, knot.value) for knot in pair.p.knots)
    return DerivedLoss(
        pair,
        q,
        -sp.oo,
        sp.oo,
        _coordinate(pair.q, back, sp.S.Zero),
        kink=sp.S.Zero,
        steep=False,
        start=sp.S.Zero,
        powers=(),
        kinks=(),
        conjugate_kinks=(),
        curvature=sp.S.Zero,
        smoothness=sp.S.One,
        form=facts.conjugate_form(pair, back),
        parabolas=((place, place, sp.S.Zero, sp.S.Zero, value),),
    )


def _folded(q):
    """Return the formula, in |v| where the parts mirror each other at zero."""
    *left, right = q.parts
    mirrored = len(left) == 1 and right.low == 0
    if mirrored and attempt(sp.simplify, left[0].expr.subs(q.variable, -q.variable) - right.expr) == 0:
        return right.expr.subs(q.variable, sp.Abs(q.variable))
    return q.expr


def stable(expression, v):
    """Return the expression with primitives that are finite at the ends, as w ln w + (1-w) ln(1-w)."""
    for tangent in expression.atoms(sp.atanh):
        # At an end artanh and the logarithm beside it are infinite; near zero, logarithms would cancel.
        a = tangent.args[0]
        sides = sp.log(1 + a), sp.log(1 - a)
        parts = {node: sp.simplify(node.args[0] / (1 - a**2)) for node in expression.atoms(sp.log)}
        replacements = {node: sp.log(ratio) + sum(sides) for node, ratio in parts.items() if not ratio.has(v)}
        logarithms = expression.xreplace({tangent: (sides[0] - sides[1]) / 2, **replacements})
        return sp.Piecewise((expression, a**2 < sp.Rational(1, 4)), (stable(logarithms, v), True))
    # The reciprocal of the smallest numbers overflows.
    expression = expression.subs(sp.log(-1 / v), -sp.log(-v))
    for w in (v, -v, 1 - v, 1 + v):
        entropy = w * sp.log(w) + (1 - w) * sp.log(1 - w)
        if sp.expand(expression - entropy) == 0:
            return BinaryEntropy(w)
    rest = sp.expand(expression)
    total = sp.S.Zero
    for node in sorted(rest.atoms(sp.log), key=str):
        w = node.args[0]
        factor = rest.coeff(node)
        ratio = sp.simplify(factor / w)
        if factor.has(v) and not ratio.has(v):
            total += ratio * RelativeEntropy(w, sp.S.One)
            rest = sp.expand(rest - factor * node)
    if total != 0:
        return total + rest
    if expression.is_polynomial(v) and not expression.has(sp.Abs):
        # Factored, it keeps its relative precision around its roots.
        return sp.factor(expression, v)
    return expression


def _kink(conjugate_kinks):
    """Half of the jump of the slope of q at zero, where p is flat; 0 without a jump."""
    jumps = (sp.simplify(after - before) / 2 for place, before, after in conjugate_kinks if place == 0)
    return next(jumps, sp.S.Zero)


def _is_steep(pair):
    """Return whether the slope of q is infinite at an end of its domain, a finite slope of p at infinity."""
    low, high = pair.shape.low, pair.shape.high
    last = len(pair.shape.pieces) - 1
    ends = [
        (pair.conjugate_pieces[0], 0, low, pair.q.domain.inf),
        (pair.conjugate_pieces[-1], last, high, pair.q.domain.sup),
    ]
    return any(
        part.piece_index == index and place.is_infinite and end.is_finite for part, index, place, end in ends
    )


def _start(q, steep):
    """Zero, or a place inside the domain close to zero."""
    low, high = q.domain.inf, q.domain.sup
    inside = low < 0 < high if low.is_number and high.is_number else True
    if inside or not (steep or not q.domain.contains(0)):
        return sp.S.Zero
    near = high if high.is_finite and not high.is_positive else low
    width = high - low if (high - low).is_finite else sp.S.One
    step = INSIDE * width if near == 0 else width / 2
    return near - step if near == high else near + step


def _coordinate(q, back, kink):
    """Return argmin of q(nu) - linear nu + quadratic (nu - start)^2 / 2 if affine in the data, else None.

    Stated before the clip to the domain: the minimizer over an interval of a convex function of one
    variable is the clipped free one, and a scaled step clips after scaling (Zhang 2002, 6.2).
    """
    if q.implicit or len(q.parts) > (1 if kink == 0 else 2):
        return None
    roots = []
    for part in q.parts:
        slope = sp.expand(sp.diff(part.expr, q.variable)).xreplace(back)
        if slope == -1 / V and q.domain.sup == 0:
            return _reciprocal()
        if not slope.is_polynomial(V) or sp.degree(slope, V) > 1:
            return None
        a, b = slope.coeff(V, 1), slope.coeff(V, 0)
        # a nu + b - linear + quadratic (nu - start) = 0
        roots.append((LINEAR + QUADRATIC * START - b, QUADRATIC + a))
    if len(roots) == 1:
        numerator, denominator = roots[0]
        if denominator == QUADRATIC:
            # Written from the start, a step of zero stays exactly zero.
            return START + sp.expand(numerator - QUADRATIC * START) / QUADRATIC
        return numerator / denominator
    (left, width), (right, same) = roots
    return sp.Piecewise((right / same, right > 0), (left / width, left < 0), (0, True))


class Power(NamedTuple):
    """On the side of zero where `side` nu > 0 the slope of q is `at` + side factor |nu|^exponent."""

    side: int
    at: sp.Expr
    factor: sp.Expr
    exponent: sp.Expr


def _powers(q, back):
    """Return a `Power` for each part of q; () unless all of them are, as for the losses of an exponent p."""
    powers = []
    for part in q.parts:
        side = 1 if part.low == 0 else -1
        if part.implicit or 0 not in (part.low, part.high):
            return ()
        size = sp.Symbol("size", positive=True)
        slope = sp.expand(sp.diff(part.expr.xreplace({q.variable: side * size}), size) * side)
        at, power = slope.as_independent(size, as_Add=True)
        factor, rest = sp.powsimp(power).as_independent(size)
        base, exponent = sp.powdenest(rest).as_base_exp()
        if base != size or exponent.has(size) or not (side * factor).is_positive:
            return ()
        parts = (at, side * factor, sp.factor(exponent))
        powers.append(Power(side, *(sp.sympify(entry).xreplace(back) for entry in parts)))
    return tuple(powers)


def _reciprocal():
    """Return the root below 0 of -1 / nu - linear + quadratic (nu - start) = 0, without cancellation."""
    middle = LINEAR + QUADRATIC * START
    root = sp.sqrt(middle**2 + 4 * QUADRATIC)
    return sp.Piecewise(((middle - root) / (2 * QUADRATIC), middle < 0), (-2 / (middle + root), True))


# Regularizers


@dataclass(frozen=True)
class DerivedRegularizer:
    """h(v) = outer(sum_j c_j inner(v_j)), from which w_j = outer'(S) c_j inner'(v_j).

    `curvature` bounds inner'' where h is the sum itself, and is infinite where no bound is known. Then too
    `parts` is (e, k) where a summand of g is e |w| + k w^2 / (2 c), `kinks` are the places where its slope
    jumps, with the slopes before and after for c = 1, and `smoothness` is that slope's Hölder exponent.
    """

    inner: sp.Expr
    outer: sp.Expr
    curvature: float = float("inf")
    parts: tuple = ()
    kinks: tuple = ()
    steep: bool = True
    smoothness: sp.Expr = sp.S.One


@functools.cache
def derive_regularizer(term):
    """`DerivedRegularizer` of a `RegularizerTerm`, by its structure."""
    return {"separable": _separable, "simplex": _simplex, "norm": _norm}[term.structure](term)


def coordinate_conjugate(term):
    """(pair, q as an expression of V) of one coordinate's primal."""
    primal = elementary(term.primal)
    names = {symbol.name: symbol for symbol in (primal.free_symbols | term.domain.free_symbols) - {W}}
    domain = None if term.domain == sp.S.Reals else term.domain
    # At 0 a parameter is a limit, and the formulas hold there too.
    declared = {name: [POSITIVE, *term.assumptions.get(name, [])] for name in names}
    pair = conjugate(primal, domain=domain, parameters=declared, variable=W.name)
    _check_closed(f"regularizer {term.name}", pair, "regularizers")
    back = {parameter.symbol: names[name] for name, parameter in pair.setting.parameters.items()}
    return pair, _folded(pair.q).xreplace({**back, pair.q.variable: V})


def _separable(term):
    """Return the facts of h, the sum of the conjugates; the weight c comes out as a factor."""
    pair, q = coordinate_conjugate(term)
    if pair.q.domain != sp.S.Reals:
        raise InputError(
            f"regularizer {term.name}: its conjugate is finite only for v in {pair.q.domain}, "
            "so w = grad h(v) is not defined everywhere; add a strictly convex term such as w**2/2"
        )
    inner = sp.simplify(q / C) if q.has(C) else q
    if inner.has(C):
        raise InputError(f"regularizer {term.name}: the weight c is not a factor of its conjugate {q}")
    return DerivedRegularizer(_short(inner), S, **summand_facts(pair, term))


def summand_facts(pair, term):
    """Return the facts of a summand's primal, as fields of a `DerivedRegularizer`."""
    known = {*term.symbols, C}
    symbols = {str(symbol): symbol for symbol in known}
    back = {p.symbol: symbols[name] for name, p in pair.setting.parameters.items() if name in symbols}
    unit = {C: sp.S.One}
    parts = facts.separable_parts(pair, back)
    if parts:
        threshold, ridge = parts
        # A weight c divides the square alone.
        weighted = sp.simplify(ridge * C)
        parts = (threshold, ridge if weighted.has(C) else weighted)
    return {
        "curvature": summand_curvature(pair),
        "parts": () if any(part.has(C) for part in parts) else parts,
        "kinks": tuple(tuple(entry.xreplace(unit) for entry in row) for row in facts.kinks(pair, back)),
        "smoothness": facts.smoothness(pair, back).xreplace(unit),
        "steep": facts.is_steep(pair),
    }


def summand_curvature(pair):
    """Return an upper bound of q'' for the pair of a summand with c = 1: the reciprocal of the least p''."""
    least = facts.modulus(pair, {C.name: sp.S.One})
    return 1.0 / least if least > 0.0 else float("inf")


def _short(expression):
    """|v| - epsilon where v > epsilon, its mirror image where v < -epsilon: one case each in |v|."""
    if not isinstance(expression, sp.Piecewise) or len(expression.args) != 3:
        return expression
    (left, _), (middle, _), (right, _) = expression.args
    if sp.simplify(left.subs(V, -V) - right) != 0 or middle.has(V):
        return expression
    edge = next(iter(sp.solve(sp.diff(right, V), V)), None)
    if edge is None:
        return expression
    return sp.Piecewise((middle, sp.Abs(V) <= edge), (right.subs(V, sp.Abs(V)), True))


def _simplex(term):
    """Return h(v) = min over theta of sum_j phi_j(v_j - theta) + A theta, by the multiplier of sum w = A."""
    total = term.symbols[0]
    _, phi = coordinate_conjugate(term)
    theta = sp.Symbol("theta", real=True)
    inner = sp.exp(V)
    factor = sp.simplify(phi / (C * inner))
    if factor.has(V):
        raise InputError(
            f"regularizer {term.name}: {phi} is not an exponential, so the multiplier lacks a closed form"
        )
    # The derivative in theta vanishes where sum_j phi_j(v_j - theta) = factor S e^-theta is A.
    root = sp.solve(factor * S * sp.exp(-theta) - total, theta)[0]
    outer = sp.expand_log(sp.expand(sp.simplify(factor * S * sp.exp(-root) + total * root)), force=True)
    shifted = sp.expand_log(outer.subs(S, S * sp.exp(SCALE)), force=True)
    return DerivedRegularizer(inner.subs(V, V - SCALE), sp.factor(sp.expand(shifted), total))


def _norm(term):
    """Return g = G(|w|_q) with G increasing: h = G*(|v|_p), 1/p + 1/q = 1, with G* taken over r >= 0."""
    q, power = term.symbols
    r = sp.Symbol("r", nonnegative=True)
    young = conjugate(sp.Abs(U) ** q / q, parameters={q.name: f"{q.name} > 1"})
    dual_q = next(
        iter(node.exp for node in young.q.parts[-1].expr.atoms(sp.Pow) if node.base == young.q.variable)
    )
    radial = conjugate(
        r**power / power,
        domain=sp.Interval(0, sp.oo),
        parameters={power.name: f"{power.name} > 1"},
        variable="r",
    )
    back = {
        p.symbol: match
        for match in (q, power)
        for pair in (young, radial)
        for p in pair.setting.parameters.values()
        if p.name == match.name
    }
    dual_q = sp.simplify(dual_q.xreplace(back))
    dual = radial.q.parts[-1].expr.xreplace(back)
    at_norm = dual.subs(radial.q.variable, DIVISOR * S ** (1 / dual_q))
    return DerivedRegularizer(
        (sp.Abs(V) / DIVISOR) ** dual_q,
        sp.powsimp(sp.powdenest(sp.expand_power_base(at_norm, force=True), force=True)),
    )
