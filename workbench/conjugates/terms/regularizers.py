"""The regularizers with a smooth conjugate, in the one shape h(v) = Phi(S), S = sum_j c_j phi(v_j).

So w_j = Phi'(S) c_j phi'(v_j), and a change of v in the non-zeros of one row moves S by a sum over
these alone. `scale` is a number that the run keeps beside v and may set anew at any time without
changing h: a shift keeps exponentials from overflowing, a divisor keeps powers from vanishing.
"""

from dataclasses import dataclass

import sympy as sp

from workbench.conjugates.convex.primitives import RelativeEntropy
from workbench.conjugates.terms.parameters import Parameter, Parametrized

V = sp.Symbol("v", real=True)
W = sp.Symbol("w", real=True)
S = sp.Symbol("S", nonnegative=True)
C = sp.Symbol("c", positive=True)
SCALE = sp.Symbol("scale", real=True)
DIVISOR = sp.Symbol("scale", positive=True)
EPSILON = sp.Symbol("epsilon", nonnegative=True)
TOTAL = sp.Symbol("total", positive=True)
Q, POWER = sp.symbols("q power", positive=True)
RADIUS = sp.Symbol("radius", positive=True)


@dataclass(frozen=True)
class RegularizerTerm(Parametrized):
    """One regularizer: g = primal_outer(sum_j primal(w_j, c_j)); `derived` finds inner and outer of h.

    `structure` says how g(w) + h(v) - w.v splits into terms that are never negative: "separable"
    (a Fenchel-Young term a coordinate), "simplex" (a relative entropy to the point that v maps to)
    or "norm" (Young's and Hoelder's inequalities). `scaling` says what `scale` does: None, "shift"
    or "divisor". `domain` is that of a coordinate of g: an interval; `ends` are the (place, value)
    of its ends at which the formula of `primal` is undefined. `catalogue` is its name in
    `convex.catalogue`, where that has an entry for it under another name.
    """

    name: str
    primal: sp.Expr
    source: str
    primal_outer: sp.Expr = S
    parameters: tuple[Parameter, ...] = ()
    structure: str = "separable"
    scaling: str | None = None
    domain: sp.Set = sp.S.Reals
    ends: tuple[tuple[sp.Expr, sp.Expr], ...] = ()
    catalogue: str = ""


REGULARIZERS = (
    RegularizerTerm(
        "squared-l2",
        primal=W**2 / (2 * C),
        source="Zhang (2002), (12), K = diag(1/c)",
        catalogue="squared l2",
    ),
    RegularizerTerm(
        "elastic-net",
        primal=EPSILON * sp.Abs(W) + W**2 / 2,
        parameters=(Parameter(EPSILON, default=0.1),),
        source="Zhang (2002), (16), with c = 1",
        catalogue="elastic net",
    ),
    RegularizerTerm(
        "bounded",
        primal=W**2 / 2,
        parameters=(Parameter(RADIUS, default=1),),
        domain=sp.Interval(-RADIUS, RADIUS),
        source="Zhang (2002), section 4.4, h the Huber function",
        catalogue="bounded weights",
    ),
    RegularizerTerm(
        "nonnegative",
        primal=EPSILON * sp.Abs(W) + W**2 / 2,
        parameters=(Parameter(EPSILON, default=0),),
        domain=sp.Interval(0, sp.oo),
        source="the elastic net, Zhang (2002), (16), on the weights that are 0 or more",
    ),
    RegularizerTerm(
        "entropy",
        primal=RelativeEntropy(W, C) - W,
        domain=sp.Interval(0, sp.oo),
        source="Zhang (2002), (17), with c = mu",
        catalogue="unnormalized entropy",
    ),
    RegularizerTerm(
        "normalized-entropy",
        primal=RelativeEntropy(W, C * TOTAL),
        parameters=(Parameter(TOTAL),),
        structure="simplex",
        scaling="shift",
        domain=sp.Interval(0, sp.oo),
        source="Zhang (2002), Appendix E, pair 4, with c = mu / A and total = A",
        catalogue="normalized entropy",
    ),
    RegularizerTerm(
        "q-norm",
        primal=sp.Abs(W) ** Q,
        primal_outer=S ** (POWER / Q) / POWER,
        parameters=(Parameter(Q, "q > 1", default=2), Parameter(POWER, "power > 1", default=2)),
        structure="norm",
        scaling="divisor",
        source="Zhang (2002), Appendix E, pair 2 with g in the q-norm to the given power, c = 1",
    ),
)
