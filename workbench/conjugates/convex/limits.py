"""One-sided limits of real functions."""

from itertools import pairwise

import mpmath
import sympy as sp

from workbench.conjugates.convex.evaluation import compiled, value_at
from workbench.conjugates.convex.limited import attempt

FARTHEST, DEEPEST = (400, 800), 1000
# Values beside a limit: how many at least, how many of the nearest must come closer, and how close in the end
# and within rounding, as a share of what they differ from the limit at first or of the limit.
FEWEST, LAST, CLOSE, NOISE = 3, 4, 1e-9, mpmath.mpf(10) ** -30


def one_sided(expression, x, point, side, setting):
    """Return the limit at `point` from the given side (+1 from above, -1 from below), or None if not found.

    The symbolic answer is kept only where it agrees with numbers close to the point, for every set
    of sample values of the parameters.
    """
    size, expression = expression.as_content_primitive()
    limit = _one_sided(expression, x, point, side, setting)
    return limit if limit is None else size * limit


def _one_sided(expression, x, point, side, setting):
    _settle(expression, x, setting)
    if any(node.base.has(x) and node.exp.free_symbols for node in expression.atoms(sp.Pow)):
        # A product of powers may be a power whose exponent changes its sign in the region, as (-u)^p/u.
        _settle(attempt(_in_a_positive, expression, x, point, side, default=expression), x, setting)
    for candidate in _candidates(expression, x, point, side):
        if candidate is not None and candidate.free_symbols:
            candidate = _decided(candidate, setting)
        if candidate is None or candidate.has(sp.nan, sp.zoo, sp.AccumBounds, sp.Limit) or candidate.has(x):
            continue
        if all(_agrees(expression, x, point, side, candidate, draw) for draw in setting.draws):
            return candidate
    power = attempt(_of_a_power, expression, x, point, side)
    return _of_terms(expression, x, point, side, setting) if power is None else power


def _of_a_power(expression, x, point, side):
    """Return the limit of c X^a, which numbers do not show for an exponent such as 1/1000; else None."""
    factor, power = _in_a_positive(expression, x, point, side).as_independent(x, as_Add=False)
    base, exponent = power.as_base_exp()
    if base != x or not (factor.is_Rational and exponent.is_Rational):
        return None
    return sp.sign(factor) * sp.oo if exponent.is_positive == (point.is_finite is False) else sp.S.Zero


def _of_terms(expression, x, point, side, setting):
    """Return the sum of the limits of the terms, without their constant factors: c log x varies slowly."""
    total = sp.S.Zero
    for term in sp.Add.make_args(expression):
        factor, rest = term.as_independent(x, as_Add=False)
        limit = rest if rest == 1 or rest == expression else one_sided(rest, x, point, side, setting)
        if limit is None or limit.has(x):
            return None
        total += (setting.sign(factor) if limit.is_infinite else factor) * limit
    return None if total.has(sp.nan) else total


def _settle(expression, x, setting):
    """Split where an exponent, or the direction of an exponential's argument, changes its sign."""
    if not expression.free_symbols - {x}:
        return
    for node in expression.atoms(sp.Pow, sp.exp):
        if isinstance(node, sp.exp):
            inner = node.args[-1]
            if inner.is_polynomial(x) and inner.has(x):
                setting.sign(sp.Poly(inner, x).LC())
        elif node.base.has(x) and node.exp.free_symbols and not node.exp.has(x):
            setting.sign(node.exp)


def _decided(limit, setting):
    """Return a limit with its signs and absolute values of parameters decided, as oo*sign(5 - a)."""
    for node in limit.atoms(sp.sign, sp.Abs):
        sign = setting.sign(node.args[0])
        limit = limit.subs(node, sign if isinstance(node, sp.sign) else sign * node.args[0])
    for node in limit.atoms(sp.Pow):
        if node.base == 0:
            limit = limit.subs(node, (sp.S.One, sp.S.Zero, sp.oo)[setting.sign(node.exp)])
    if limit.has(sp.oo) and limit.free_symbols:
        constant = limit.as_independent(sp.oo)[0] if isinstance(limit, sp.Mul) else None
        if constant is not None and not constant.has(sp.oo):
            sign = setting.sign(constant)
            limit = sign * sp.oo if sign else sp.S.Zero
    return limit


