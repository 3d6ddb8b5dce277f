"""Certificates against the truth: never negative, never below the suboptimality of its point.

On small data that Hypothesis draws, with general exponents, own functions and biases. The objective is
written out in long double; any point's value bounds the optimum from above, so a suboptimality is at least
the difference to the best point known.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import workbench as wb
from tests.helpers.amounts import amount
from workbench.certificates import certify
from workbench.solvers.algorithms.gradients import SMOOTH

EXAMPLES, POINTS = amount(25, 1000), 10
# Of the sum of the magnitudes of all terms: the certificate's own sums are of doubles.
ROUNDING = 4e-14
LONG = np.longdouble
STEP = LONG(2.0**-30)  # the relative step of a difference quotient


def _beyond(u, edge, p):
    return np.maximum(LONG(0), u - LONG(edge)) ** LONG(p) / LONG(p)


def _log1pexp(u):
    return np.maximum(u, LONG(0)) + np.log1p(np.exp(-np.abs(u)))


POWERS = (1.0, 1.05, 1.5, 2.0, 3.0, 7.5)
# Each loss with p(u) in long double.
LOSSES = {
    "squared": lambda u: u**2,
    "huber": lambda u: np.where(np.abs(u) <= 1, u**2 / 2, np.abs(u) - LONG(0.5)),
    "quantile:tau=0.75": lambda u: np.where(u < 0, LONG(-0.75) * u, LONG(0.25) * u),
    "logistic": lambda u: _log1pexp(-u),
    **{f"hinge:p={p:g}": (lambda u, p=p: _beyond(-u, -1, p)) for p in POWERS},
    **{
        f"epsilon-insensitive:epsilon=0.25,p={p:g}": (lambda u, p=p: _beyond(np.abs(u), 0.25, p))
        for p in POWERS
    },
    "own residual: log(1 + exp(u)) + u**2/20": lambda u: _log1pexp(u) + u**2 / 20,
    "own margin: max(0, 1 - u) + u**2/20": lambda u: np.maximum(LONG(0), 1 - u) + u**2 / 20,
}
REGULARIZERS = {
    "squared-l2": lambda w: np.sum(w**2) / 2,
    "elastic-net:epsilon=0.25": lambda w: np.sum(np.abs(w)) / 4 + np.sum(w**2) / 2,
    "q-norm:q=1.5": lambda w: np.sum(np.abs(w) ** LONG(1.5)) ** (LONG(4) / 3) / 2,
    "l1": lambda w: np.sum(np.abs(w)),
    "own: cosh(u) - 1": lambda w: np.sum(2 * np.sinh(w / 2) ** 2),
}
# What is subtracted in a formula as it is written, beyond the size of its value.
CANCELLED = {"own: cosh(u) - 1": lambda w: np.sum(np.cosh(w) + 1.0)}
NUMBERS = st.one_of(st.just(0.0), st.floats(-3.0, 3.0).filter(lambda x: abs(x) > 1e-3))
SHIFTS = st.sampled_from([0.0, 0.0, 1e3, 1e6])


def made(name):
    if not name.startswith("own"):
        return name
    head, text = name.split(": ")
    kind = head.removeprefix("own").strip()
    return wb.losses.custom(text, kind=kind) if kind else wb.regularizers.custom(text)


@st.composite
def problems(draw):
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    X = draw(arrays(float, (n, d), elements=NUMBERS)) * 10.0 ** draw(st.integers(-2, 2))
    loss, regularizer = draw(st.sampled_from(list(LOSSES))), draw(st.sampled_from(list(REGULARIZERS)))
    margin = made(loss).kind == "margin" if loss.startswith("own") else loss.startswith(("hinge", "log"))
    bias = draw(st.sampled_from([False, True]))
    y = draw(arrays(float, n, elements=st.sampled_from([-1.0, 1.0]) if margin else NUMBERS))
    if margin:
        y[:2] = 1.0, -1.0
    elif bias:
        y = y + draw(SHIFTS)
    weight = draw(st.none() | arrays(float, n, elements=st.floats(0.1, 10.0)))
    lam = 10.0 ** draw(st.floats(-4, 1))
    return (
        loss,
        regularizer,
        wb.Problem(X, y, made(loss), made(regularizer), lam=lam, bias=bias, sample_weight=weight),
    )


def primal(loss, regularizer, p, w, b):
    """P(w, b) in long double, the magnitudes of the predictions' terms, and what rounding them costs in P.

    The cost is per unit of relative rounding: sum_i c_i |p'(u_i)| s_i / n, for the magnitudes s_i that
    cancel in u_i. At a point far from the optimum p' has little to do with alpha.
    """
    z = p.rows.toarray().astype(LONG) @ w.astype(LONG) + LONG(b)
    u, weight = p.sign.astype(LONG) * z + p.shift.astype(LONG), p.weight.astype(LONG)
    value = (weight * LOSSES[loss](u)).sum() / p.n_samples + LONG(p.lam) * REGULARIZERS[regularizer](
        w.astype(LONG)
    )
    size = np.abs(p.rows.toarray()) @ np.abs(w) + abs(b) + np.abs(p.shift)
    moved = LOSSES[loss](u + STEP * size) - LOSSES[loss](u - STEP * size)
    cost = (weight * np.abs(moved)).sum() / (2 * STEP * p.n_samples)
    cancelled = CANCELLED.get(regularizer, lambda _: 0.0)(w)
    return value, float(size.max()), float(np.abs(value) + cost) + p.lam * float(cancelled)


def references(p):
    """Points of little value: zero, and what solvers find."""
    points = [(np.zeros(p.rows.shape[1]), 0.0)]
    name = "augmented-lagrangian" if p.free_bias else "gauss-seidel"
    if p.regularizer.is_norm:
        name = "proximal-gradient"
        if p.loss.kinks.size or p.loss.smoothness < SMOOTH:
            return points
    last = wb.solve(p, name, tol=1e-9, max_epochs=300)
    return [*points, (last.w_embedded, float(last.b) if p.free_bias else 0.0)]


def check(drawn, seed):
    """Ten certificates of points near and far, against the best value known."""
    loss, regularizer, p = drawn
    rng = np.random.default_rng(seed)
    known = references(p)
    best = min(primal(loss, regularizer, p, *point)[0] for point in known)
    w, b = known[-1]
    side = certify(p, w=w, b=b if p.free_bias else None)
    for k in range(POINTS):
        near = 10.0 ** -rng.integers(0, 12)
        moved = w + near * rng.normal(size=w.shape) * (1.0 + np.abs(w))
        at = b + near * rng.normal() if p.free_bias else None
        alpha = side.alpha + near * rng.normal(size=p.n_samples) * np.abs(side.alpha)
        point = {"w": moved, "b": at, "alpha": alpha}
        names = (("w",), ("w", "b"), ("alpha",), ("w", "b", "alpha"))[k % 4]
        c = certify(p, **{name: point[name] for name in names})
        assert c.gap >= 0.0
        assert (c.sample_terms >= 0.0).all()
        value, size, cost = primal(loss, regularizer, p, c.w, float(c.b) if p.free_bias else 0.0)
        if not np.isfinite(c.gap) or not np.isfinite(cost):
            continue
        slopes = float(np.abs(c.alpha).max(initial=0.0)) + 1.0
        rounding = ROUNDING * (size * slopes + cost + abs(c.primal) + abs(c.dual))
        assert c.gap >= float(value - best) - rounding
        assert c.dual <= float(best) + rounding
        assert abs(c.primal - float(value)) <= rounding


# A reference may crawl, and says so; its value still bounds the least one.
@pytest.mark.filterwarnings("ignore::workbench._support.errors.WorkbenchWarning")
@settings(max_examples=EXAMPLES)
@given(problems(), st.integers(0, 2**32))
def test_no_certificate_is_negative_or_below_the_truth(drawn, seed):
    check(drawn, seed)
