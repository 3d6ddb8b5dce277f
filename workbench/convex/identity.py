"""Identities that SymPy shows: q(p'(u)) = u p'(u) - p(u) on a curved piece."""

import sympy as sp

from workbench.convex.limited import OutOfTime, attempt, seconds
from workbench.convex.primitives import elementary

PROOF_SECONDS = 3.0
# Functions of a real number, each with the one that it undoes on the whole line.
INVERSES = {sp.log: sp.exp, sp.asinh: sp.sinh, sp.atanh: sp.tanh}


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


def conjugate_identity(expression, v, piece, u):
    """Whether SymPy shows q(p'(u)) = u p'(u) - p(u) on the piece, for a formula of q in v.

    The unknown is known to be positive where it is. Forced rules for logarithms and powers may pick a wrong
    branch, which would differ by a constant that the comparison with numbers, on the same connected piece,
    does not let pass.
    """
    for X, chart in _charts(piece):
        try:
            with seconds(PROOF_SECONDS):
                if _identity(expression, v, piece, u, X, chart):
                    return True
        except OutOfTime:
            continue
    return False


def _identity(expression, v, piece, u, X, chart):
    # As they are written SymPy knows more of their inverses; in elementary functions more cancels.
    for p, q in ((piece.expr, expression), (elementary(piece.expr), elementary(expression))):
        slope = sp.diff(p, u).xreplace({u: chart})
        identity = q.xreplace({v: slope}) - chart * slope + p.xreplace({u: chart})
        if _is_stationary(q, v, slope, chart) and _vanishes_somewhere(identity, X):
            return True
    return is_zero(identity) or _constant_zero(identity, X)


def _is_stationary(q, v, slope, chart):
    """Whether q'(p'(u)) = u: then the identity, whose derivative is (q'(p'(u)) - u) p''(u), is a constant."""
    inverse = sp.diff(q, v).xreplace({v: slope})
    difference = inverse - chart
    if inverse.func in INVERSES:
        # asinh(a) = u where a = sinh(u), and SymPy would not cancel the two.
        difference = inverse.args[0] - INVERSES[inverse.func](chart)
    return any(attempt(way, difference, limit=1.0) == 0 for way in (sp.expand, sp.simplify))


def _charts(piece):
    """The unknown on the piece by a positive X: counted from a finite end, then by its sign alone.

    On the whole line X is any real number.
    """
    low, high = piece.low, piece.high
    if low.is_infinite and high.is_infinite:
        X = sp.Dummy("X", real=True)
        return [(X, X)]
    X = sp.Dummy("X", positive=True)
    if high.is_infinite:
        charts = [low + X]
    elif low.is_infinite:
        charts = [high - X]
    else:
        charts = [(low + high * X) / (1 + X)]
    charts += [X] if low.is_nonnegative else [-X] if high.is_nonpositive else []
    return [(X, chart) for chart in dict.fromkeys(charts)]


def _constant_zero(identity, X):
    """Zero everywhere since the derivative is zero and one value is."""
    derivative = attempt(sp.diff, identity, X)
    return (
        derivative is not None
        and derivative != 0
        and is_zero(derivative)
        and _vanishes_somewhere(identity, X)
    )


def _vanishes_somewhere(identity, X):
    return any(is_zero(identity.subs(X, place)) for place in (1, 2))
