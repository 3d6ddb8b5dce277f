"""The losses, each as one univariate convex function p(u).

Loss i of a problem is f(z) = c p(s z + t) with a sample weight c and a sign s and shift t that the
kind of the loss decides:

    margin      u = y z       s = y,  t = 0       classification, y in {-1, +1}
    residual    u = z - y     s = 1,  t = -y      regression
    prediction  u = z         s = 1,  t = 0

With nu = -alpha / (c s) its conjugate is k(-alpha) = c p*(nu) + alpha t / s, so everything a solver
needs is a formula of p and p* alone. `coordinate` is the heart of a Gauss-Seidel step,

    argmin over nu of   p*(nu) - linear nu + (quadratic / 2) (nu - start)^2,

stated before the clip to the domain of p*: the minimizer over an interval of a convex function of
one variable is the clipped free one, and a scaled step clips after scaling (Zhang 2002, 6.2).
"""

from dataclasses import dataclass

import sympy as sp

from workbench.convex.primitives import BinaryEntropy, Log1pExp

U, V = sp.symbols("u v", real=True)
START, LINEAR = sp.symbols("start linear", real=True)
QUADRATIC = sp.Symbol("quadratic", positive=True)
EPSILON = sp.Symbol("epsilon", positive=True)
HALF = sp.Rational(1, 2)


@dataclass(frozen=True)
class LossTerm:
    """One loss: p(u), its conjugate p*(v) on [lower, upper], and how a coordinate step reads.

    `coordinate` None means that no closed form exists and the step is found by Newton's method on
    the slope of p; `kink` is e where the slope of p* jumps at zero from -e to e; `steep` says that
    this slope is infinite at the ends of the domain, so that a solver starts at `start` and stays
    inside.
    """

    name: str
    kind: str
    value: sp.Expr
    conjugate: sp.Expr
    lower: sp.Expr
    upper: sp.Expr
    source: str
    coordinate: sp.Expr | None = None
    parameters: tuple[sp.Symbol, ...] = ()
    kink: sp.Symbol | None = None
    steep: bool = False
    start: sp.Expr = sp.S.Zero


def _soft(x, threshold):
    """Soft thresholding: the minimizer of (x - nu)^2 / 2 + threshold |nu|."""
    return sp.Piecewise((x - threshold, x > threshold), (x + threshold, x < -threshold), (0, True))


_INSENSITIVE = sp.Abs(U) - EPSILON
_SHORTFALL = 1 - U

LOSSES = (
    LossTerm(
        "squared",
        "residual",
        value=U**2,
        conjugate=V**2 / 4,
        lower=-sp.oo,
        upper=sp.oo,
        coordinate=(LINEAR + QUADRATIC * START) / (QUADRATIC + HALF),
        source="Zhang (2002), section 3.1; no factor 1/2",
    ),
    LossTerm(
        "epsilon-insensitive-1",
        "residual",
        value=sp.Piecewise((0, sp.Abs(U) <= EPSILON), (_INSENSITIVE, True)),
        conjugate=EPSILON * sp.Abs(V),
        lower=-sp.S.One,
        upper=sp.S.One,
        coordinate=_soft(LINEAR + QUADRATIC * START, EPSILON) / QUADRATIC,
        parameters=(EPSILON,),
        kink=EPSILON,
        source="Zhang (2002), (18) with p = 1 and the case after (20)",
    ),
    LossTerm(
        "epsilon-insensitive-2",
        "residual",
        value=sp.Piecewise((0, sp.Abs(U) <= EPSILON), (_INSENSITIVE**2 / 2, True)),
        conjugate=EPSILON * sp.Abs(V) + V**2 / 2,
        lower=-sp.oo,
        upper=sp.oo,
        coordinate=_soft(LINEAR + QUADRATIC * START, EPSILON) / (QUADRATIC + 1),
        parameters=(EPSILON,),
        kink=EPSILON,
        source="Zhang (2002), (18) with p = 2 and the case after (20)",
    ),
    LossTerm(
        "huber",
        "residual",
        value=sp.Piecewise((U**2 / 2, sp.Abs(U) <= 1), (sp.Abs(U) - HALF, True)),
        conjugate=V**2 / 2,
        lower=-sp.S.One,
        upper=sp.S.One,
        coordinate=(LINEAR + QUADRATIC * START) / (QUADRATIC + 1),
        source="Zhang (2002), Appendix E, pair 7",
    ),
    LossTerm(
        "hinge-1",
        "margin",
        value=sp.Piecewise((_SHORTFALL, U < 1), (0, True)),
        conjugate=V,
        lower=-sp.S.One,
        upper=sp.S.Zero,
        coordinate=START + (LINEAR - 1) / QUADRATIC,
        source="Zhang (2002), (21) with p = 1 and (25)",
    ),
    LossTerm(
        "hinge-2",
        "margin",
        value=sp.Piecewise((_SHORTFALL**2 / 2, U < 1), (0, True)),
        # Factored so that it keeps its relative precision around its root v = -2.
        conjugate=V * (1 + V / 2),
        lower=-sp.oo,
        upper=sp.S.Zero,
        coordinate=(LINEAR - 1 + QUADRATIC * START) / (QUADRATIC + 1),
        source="Zhang (2002), (21) with p = 2 and (26)",
    ),
    LossTerm(
        "smoothed-hinge",
        "margin",
        value=sp.Piecewise((0, U >= 1), (_SHORTFALL**2 / 2, U >= 0), (HALF - U, True)),
        conjugate=V * (1 + V / 2),
        lower=-sp.S.One,
        upper=sp.S.Zero,
        coordinate=(LINEAR - 1 + QUADRATIC * START) / (QUADRATIC + 1),
        source="Zhang (2002), Appendix E, pair 9 at 1 - u",
    ),
    LossTerm(
        "logistic",
        "margin",
        value=Log1pExp(-U),
        conjugate=BinaryEntropy(-V),
        lower=-sp.S.One,
        upper=sp.S.Zero,
        steep=True,
        # liblinear's start: inside the box, and close enough to zero that v is as good as zero.
        start=-sp.Rational(1, 10**8),
        source="Zhang (2002), Appendix E, pair 5 at -u",
    ),
)
