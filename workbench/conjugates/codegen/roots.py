"""Conjugates without a closed form: the root u of p'(u) = v, and an upper bound of q(v) = sup of u v - p(u).

With y near the root, s = p'(y), and a bracket l <= y <= r that holds the place of the supremum,

    q(v) <= y v - p(y) + max((s - v) (y - l), (v - s) (r - y)),

since p lies above its tangent at y. `root` may be anything; an end of the bracket counts only where the slope
there is on the right side of v by more than what its formula may round by, or where the domain of p ends.
Where no such end is known the bound is infinite.
"""

import sympy as sp

from workbench.conjugates.codegen.printer import derivative, python_text
from workbench.conjugates.codegen.rounding import rounding
from workbench.conjugates.codegen.text import end_text, function

FARTHEST = 10**300

# Newton's steps inside a bracket. One that is not half of the last gives way to halving the bracket, on the
# scale of binades while its ends are far from each other: 11 halvings bring 1e-300 and 1e300 within a factor
# of two, and 53 more to neighbours. After 60 steps it is halved only, so that the loop ends with a root.
ROOT = """\
    low, high, y, last = {low}, {high}, {start}, math.inf
    for step in range(200):
        miss = place_slope(y) - v
        if miss == 0.0:
            return y
        # Where the slope overflows to no number at all, y is too far out.
        if miss > 0.0 or (miss != miss and y > {start}):
            high = y
        else:
            low = y
        bend = place_bend(y)
        move = -miss / bend
        if bend < math.inf and abs(move) <= 2e-16 * abs(y):
            return y
        if step < 60 and low < y + move < high and abs(move) <= 0.5 * last:
            following = y + move
        else:
            following = middle(low, high)
            if not low < following < high:
                return y
        last = abs(following - y)
        y = following
    return y
"""

MIDDLE = """\
    if low < 0.0 < high:
        return 0.0
    near, far = min(abs(low), abs(high)), max(abs(low), abs(high))
    near = max(near, 5e-324)
    size = near + 0.5 * (far - near)
    if far >= {farthest} and near < 1e100:
        # No slope is known out there, where squares overflow and their reciprocals vanish: go on from here.
        size = max(16.0, near * near)
    elif far > 4.0 * near:
        size = math.sqrt(near) * math.sqrt(far)
    return size if high > 0.0 else -size
"""

# How far from y the place of the supremum is at most, on one side: as far as the first of some growing steps
# after which the slope is beyond v for certain.
REACH = """\
    end = {high} if side > 0.0 else {low}
    move = max(4e-16 * abs(y), 1e-300)
    bend = place_bend(y)
    if 0.0 < bend < math.inf:
        move = max(move, 2.0 * place_rounding(y) / bend)
    grow = 4.0
    for _ in range(300):
        x = y + side * move
        if not side * (end - x) > 0.0:
            break
        beyond = side * (place_slope(x) - v)
        if place_rounding(x) <= beyond < math.inf:
            return (1.0 + 1e-12) * abs(x - y)
        move *= grow
        grow = min(grow * grow, 256.0)
    return (1.0 + 1e-12) * abs(end - y)
"""

BEST = """\
{ends}    y = root(v)
    beyond, off = place_slope(y) - v, place_rounding(y)
    left = reach(y, -1.0, v) if off + beyond > 0.0 else 0.0
    right = reach(y, 1.0, v) if off - beyond > 0.0 else 0.0
    bound = v * y - place_value(y)
    if left > 0.0:
        bound += (1.0 + 1e-12) * (off + beyond) * left
    if right > 0.0:
        bound = max(bound, (v * y - place_value(y)) + (1.0 + 1e-12) * (off - beyond) * right)
    if abs(bound) < math.inf:
        return bound
{near_ends}    # Of a part that overflows nothing is known.
    return math.inf
"""

# At an end of the domain of q, where the root is infinite, q has a value; between there and a slope that p
# has for certain, the larger of the two values of q bounds it.
END = """\
    if v {relation} {place}:
        return {value}
"""
NEAR_END = """\
    if {inner} < math.inf and not {outer} < math.inf:
        return max({value}, value_at_slope(y {sign} {inner}))
"""
VALUE_AT_SLOPE = """\
    s = place_slope(y)
    size = 2.0 * abs(s * y) + 2.0 * abs(place_value(y)) + place_value_rounding(y)
    bound = (s * y - place_value(y)) + abs(y) * place_rounding(y) + 4.0 * 2.0**-53 * size
    return bound if abs(bound) < math.inf else math.inf
"""

