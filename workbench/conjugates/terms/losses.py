"""The losses, each as one univariate convex function p(u).

Loss i of a problem is f(z) = c p(s z + t) with a sample weight c and a sign s and shift t that the
kind of the loss decides:

    margin      u = y z       s = y,  t = 0       classification, y in {-1, +1}
    residual    u = z - y     s = 1,  t = -y      regression
    prediction  u = z         s = 1,  t = 0

With nu = -alpha / (c s) its conjugate is k(-alpha) = c p*(nu) + alpha t / s, so everything a solver
needs is a formula of p and p* alone. A term states p; `derived` finds p* and the coordinate step,

    argmin over nu of   p*(nu) - linear nu + (quadratic / 2) (nu - start)^2.
"""

from dataclasses import dataclass

import sympy as sp

from workbench.conjugates.convex.primitives import Log1pExp
from workbench.conjugates.terms.parameters import Parameter, Parametrized

U, V = sp.symbols("u v", real=True)
START, LINEAR = sp.symbols("start linear", real=True)
QUADRATIC = sp.Symbol("quadratic", positive=True)
EPSILON = sp.Symbol("epsilon", nonnegative=True)
P = sp.Symbol("p", positive=True)
TAU = sp.Symbol("tau", positive=True)
DELTA, WIDTH = sp.symbols("delta width", positive=True)


@dataclass(frozen=True)
class LossTerm(Parametrized):
    """One loss: p(u), convex on `domain` (None: where it is real), and where it comes from.

    `parameters` are those of p in the order in which they reach compiled code; `ends` are (place, value) of
    ends of the domain where p is finite and its formula is 0/0.
    """

    name: str
    kind: str
    value: sp.Expr
    source: str
    parameters: tuple[Parameter, ...] = ()
    domain: sp.Set | None = None
    ends: tuple = ()


_INSENSITIVE = sp.Abs(U) - EPSILON
_SHORTFALL = 1 - U

LOSSES = (
    LossTerm(
        "squared",
        "residual",
        value=U**2,
        source="Zhang (2002), section 3.1; no factor 1/2",
    ),
    LossTerm(
        "epsilon-insensitive-1",
        "residual",
        value=sp.Piecewise((0, sp.Abs(U) <= EPSILON), (_INSENSITIVE, True)),
        parameters=(Parameter(EPSILON, default=0.1),),
        source="Zhang (2002), (18) with p = 1 and the case after (20)",
    ),
    LossTerm(
        "epsilon-insensitive-2",
        "residual",
        value=sp.Piecewise((0, sp.Abs(U) <= EPSILON), (_INSENSITIVE**2 / 2, True)),
        parameters=(Parameter(EPSILON, default=0.1),),
        source="Zhang (2002), (18) with p = 2 and the case after (20)",
    ),
    LossTerm(
        "epsilon-insensitive-p",
        "residual",
        value=sp.Piecewise((0, sp.Abs(U) <= EPSILON), (_INSENSITIVE**P / P, True)),
        parameters=(Parameter(EPSILON, default=0.1), Parameter(P, "p > 1")),
        source="Zhang (2002), (18)",
    ),
    LossTerm(
        "huber",
        "residual",
        value=sp.Piecewise((U**2 / 2, sp.Abs(U) <= DELTA), (DELTA * (sp.Abs(U) - DELTA / 2), True)),
        parameters=(Parameter(DELTA, default=1),),
        source="Huber (1964); Zhang (2002), Appendix E, pair 7 with delta = 1",
    ),
    LossTerm(
        "quantile",
        "residual",
        value=sp.Piecewise((-TAU * U, U < 0), ((1 - TAU) * U, True)),
        parameters=(Parameter(TAU, "tau < 1", default=0.5),),
        source="Koenker and Bassett (1978); the pinball loss, whose best constant is the tau-quantile of y",
    ),
    LossTerm(
        "hinge-1",
        "margin",
        value=sp.Piecewise((_SHORTFALL, U < 1), (0, True)),
        source="Zhang (2002), (21) with p = 1 and (25)",
    ),
    LossTerm(
        "hinge-2",
        "margin",
        value=sp.Piecewise((_SHORTFALL**2 / 2, U < 1), (0, True)),
        source="Zhang (2002), (21) with p = 2 and (26)",
    ),
    LossTerm(
        "hinge-p",
        "margin",
        value=sp.Piecewise((_SHORTFALL**P / P, U < 1), (0, True)),
        parameters=(Parameter(P, "p > 1"),),
        source="Zhang (2002), (21)",
    ),
    LossTerm(
        "smoothed-hinge",
        "margin",
        value=sp.Piecewise(
            (0, U >= 1), (_SHORTFALL**2 / (2 * WIDTH), U >= 1 - WIDTH), (_SHORTFALL - WIDTH / 2, True)
        ),
        parameters=(Parameter(WIDTH, default=1),),
        source="Shalev-Shwartz and Zhang (2013); Zhang (2002), Appendix E, pair 9 at 1 - u with width = 1",
    ),
    LossTerm(
        "logistic",
        "margin",
        value=Log1pExp(-U),
        source="Zhang (2002), Appendix E, pair 5 at -u",
    ),
    LossTerm(
        "negative-log",
        "prediction",
        value=-sp.log(U),
        domain=sp.Interval.open(0, sp.oo),
        source="Zhang (2002), Appendix E; the likelihood of a mixture",
    ),
)
