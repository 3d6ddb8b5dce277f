"""The calculus of conjugates: from pairs that are known to new ones, in one variable or in many.

    affine change     p(u) = a base(s u + t)        q(v) = a base*(v/(a s)) - t v/s         a > 0, s != 0
    linear change     p(u) = a base(S'u + t)        q(v) = a base*(S^-1 v/a) - t'S^-1 v     S invertible
    affine terms      p(u) = base(u) + c u + d      q(v) = base*(v - c) - d
    even functions    p(u) = base(|u|)              q(v) = base*(|v|)      base nondecreasing on [0, oo)
    restriction       p = base on an interval       q = base* where its slopes lie inside, lines beyond
    sums              p = p1 + p2                   q = closure of the inf-convolution of q1 and q2
    inf-convolution   p = p1 [] p2                  q = q1 + q2

The rules from one variable to several stand in `vector`. A rule holds for every base;
what it claims is an identity or an argument that is written out. The claims of the pairs it starts from
are handed on, so a result is proved only where these were.
"""

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Generic, TypeVar

import numpy as np
import sympy as sp

from workbench._support.errors import ConvexityError, ExpressionError
from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.evidence import evidence
from workbench.conjugates.convex.function import ConvexFunction, Inverse, Knot, Part
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.parse import parse_parameters
from workbench.conjugates.convex.primitives import formula
from workbench.conjugates.convex.proof import Claim, Step, Verification
from workbench.conjugates.convex.setting import Setting

AnyFunction = TypeVar("AnyFunction")


@dataclass(frozen=True)
class RulePair(Generic[AnyFunction]):
    """A convex function and its conjugate, derived by a rule; read like a `Pair`."""

    name: str
    p: AnyFunction
    q: AnyFunction
    steps: tuple[Step, ...]
    verification: Verification

    def verify(self):
        return self.verification


def joined(*parts):
    """One verification of all claims of verifications and claims."""
    claims: list[Claim] = []
    for part in parts:
        claims += part.claims if isinstance(part, Verification) else [part]
    return Verification(tuple(dict.fromkeys(claims)))


def identity(name, expression, detail, missing="the difference simplifies to 0"):
    """Return a claim that an expression vanishes: proved if SymPy shows it, failed if it is nonzero."""
    if _is_zero(sp.sympify(expression)):
        return Claim(name, "proved", detail)
    symbols = sorted(sp.sympify(expression).free_symbols, key=str)
    for start in (2, 5):
        at = {symbol: sp.Rational(start + 3 * k, 7 + 2 * k) for k, symbol in enumerate(symbols)}
        value = sp.N(sp.sympify(expression).subs(at), 30)
        if value.is_number and abs(value) > 1e-12:
            return Claim(name, "failed", f"{detail}: the two sides differ by {sp.N(value, 6)} at {at}")
    return Claim(name, "checked", f"{detail}; missing step: {missing}; it does at sampled points")


def _is_zero(expression):
    """Return whether SymPy shows that an expression is zero."""
    ways = (
        sp.expand,
        sp.simplify,
        lambda e: sp.simplify(sp.powsimp(sp.expand(sp.powdenest(e)))),
        lambda e: sp.simplify(sp.powdenest(sp.powsimp(sp.expand(e), force=True), force=True)),
    )
    return any(attempt(way, expression, limit=1.5) == 0 for way in ways)


def numbers(p, q, setting):
    """Return a claim that q is the supremum in numbers: a slip in carrying out a rule would fail it."""
    if len(p.parts) == 0:
        return Claim("numbers", "checked", "p is finite at one point")
    ends = p.domain.inf, p.domain.sup
    result = evidence(formula(p.expr), p, q, setting, ends)
    return Claim("numbers", "failed" if result.fault else "checked", result.detail)