# The rounding of the formula of `best`, whose last part is rounded up.
BEST_ROUNDING = """\
{ends}    y = root(v)
    return 2.0 * abs(v * y) + abs(place_value(y)) + place_value_rounding(y)
"""


def solved(p, u):
    """`Best`, v -> sup of v u - p(u), whose slope is `Root`, v -> the u where the supremum is."""
    curvature = derivative(p, u, 2)

    class Root(sp.Function):
        nargs = 1

        def fdiff(self, argindex=1):
            return 1 / curvature.xreplace({u: self})

        def _pythoncode(self, printer, **_):
            return f"root({printer._print(self.args[0])})"

    class Best(sp.Function):
        nargs = 1

        def fdiff(self, argindex=1):
            return Root(*self.args)

        def rounding(self):
            return BestRounding(*self.args)

        def _pythoncode(self, printer, **_):
            return f"best({printer._print(self.args[0])})"

    class BestRounding(sp.Function):
        nargs = 1

        def _pythoncode(self, printer, **_):
            return f"best_rounding({printer._print(self.args[0])})"

    return Best


def helpers(p, u, domain, q):
    """Return the source of the helpers of `Best`, `Root` and `BestRounding`, for the `ConvexFunction` q of p.

    Parameters
    ----------
    p : sympy.Expr
        The formula in u, without overflow.
    u : sympy.Symbol
    domain : sympy.Set
        Where p is finite.
    q : ConvexFunction
        The conjugate, for the values at the ends of its domain.
    """
    y = sp.Symbol("y", real=True)
    p = p.xreplace({u: y})
    slope = derivative(p, y)
    formulas = {
        "place_value": p,
        "place_slope": slope,
        "place_bend": derivative(p, y, 2),
        "place_value_rounding": rounding(p),
    }
    texts = {name: python_text(form) for name, form in formulas.items()}
    # As `interval_loops.convex_sum` has it, for a value of this rounding.
    of_slope = python_text(rounding(slope))
    texts["place_rounding"] = f"4.0 * 2.0**-53 * (({of_slope}) + abs(place_slope(y))) + 1e-140"
    low, high = domain.inf, domain.sup
    if low.is_infinite and high.is_infinite:
        start = 0.0
    else:
        start = 1.0 if high.is_infinite else float((low + high) / 2)
    inner = {"low": end_text(max(low, -FARTHEST)), "high": end_text(min(high, FARTHEST))}
    ends = {"low": end_text(low), "high": end_text(high)}
    functions = [("y", name, {"expression": text}) for name, text in texts.items()]
    functions += [
        ("low, high", "middle", {"body": MIDDLE.format(farthest=end_text(FARTHEST))}),
        ("v", "root", {"body": ROOT.format(**inner, start=start)}),
        ("y, side, v", "reach", {"body": REACH.format(**ends)}),
        ("y", "value_at_slope", {"body": VALUE_AT_SLOPE}),
        ("v", "best", {"body": BEST.format(**_ends(q))}),
        ("v", "best_rounding", {"body": BEST_ROUNDING.format(ends=_ends(q, True)["ends"])}),
    ]
    return [f"\n@inline\n{function(name, names, '', **body)}\n" for names, name, body in functions]


def _ends(q, is_rounding=False):
    """Return the source of the branches of `best` at and near the ends of the domain that q includes."""
    sides = {
        q.domain.inf: {"relation": "<=", "inner": "right", "outer": "left", "sign": "+"},
        q.domain.sup: {"relation": ">=", "inner": "left", "outer": "right", "sign": "-"},
    }
    texts = {"ends": "", "near_ends": ""}
    for knot in q.knots:
        if knot.place in sides and knot.place.is_finite and knot.value.is_finite:
            value = end_text(knot.value)
            texts["near_ends"] += NEAR_END.format(value=value, **sides[knot.place])
            value = f"2.0 * abs({value})" if is_rounding else value
            place = end_text(knot.place)
            texts["ends"] += END.format(place=place, value=value, relation=sides[knot.place]["relation"])
    return texts
