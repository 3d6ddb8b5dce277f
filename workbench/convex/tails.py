"""The sign and the range of an expression on a half line [W, oo), proved by symbolic means.

Factor by factor: a factor has a sign where interval arithmetic shows it, where one term outweighs the
others, or where it is monotone and its end and its limit lie on one side of zero. Signs are weak: +1
means >= 0. What tends to a finite end a is brought here as u = a + 1/w.
"""

import sympy as sp

from workbench.convex.intervals import INF, ONE, REALS, Unbounded, add, compiled, exact, precise
from workbench.convex.limited import attempt
from workbench.convex.limits import one_sided
from workbench.convex.setting import Setting

DEPTH = 3
TERMS = 6


def limit_at_infinity(expression, w):
    """The limit as w grows, or None where only numbers speak for it."""
    setting = Setting()
    found = one_sided(expression, w, sp.oo, -1, setting)
    if found is None or setting.unproved or not (found.is_infinite or found.is_number):
        return None
    return found


@precise
def tail_sign(expression, w, start, depth=DEPTH):
    """+1 where the expression is >= 0 for all w >= start (an Arb number), -1 where <= 0, else None."""
    return sign_of_product(expression, lambda factor: _factor_sign(factor, w, start, depth))


def sign_of_product(expression, sign_of_factor):
    """The sign of an expression as the product of its factors' signs, each +1, -1 or None; else None."""
    form = attempt(lambda: sp.factor(sp.together(expression)), limit=0.5, default=expression)
    sign = 1
    for factor in sp.Mul.make_args(form):
        base, exponent = factor.as_base_exp() if not isinstance(factor, sp.exp) else (factor, sp.S.One)
        if exponent.is_Integer and exponent % 2 == 0:
            continue
        own = sign_of_factor(base)
        if own is None:
            return None
        sign *= own
    return sign


def interval_sign(image):
    return 1 if image[0] >= 0 else (-1 if image[1] <= 0 else None)


def evaluated(expression, w, box):
    """The interval of the expression on a box, the whole line where no rule gives it."""
    try:
        return compiled(expression, (w,))(box)
    except Unbounded:
        return REALS


def _factor_sign(expression, w, start, depth):
    sign = interval_sign(evaluated(expression, w, (start, INF)))
    if sign is not None:
        return sign
    if expression.is_Add and len(expression.args) <= TERMS:
        sign = _outweighed(expression, w, start, depth)
    if sign is None and depth > 0:
        sign = _monotone_sign(expression, w, start, depth)
    return sign


def _outweighed(expression, w, start, depth):
    """The sign of a term that is larger than the sum of the others."""
    for term in expression.args if depth > 0 else ():
        ratios = [attempt(sp.powsimp, other / term, default=other / term)
                  for other in expression.args if other != term]  # fmt: skip
        total = (ONE, ONE)
        for ratio in ratios:
            total = add(total, tail_range(ratio, w, start, min(depth, 2) - 1))
            if not total[0] > -INF:
                break
        if total[0] >= 0:
            return tail_sign(term, w, start, 0)
    return None


def _monotone_sign(expression, w, start, depth):
    way = tail_sign(sp.diff(expression, w), w, start, depth - 1)
    if way is None:
        return None
    limit = limit_at_infinity(expression, w)
    first = evaluated(expression, w, (start, start))
    last = REALS if limit is None else exact(limit)
    lower, upper = (first, last) if way > 0 else (last, first)
    return 1 if lower[0] >= 0 else (-1 if upper[1] <= 0 else None)


@precise
def tail_range(expression, w, start, depth=DEPTH):
    """An interval that holds every value for w >= start."""
    image = evaluated(expression, w, (start, INF))
    if depth <= 0 or (image[0] > -INF and image[1] < INF and image[1] - image[0] < 1e-12):
        return image
    ends = monotone_ends(expression, w, start, depth)
    if ends is None:
        return image
    low, high = min(ends, key=lambda end: end[0]), max(ends, key=lambda end: end[1])
    return max(low[0], image[0]), min(high[1], image[1])


def monotone_ends(expression, w, start, depth=DEPTH):
    """(value at the start, limit) as intervals where the expression is monotone from there on, else None."""
    if tail_sign(sp.diff(expression, w), w, start, depth - 1) is None:
        return None
    limit = limit_at_infinity(expression, w)
    if limit is None:
        return None
    return evaluated(expression, w, (start, start)), exact(limit)