def confirmed(*parts, check):
    """All claims with a check in numbers, which takes nothing away from a proof."""
    verification = joined(*parts)
    if verification.status == "proved" and check.status == "checked":
        check = Claim(check.name, "proved", check.detail + "; implied by the claims above")
    return joined(verification, check)


# --- one variable


def affine(pair, scale=1, slope=1, shift=0, parameters=None):
    """Return the pair of p(u) = scale * base(slope * u + shift), scale > 0 and slope of a known sign."""
    _refuse_cases(pair)
    declared = parse_parameters({**pair.p.setting.parameters, **(parameters or {})})
    setting = Setting(declared)
    a, s, t = (_constant(value, declared) for value in (scale, slope, shift))
    if not setting.enter(a).is_positive:
        raise ConvexityError(f"scale = {a} is not known to be positive, which keeps the function convex")
    if setting.enter(s).is_positive is not True and setting.enter(s).is_negative is not True:
        raise ExpressionError(f"slope = {s}: its sign is not known; declare it positive or negative")
    u, v = pair.p.variable, pair.q.variable
    forward = _Move(s, t, a, sp.S.Zero)
    p = forward(pair.p, forward, setting)
    q = _Move(1 / (a * s), sp.S.Zero, a, -t * v / s)(pair.q, forward, setting)
    w, value = sp.Symbol("w", real=True), sp.Symbol("F", real=True)
    difference = (w - t) / s * v - a * value - (a * (w * v / (a * s) - value) - t * v / s)
    claim = identity(
        "affine change",
        difference,
        "with w = s u + t, u v - a base(w) = a (w v/(a s) - base(w)) - t v/s; "
        "u -> w is one-to-one and a > 0, so the suprema agree as well",
    )
    verification = confirmed(pair.verify(), claim, check=numbers(p, q, setting))
    steps = (*pair.steps, _affine_step(a, s, t, u, v))
    return RulePair("affine change of variable", p, q, steps, verification)


def scaled(pair, scale, parameters=None):
    """p(u) = scale * base(u), scale > 0."""
    return affine(pair, scale, parameters=parameters)


def add_affine(pair, slope=0, constant=0, parameters=None):
    """p(u) = base(u) + slope * u + constant."""
    _refuse_cases(pair)
    declared = parse_parameters({**pair.p.setting.parameters, **(parameters or {})})
    setting = Setting(declared)
    c, d = _constant(slope, declared), _constant(constant, declared)
    u, v = pair.p.variable, pair.q.variable
    forward = _Move(sp.S.One, sp.S.Zero, sp.S.One, c * u + d)
    p = forward(pair.p, forward, setting)
    q = _Move(sp.S.One, -c, sp.S.One, -d)(pair.q, forward, setting)
    value = sp.Symbol("F", real=True)
    claim = identity(
        "affine terms",
        u * v - (value + c * u + d) - (u * (v - c) - value - d),
        "u v - base(u) - c u - d = u (v - c) - base(u) - d for every u",
    )
    step = Step(
        "Affine terms",
        rf"q({v}) = {sp.latex(sp.Function(r'base^{*}')(v - c) - d)}",
        "A linear term shifts the slopes, a constant lowers the conjugate.",
    )
    verification = confirmed(pair.verify(), claim, check=numbers(p, q, setting))
    return RulePair("affine terms added", p, q, (*pair.steps, step), verification)


def _affine_step(a, s, t, u, v):
    base, conjugated = sp.Function("base"), sp.Function(r"base^{*}")
    left = rf"p({u}) = {sp.latex(a * base(s * u + t))}"
    right = rf"q({v}) = {sp.latex(a * conjugated(v / (a * s)) - t * v / s)}"
    return Step(
        "Affine change of variable",
        rf"{left} \;\Rightarrow\; {right}",
        "Write the supremum over u as one over w = s u + t, and take the positive factor out.",
    )


