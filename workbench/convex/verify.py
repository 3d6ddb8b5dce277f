"""What is proved of a conjugate pair, and what is only checked in numbers.

Four claims together say that q is the conjugate of the closed convex p:

    convex    p'' >= 0 on every piece, p continuous, one-sided slopes in order where pieces meet
    pieces    q(p'(u)) = u p'(u) - p(u) identically in u on every curved piece
    places    q(v) = a v - p(a) between the one-sided slopes at every kink and end a
    domain    the slopes of p cover the domain of q; an end belongs where u v - p(u) has a finite limit

A fifth compares q with the supremum of u v - p(u), maximized in numbers over the formula as it was
given: it proves nothing, but it shares no step with the derivation. A claim is "proved" where SymPy shows
it for all values of the parameters, "checked" where only numbers speak for it.
"""

from itertools import pairwise

import mpmath
import sympy as sp

from workbench.convex.convexity import curvature_is_nonnegative
from workbench.convex.limits import OutOfTime, attempt, seconds
from workbench.convex.numeric import supremum
from workbench.convex.pieces import places
from workbench.convex.primitives import elementary
from workbench.convex.proof import Claim, Verification
from workbench.convex.setting import DIGITS, at, compiled
from workbench.errors import ConvexityError

AGREE = mpmath.mpf(10) ** -15
# The supremum at a slope of 20 may lie at u = e^20, which numbers still find.
FAR = 20
PROOF_SECONDS = 3.0


@mpmath.workdps(DIGITS)
def verify_pair(pair):
    """The `Verification` of a pair."""
    if pair.shape is None:
        return Verification((Claim("point", "proved", "the supremum over one point is its value there"),))
    claims = [_convex(pair), _order(pair)]
    claims += [_curved(pair, span) for span in pair.spans if span.kind == "piece"]
    claims += [_straight(pair), _domain(pair), _numeric(pair)]
    # Numbers that agree take nothing away from a proof; numbers that do not agree refute it.
    if claims[-1].status == "checked" and all(claim.status == "proved" for claim in claims[:-1]):
        claims[-1] = Claim(claims[-1].name, "proved", claims[-1].detail + "; implied by the claims above")
    return Verification(tuple(claims))


def _convex(pair):
    u = pair.shape.u
    open_pieces = [piece for piece in pair.shape.pieces if not curvature_is_nonnegative(piece, u)]
    if not open_pieces:
        return Claim("convex", "proved", "p'' >= 0 on every piece")
    place = f"({pair.setting.leave(open_pieces[0].low)}, {pair.setting.leave(open_pieces[0].high)})"
    return Claim(
        "convex", "checked", f"missing step: p'' >= 0 on {place}; no chord below p at the sampled points"
    )


def is_zero(expression, limit=1.5):
    """True where SymPy shows that the expression is zero."""
    ways = (
        lambda e: e,
        sp.expand,
        sp.simplify,
        lambda e: sp.simplify(sp.powsimp(sp.expand(sp.powdenest(e)))),
        lambda e: sp.simplify(sp.expand_log(sp.expand(sp.simplify(e)), force=True)),
        lambda e: sp.simplify(sp.powdenest(sp.powsimp(sp.expand(e), force=True), force=True)),
        lambda e: sp.simplify(e.rewrite(sp.exp)),
        lambda e: sp.simplify(sp.expand(e.rewrite(sp.log))),
    )
    return any(attempt(way, expression, limit=limit) == 0 for way in ways)


def _order(pair):
    slopes, values = pair.shape.slopes, pair.shape.values
    for (_, before), (after, _) in pairwise(slopes):
        if before != after and not (attempt(sp.simplify, after - before, default=sp.nan)).is_nonnegative:
            return Claim("meeting", "checked", f"missing step: the slopes {before} and {after} are in order")
    for (_, before), (after, _) in pairwise(values):
        if not is_zero(before - after):
            return Claim("meeting", "checked", f"missing step: the values {before} and {after} agree")
    return Claim("meeting", "proved", "p is continuous and its slopes are in order where pieces meet")


def _curved(pair, span):
    """q(p'(u)) = u p'(u) - p(u) on the piece, with the unknown known to be positive where it is."""
    piece, u, leave = pair.shape.pieces[span.index], pair.shape.u, pair.setting.leave
    name = f"piece on ({leave(piece.low)}, {leave(piece.high)})"
    if span.expr is None:
        return Claim(name, "checked", "missing step: no closed form; q is computed by bisection on p'(u) = v")
    X = sp.Dummy("X", positive=True)
    if _identity_holds(pair, span, piece, u, X):
        return Claim(name, "proved", "q(p'(u)) = u p'(u) - p(u) identically in u")
    return Claim(
        name,
        "checked",
        "missing step: q(p'(u)) - u p'(u) + p(u) simplifies to 0; it is 0 at the sampled points",
    )


