"""The coordinate step of a loss, argmin over nu of q(nu) - linear nu + quadratic (nu - start)^2 / 2.

In closed form where it is affine in the data; as the root of a sum of two powers where the slope of q is a
power, as for every exponent p; else by Newton's method on the slope of p.
"""

import math

import sympy as sp

from workbench.conjugates.codegen.printer import derivative, python_text
from workbench.conjugates.codegen.text import end_text
from workbench.conjugates.terms.losses import U

# Without a closed coordinate step of p, the optimality condition nu = p'(y), with the new argument
# y = linear - quadratic (nu - start), is solved for y: its residual has slope at least 1, so one
# evaluation brackets the root, and p'(y) keeps full relative precision at the ends of the domain.
# Where p has a domain y stays inside; where slopes are infinite at an end, a move is small as a share of y.
NEWTON = """\
    low = high = y = {first}
    nu = {slope}
    residual = {residual}
    if residual > 0.0:
        low = max(y - residual, {least})
    else:
        high = min(y - residual, {most})
    curvature = 0.0
    for _ in range(200):
        curvature = {curvature}
        move = -residual / (1.0 + quadratic * curvature)
        small = 4e-16 * {size}
        if not (abs(move) <= small{bent} or low < y + move < high):
            # Halved on the scale of asinh, which takes a bracket of 1e300 to 1 in ten steps.
            move = math.sinh(0.5 * (math.asinh(low) + math.asinh(high))) - y
        y += move
        nu = {slope}
        residual = y - linear + quadratic * (nu - start)
        if residual > 0.0:
            high = y
        else:
            low = y
        if abs(move) <= small{bent} or residual == 0.0:
            break
{ending}"""

# Where p bends strongly, nu = p'(y) magnifies the rounding of y; the line y = linear - quadratic (nu - start)
# through the same point does not, and nu lies between the slopes at the ends of the bracket.
SMOOTH = """\
    if not quadratic * curvature > 1.0:
        return nu
"""

# At a kink of p, or an end of its domain, the slope jumps over the root, and the line alone tells where.
KINKED = """\
    nu = start + (linear - y) / quadratic
    y = low
    nu = max(nu, {slope})
    y = high
    return min(nu, {slope})
"""

# Beyond the ends of a domain slopes are infinite, and no slope at an end bounds nu.
WITHIN = """\
    nu = start + (linear - y) / quadratic
    if low > {least}:
        y = low
        nu = max(nu, {slope})
    if high < {most}:
        y = high
        nu = min(nu, {slope})
    return nu
"""

# With s = |nu| on the side of zero where the slope of q is at + side factor s^exponent, the optimality
# condition is factor s^exponent + quadratic s = level, level = side (linear - at + quadratic start): its root
# is as well conditioned as a root can be, but the level may cancel, and is summed in twice the precision.
LEVEL = """\
    side, at, factor, exponent, inverse = {side}, {at}, {factor}, {exponent}, {inverse}
    product, rest = quadratic * start, 0.0
    if max(abs(quadratic), abs(start), abs(product)) < 1e300:
        # Veltkamp's split of both factors into halves, whose products are exact (Dekker).
        head, lead = 134217729.0 * quadratic, 134217729.0 * start
        head -= head - quadratic
        lead -= lead - start
        tail, trail = quadratic - head, start - lead
        rest = ((head * lead - product) + head * trail + tail * lead) + tail * trail
    first = linear - at
    back = linear - first
    rest += (linear - (first + back)) + (back - at)
    level = first + product
    back = level - first
    rest += (first - (level - back)) + (product - back)
    level = side * (level + rest)
"""

# In the unknown whose power is above 1 the left side is convex, and Newton's steps fall onto the root from
# the least of the two one-term roots, which is at most twice the root.
POWER = """\
    if not level > 0.0:
        return 0.0
    if not level < math.inf:
        return side * level
    steep, flat, power = factor, quadratic, exponent
    if exponent < 1.0:
        # In t = factor s^exponent the condition is t + quadratic (t / factor)^inverse = level.
        steep, flat, power = quadratic * factor ** -inverse, 1.0, inverse
    root = level / flat if flat > 0.0 else math.inf
    if steep > 0.0:
        root = min(root, level ** (1.0 / power) * steep ** (-1.0 / power))
    for _ in range(60):
        # Half the power twice, since the whole one may overflow where its product with a factor does not.
        half = root ** (0.5 * power)
        bent = half * steep * half
        slope = power * bent + flat * root
        if not 0.0 < slope < math.inf:
            break
        move = root * (((bent - level) + flat * root) / slope)
        root -= move
        if not abs(move) > 2e-16 * root:
            break
    return side * (root if exponent >= 1.0 else (root / factor) ** inverse)
"""


def coordinate_body(term, dual):
    """Return the expression or the body of the function: (text or None, text or None)."""
    if dual.coordinate is not None:
        return python_text(dual.coordinate), None
    if dual.powers:
        return None, _power_body(dual.powers)
    u_to_y = {U: sp.Symbol("y", real=True)}
    slope, curvature = (python_text(derivative(term.value, U, order).xreplace(u_to_y)) for order in (1, 2))
    ends = domain_ends(term, dual)
    if not ends:
        kinked = KINKED.format(slope=slope)
        ending = kinked if dual.kinked else SMOOTH + kinked
        texts = {
            "first": "linear",
            "residual": "quadratic * (nu - start)",
            "least": "-1e300",
            "most": "1e300",
        }
        texts |= {"size": "max(1.0, abs(y))", "bent": ""}
    else:
        inner = {relation[0]: end_text(innermost(place, tilt, relation)) for place, tilt, relation, _ in ends}
        least, most = inner.get(">", "-1e300"), inner.get("<", "1e300")
        ending = WITHIN.format(slope=slope, least=least, most=most)
        texts = {"first": f"min(max(linear, {least}), {most})", "least": least, "most": most}
        texts["residual"] = "y - linear + quadratic * (nu - start)"
        steep = any(tilt.is_infinite for _, tilt, *_ in ends)
        texts["size"] = "abs(y)" if steep else "max(1.0, abs(y))"
        texts["bent"] = " < math.inf > curvature" if steep else ""
    return None, NEWTON.format(slope=slope, curvature=curvature, ending=ending, **texts)


def domain_ends(term, dual):
    """Return (place, slope of p, relation of u inside, Max or Min) of each finite end of the domain."""
    if term.domain is None:
        return []
    shape = dual.pair.shape
    slopes = (sp.S.Zero, sp.S.Zero) if shape is None else (shape.slopes[0][0], shape.slopes[-1][1])
    ends = zip((term.domain.inf, term.domain.sup), slopes, "><", (sp.Max, sp.Min), strict=True)
    return [
        (place, slope, relation + "=" * bool(term.domain.contains(place)), nearest)
        for place, slope, relation, nearest in ends
        if place.is_finite
    ]


def innermost(place, slope, relation):
    """Return the outermost float at which p has a finite slope."""
    end = float(place)
    return math.nextafter(end, math.inf if ">" in relation else -math.inf) if slope.is_infinite else end


def _power_body(powers):
    texts = [
        {
            "side": python_text(sp.Integer(power.side)),
            "at": python_text(power.at),
            "factor": python_text(power.factor),
            "exponent": python_text(power.exponent),
            "inverse": python_text(sp.factor(1 / power.exponent)),
        }
        for power in powers
    ]
    first, *others = texts
    body = LEVEL.format(**first)
    for other in others:
        again = LEVEL.format(**other).splitlines(True)
        body += "    if not level > 0.0:\n" + "".join(f"    {line}" for line in again)
    return body + POWER