def _refuse_cases(pair):
    cases = getattr(pair.p, "cases", ())
    if len(cases) > 1:
        text = "; ".join(str(condition) for condition, _ in cases)
        raise ExpressionError(
            f"the formula of {pair.p.expr} depends on the region of the parameters "
            f"({text}); declare ranges that lie in one of them"
        )


def _constant(value, parameters):
    if isinstance(value, str):
        if value not in parameters:
            raise ExpressionError(f"{value!r} is not declared; pass parameters={{{value!r}: 'real'}}")
        return parameters[value].symbol
    value = sp.sympify(value)
    return value.subs({x: parameters[x.name].symbol for x in value.free_symbols if x.name in parameters})


@dataclass(frozen=True)
class _Move:
    """x -> factor * old(m x + c) + rest(x) for a ConvexFunction `old`."""

    m: sp.Expr
    c: sp.Expr
    factor: sp.Expr
    rest: sp.Expr

    def __call__(self, old, forward, setting):
        """`forward` is the move of the primal function, which the numeric inverses have to follow."""
        x = old.variable
        parts = [
            Part(
                *self.ends(part.low, part.high, setting),
                self.expression(part.expr, x),
                forward.inverse(part.inverse, setting),
                part.implicit,
            )
            for part in old.parts
        ]
        knots = [
            Knot((knot.place - self.c) / self.m, sp.expand(self.value_at(knot, x))) for knot in old.knots
        ]
        if setting.enter(self.m).is_negative:
            parts, knots = parts[::-1], knots[::-1]
        return ConvexFunction(x, parts, knots, setting)

    def value_at(self, knot, x):
        return self.factor * knot.value + self.rest.subs(x, (knot.place - self.c) / self.m)

    def expression(self, expression, x):
        return self.factor * expression.subs(x, self.m * x + self.c) + self.rest

    def ends(self, low, high, setting) -> tuple[sp.Expr, sp.Expr]:
        low, high = (
            (end - self.c) / self.m if end.is_finite is not False else end * sp.sign(setting.enter(self.m))
            for end in (sp.sympify(low), sp.sympify(high))
        )
        return (high, low) if setting.enter(self.m).is_negative else (low, high)

    def inverse(self, inverse, setting):
        if inverse is None:
            return None
        piece = self.expression(inverse.expr, inverse.variable)
        return Inverse(piece, inverse.variable, *self.ends(inverse.low, inverse.high, setting))


# --- even functions, restriction, sums


def even(pair):
    """base(|u|) from a base on [0, oo) that is nondecreasing there."""
    _refuse_cases(pair)
    p, q = (_mirrored(function) for function in (pair.p, pair.q))
    step = Step(
        "An even function",
        r"p(u) = base(|u|) \;\Rightarrow\; q(v) = base^{*}(|v|)",
        "For given |u|, u v is largest where u has the sign of v; |u| |v| - base(|u|) is left.",
    )
    claim = Claim(
        "even function", "proved", "sup over u of u v - base(|u|) = sup over r >= 0 of r |v| - base(r)"
    )
    verification = confirmed(pair.verify(), increasing(pair), claim, check=numbers(p, q, pair.p.setting))
    return RulePair("even function", p, q, (*pair.steps, step), verification)


def increasing(pair):
    """Return the claim that a base on [0, oo) never falls; refused where it is not known."""
    shape = pair.shape
    if shape is None or shape.low != 0 or not shape.slopes[0][0].is_nonnegative:
        raise ConvexityError("the base has to live on u >= 0 and not to fall there; restrict its domain")
    return Claim("never falls", "proved", "the base is convex on u >= 0 with a slope of 0 or more at 0")