def _identity_holds(pair, span, piece, u, X):
    """Whether SymPy shows it. Forced rules for logarithms and powers may pick a wrong branch, which would
    differ by a constant that the comparison with numbers, on the same connected piece, does not let pass."""
    for chart in _charts(_reach(pair, span, piece), X):
        try:
            with seconds(PROOF_SECONDS):
                if _identity(pair, span, piece, u, X, chart):
                    return True
        except OutOfTime:
            continue
    return False


def _reach(pair, span, piece):
    """The part of the piece that the span covers: half of it where it was cut at u = 0."""
    low, high = pair.shape.slopes[span.index]
    if span.low != low:
        return piece._replace(low=sp.S.Zero)
    return piece._replace(high=sp.S.Zero) if span.high != high else piece


def _identity(pair, span, piece, u, X, chart):
    p = elementary(piece.expr)
    slope = sp.diff(p, u).xreplace({u: chart})
    at_slope = elementary(span.expr).xreplace({pair.q.variable: slope})
    identity = at_slope - chart * slope + p.xreplace({u: chart})
    return is_zero(identity) or _constant_zero(identity, X)


def _charts(piece, X):
    """The unknown on the piece by a positive X: counted from a finite end, then by its sign alone."""
    low, high = piece.low, piece.high
    if low.is_infinite and high.is_infinite:
        return [sp.Dummy("x", real=True)]
    if high.is_infinite:
        charts = [low + X]
    elif low.is_infinite:
        charts = [high - X]
    else:
        charts = [(low + high * X) / (1 + X)]
    charts += [X] if low.is_nonnegative else [-X] if high.is_nonpositive else []
    return list(dict.fromkeys(charts))


def _constant_zero(identity, X):
    """Zero everywhere since the derivative is zero and one value is."""
    derivative = attempt(sp.diff, identity, X)
    return derivative is not None and derivative != 0 and is_zero(derivative) and is_zero(identity.subs(X, 1))


def _straight(pair):
    if not any(span.kind == "place" for span in pair.spans):
        return Claim("places", "proved", "there is no kink, and no end of the domain with a finite value")
    return Claim("places", "proved", "q(v) = a v - p(a) is the value at the kink or end a by definition")


def _domain(pair):
    """The spans follow one another without a gap, from one end of the slopes to the other."""
    if pair.setting.unproved:
        return Claim("domain", "checked", f"missing step: {pair.setting.unproved[0]}")
    for before, after in pairwise(pair.spans):
        if before.high != after.low and not is_zero(before.high - after.low):
            return Claim("domain", "checked", f"missing step: {before.high} = {after.low}")
    return Claim("domain", "proved", "the slopes of p cover the domain of q; its ends are the limits of p'")


def _numeric(pair):
    """q against the supremum over the formula as given, at points inside, at the ends and outside."""
    count, fault = compare(pair, pair.given)
    if fault:
        return Claim("numbers", "failed", fault)
    return Claim(
        "numbers",
        "checked",
        f"q agrees with the supremum in numbers at {count} points, ends and outside included",
    )


def refuse_wrong(pair, given):
    """Keep the formula as given, and refuse a pair that numbers contradict."""
    pair.given = given
    _, fault = compare(pair, given, draws=pair.setting.draws[:2], count=5)
    if fault:
        raise ConvexityError(
            f"the derivation and the numbers disagree ({fault}), so no conjugate is given; "
            "write the function out in pieces"
        )


def compare(pair, given, draws=None, count=9):
    """(points compared, None or a sentence about the first that differs)."""
    compared = 0
    for draw in draws or pair.setting.draws:
        p = compiled(given, pair.shape.u, given=draw)
        q = pair.q.evaluator({symbol: at(expr, draw) for symbol, expr in pair.setting.forward.items()})
        low, high = (at(end, draw) for end in (pair.shape.low, pair.shape.high))
        cuts = [at(piece.low, draw) for piece in pair.shape.pieces[1:]]
        for v in _slopes(pair, draw, count):
            value, wanted = q(v), supremum(p, v, low, high, cuts)
            if wanted is None:
                continue
            compared += 1
            same = (
                value == wanted if mpmath.isinf(wanted) else abs(value - wanted) <= AGREE * (1 + abs(wanted))
            )
            if not same:
                return (
                    compared,
                    f"q({mpmath.nstr(v, 8)}) = {mpmath.nstr(value, 10)}, not {mpmath.nstr(wanted, 10)}",
                )
    return compared, None


def _slopes(pair, draw, count):
    """Places in every span of q, and outside its domain."""
    if not pair.spans:
        slope = at(pair.shape.slopes[0][0], draw)
        return [slope, slope + 1, slope - 1]
    found = [v for span in pair.spans for v in places(span.low, span.high, draw, count) if abs(v) < FAR]
    low, high = (at(end, draw) for end in (pair.spans[0].low, pair.spans[-1].high))
    return (
        found
        + [low - mpmath.mpf("0.7")] * bool(mpmath.isfinite(low))
        + [high + mpmath.mpf("0.7")] * bool(mpmath.isfinite(high))
    )