def _candidates(expression, x, point, side):
    if not expression.has(x):
        yield expression
        return
    if point.is_finite is not False:
        yield attempt(expression.subs, x, point)
    way = "+" if side > 0 else "-"
    yield attempt(sp.limit, expression, x, point, way, limit=0.8)
    for rewrite in (sp.simplify, lambda e: sp.expand_log(sp.expand(e), force=True)):
        other = attempt(rewrite, expression, limit=0.5)
        if other is not None and other != expression:
            yield attempt(sp.limit, other, x, point, way, limit=0.8)
    yield attempt(_by_a_positive, expression, x, point, side, limit=0.8)
    yield attempt(_of_one_logarithm, expression, x, point, way, limit=1.5)
    yield from (sp.oo, -sp.oo, sp.S.Zero)


def _in_a_positive(expression, x, point, side):
    """Return the expression in the positive distance of x from the point, so that its powers merge."""
    X = sp.Dummy("X", positive=True)
    place = point + side * X if point.is_finite is not False else -side * X
    return sp.simplify(expression.xreplace({x: place})).xreplace({X: x})


def _by_a_positive(expression, x, point, side):
    X = sp.Dummy("X", positive=True)
    form = _in_a_positive(expression, x, point, side).xreplace({x: X})
    return sp.limit(form, X, 0 if point.is_finite is not False else sp.oo, "+")


def _of_one_logarithm(expression, x, point, way):
    """Return the limit of c log(a) + rest by that of exp(rest/c) a, in which exponentials cancel."""
    terms = sp.Add.make_args(sp.expand(expression.rewrite(sp.exp)))
    factors = [term.as_coeff_Mul() for term in terms]
    scale = next((c for c, factor in factors if isinstance(factor, sp.log)), None)
    if scale is None:
        return None
    product = sp.Mul(
        *(
            factor.args[0] ** (c / scale) if isinstance(factor, sp.log) else sp.exp(c * factor / scale)
            for c, factor in factors
        )
    )
    inner = sp.powsimp(sp.expand(product))
    return sp.expand_log(scale * sp.log(sp.limit(inner, x, point, way)))


def _agrees(expression, x, point, side, candidate, draw):
    """Return whether values ever closer to the point approach the candidate, at whatever scale."""
    function = compiled(expression, x, numbers=draw)
    expected = value_at(candidate, draw) if candidate.free_symbols <= set(draw) else mpmath.nan
    if mpmath.isnan(expected):
        return False
    # Powers may be slow, as u^(1/20), and are quick to evaluate.
    far = not expression.has(sp.cosh, sp.sinh, sp.tanh) and not any(
        power.exp.has(x) for power in expression.atoms(sp.Pow)
    )
    # Very small or large coefficients take effect far out only.
    farther = far and any(not 1e-20 < abs(n) < 1e20 for n in expression.atoms(sp.Rational) if n)
    digits = DEEPEST if farther else 160 if far else 60
    with mpmath.workdps(digits):
        near = _approach(value_at(point, draw), side, far, farther)
        values = [value for value in (function(place, digits=digits) for place in near) if value == value]
        if len(values) < FEWEST:
            return False
        if mpmath.isinf(expected):
            size = next((abs(v) for v in values if v and mpmath.isfinite(v)), mpmath.mpf(1))
            errors = [size / (size + abs(v)) if v * expected > 0 else mpmath.mpf(2) for v in values]
            if errors[-1] == 0:
                return _falls(errors)
            # A function with a finite limit may grow as well, but less and less.
            return _falls(errors) and errors[-1] < 0.9 * errors[0] and errors[-1] < 0.99 * errors[-2]
        if mpmath.isinf(values[-1]):
            return False
        errors = [abs(value - expected) for value in values if mpmath.isfinite(value)]
        size = max(errors[0], abs(expected))
        is_near = errors[-1] <= CLOSE * size and _falls(errors[-LAST:], NOISE * size)
        return is_near or (errors[-1] < 0.9 * errors[0] and _falls(errors, NOISE * size))


def _falls(errors, noise=0):
    """Return whether errors never rise, but for what rounding makes of them."""
    slack = 1 + mpmath.mpf(10) ** -9
    return all(later <= max(earlier * slack, noise) for earlier, later in pairwise(errors))


def _approach(point, side, far, farther):
    if mpmath.isinf(point):
        sizes = [mpmath.mpf(size) for size in (30, 60, 120, 250, 500, 1000)]
        sizes += [mpmath.mpf(10) ** digits for digits in ((6, 12, 24) if far else (4, 5, 6))]
        sizes += [mpmath.mpf(10) ** digits for digits in FARTHEST if farther]
        return [-side * size for size in sizes]
    digits = (2, 4, 6, 9, 12, 15, *(FARTHEST if farther else ()))
    return [point + side * mpmath.mpf(10) ** -k * max(1, abs(point)) for k in digits]