def _mirrored(function):
    """Return x -> function(|x|), from what the function is on x > 0."""
    x, size = function.variable, sp.Abs(function.variable)
    right = [part for part in function.parts if not sp.sympify(part.high).is_nonpositive]
    first = right[0]._replace(low=sp.S.Zero)
    right = [part._replace(expr=part.expr.subs(x, size), inverse=None) for part in (first, *right[1:])]
    knots = [knot for knot in function.knots if sp.sympify(knot.place).is_positive]
    if any(part.implicit for part in right):
        raise ExpressionError("the base lacks a closed form; conjugate the even function itself")
    left = [part._replace(low=-part.high, high=-part.low) for part in right[::-1]]
    middle = left.pop()._replace(high=right[0].high)
    flipped = [Knot(-knot.place, knot.value) for knot in knots[::-1]]
    return ConvexFunction(x, [*left, middle, *right[1:]], [*flipped, *knots], function.setting)


def restrict(pair, low, high):
    """Return p on [low, high] alone, +oo elsewhere."""
    result = conjugate(pair.p.expr, (low, high), pair.p.setting.parameters, pair.p.variable.name)
    step = Step(
        "Restriction",
        rf"q = base^{{*}} \,\square\, \sigma_{{{sp.latex(result.p.domain)}}}",
        "Restriction adds an indicator, whose conjugate is the support function of the interval: "
        "where the best u leaves the interval, q goes on as a straight line.",
    )
    return RulePair("restriction to an interval", result.p, result.q, (*result.steps, step), result.verify())


def sum_of(left, right):
    """Return p = p1 + p2; q is the inf-convolution of q1 and q2, or its closure without qualification."""
    parameters = {**left.p.setting.parameters, **right.p.setting.parameters}
    claim = meeting(left.p, right.p, Setting(parameters))
    x = left.p.variable
    domain = _common(left.p.domain, right.p.domain)
    if isinstance(domain, sp.FiniteSet):
        # A formula may be 0 log 0 at an end; the value there is known.
        total = sum(_value_at(pair.p, domain.args[0]) for pair in (left, right))
    else:
        total = left.p.expr + right.p.expr.subs(right.p.variable, x)
    result = conjugate(total, domain, parameters, x.name)
    step = Step(
        "Sum and inf-convolution",
        r"(p_1 + p_2)^{*}(v) = \inf_{s} \; p_1^{*}(v - s) + p_2^{*}(s)",
        claim.detail,
    )
    verification = joined(left.verify(), right.verify(), result.verify(), claim)
    return RulePair("sum", result.p, result.q, (*result.steps, step), verification)


def _common(first, second):
    """Return the interval where both functions are finite; the derivation decides which end comes first."""
    domain = first.intersect(second)
    if not isinstance(domain, sp.Intersection):
        return domain
    low, high = sp.Max(first.inf, second.inf), sp.Min(first.sup, second.sup)
    return sp.Interval(low, high)


def _value_at(function, place):
    values = [knot.value for knot in function.knots if knot.place == place]
    return values[0] if values else function.expr.subs(function.variable, place)


def infimal_convolution(left, right):
    """Return p = p1 [] p2 (its closure where the qualification fails), with q = q1 + q2."""
    for pair in (left, right):
        if pair.q.implicit:
            raise ExpressionError(
                f"the conjugate of {pair.p.expr} lacks a closed form, so its sum with "
                "another is not conjugated back; use functions whose conjugates have one"
            )
    duals = [RulePair("", pair.q, pair.p, (), pair.verify()) for pair in (left, right)]
    result = sum_of(*duals)
    claim = Claim(
        "inf-convolution",
        "proved",
        "sup over u and s of u v - p1(u - s) - p2(s) separates into q1(v) + q2(v)",
    )
    verification = joined(result.verification, claim)
    return RulePair("inf-convolution", result.q, result.p, result.steps, verification)


