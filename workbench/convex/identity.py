"""Identities that SymPy shows: q(p'(u)) = u p'(u) - p(u) on a curved piece."""

import sympy as sp

from workbench.convex.limited import OutOfTime, attempt, seconds
from workbench.convex.primitives import elementary

PROOF_SECONDS = 3.0


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
    X = sp.Dummy("X", positive=True)
    for chart in _charts(piece, X):
        try:
            with seconds(PROOF_SECONDS):
                if _identity(expression, v, piece, u, X, chart):
                    return True
        except OutOfTime:
            continue
    return False


def _identity(expression, v, piece, u, X, chart):
    p = elementary(piece.expr)
    slope = sp.diff(p, u).xreplace({u: chart})
    identity = elementary(expression).xreplace({v: slope}) - chart * slope + p.xreplace({u: chart})
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