def meeting(first, second, setting):
    """Return the qualification: relative interiors of two domains meet; refused where the domains do not."""
    (a, b), (c, d) = (
        (setting.enter(domain.inf), setting.enter(domain.sup)) for domain in (first.domain, second.domain)
    )
    gaps = [_positive(d - a), _positive(b - c)]
    if all(gaps):
        detail = "the relative interiors of the domains meet, so no closure is needed"
    elif None in gaps or first.domain.intersect(second.domain) == sp.S.EmptySet:
        raise ConvexityError(
            f"the domains {first.domain} and {second.domain} do not meet, or not for all "
            "values of the parameters, so the sum is +oo or the inf-convolution -oo"
        )
    else:
        detail = (
            "the domains share no more than one point that is an end, so the inf-convolution stands "
            "for its closure, and its infimum may not be attained"
        )
    return Claim("qualification", "proved", detail)


def _positive(difference):
    difference = sp.sympify(difference)
    if difference.is_infinite:
        return difference.is_extended_positive
    return True if difference.is_positive else (False if difference.is_nonpositive else None)


# --- linear changes of many variables


@cache
def linear_change_claims():
    """Return the rule in w = S'u + t: by matrix symbols in every dimension, and written out in 2 and 3."""
    n = sp.Symbol("n", integer=True, positive=True)
    S, u, v, t = sp.MatrixSymbol("S", n, n), *(sp.MatrixSymbol(name, n, 1) for name in "uvt")
    # (w - t)' S^-1 v with w - t = S'u
    product = ((S.T * u + t - t).T * S.I * v).doit()
    general = Claim(
        "linear change, any dimension",
        "proved" if product == (u.T * v).doit() else "checked",
        "u'v = (w - t)'S^-1 v for w = S'u + t by matrix symbols, and u -> w is one-to-one",
    )
    return (general, *(_linear_change_in(size) for size in (2, 3)))


def _linear_change_in(n):
    S = sp.Matrix(n, n, sp.symbols(f"s:{n * n}", real=True))
    u, v, t = (sp.Matrix(sp.symbols(f"{name}:{n}", real=True)) for name in "uvt")
    a, value = sp.Symbol("a", positive=True), sp.Symbol("F", real=True)
    w, x = S.T * u + t, S.adjugate() * v / S.det() / a
    difference = sp.cancel(u.dot(v) - a * value - (a * (w.dot(x) - value) - t.dot(a * x)))
    return identity(
        f"linear change, {n} dimensions",
        difference,
        "u'v - a base(w) = a (w'x - base(w)) - t'S^-1 v with x = S^-1 v/a, S of symbols",
    )


def linear_change(pair, matrix, shift=0.0, scale=1.0):
    """p(u) = scale * base(matrix' u + shift) from a `VectorPair`, for a matrix and shift of numbers."""
    matrix = np.asarray(matrix, dtype=float)
    shift = np.broadcast_to(np.asarray(shift, dtype=float), matrix.shape[:1])
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or np.linalg.matrix_rank(matrix) < len(matrix):
        raise ExpressionError("matrix: it has to be square and invertible")
    if not scale > 0:
        raise ConvexityError(f"scale = {scale} is not positive, which keeps the function convex")
    p = replace(
        pair.p,
        formula=r"a\,\mathrm{base}(S^\top u + t)",
        domain="",
        function=partial(_changed, pair.p, matrix, shift, scale),
    )
    q = replace(
        pair.q,
        formula=r"a\,\mathrm{base}^{*}(S^{-1}v/a) - t^\top S^{-1}v",
        domain="",
        function=partial(_changed_conjugate, pair.q, matrix, shift, scale),
    )
    step = Step("Linear change of variables", q.formula, "Write the supremum over u as one over w = S'u + t.")
    return replace(
        pair,
        p=p,
        q=q,
        steps=(*pair.steps, step),
        verification=joined(pair.verification, *linear_change_claims()),
    )


def _changed(base, matrix, shift, scale, u, **parameters):
    return scale * base(u @ matrix + shift, **parameters)


def _changed_conjugate(base, matrix, shift, scale, v, **parameters):
    x = np.linalg.solve(matrix, v[..., None])[..., 0]
    return scale * base(x / scale, **parameters) - x @ shift
