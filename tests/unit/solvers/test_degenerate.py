"""Degenerate problems: every solver ends with a certificate that holds, or refuses by name.

At and above the least lambda for which w = 0 is optimal, with one sample, one feature, equal labels, rank 0,
and rows and columns that are zero, constant or double, over every loss, regularizer and solver. Values are
computed anew in plain NumPy, and where w = 0 is optimal the optimum is that of the bias alone.
"""

import functools
import itertools
import warnings
from typing import NamedTuple

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse as sp

import workbench as wb
from tests.helpers.amounts import amount, covering, latin
from workbench import losses, regularizers, solvers
from workbench._support.errors import InputError
from workbench.certificates.assembly import relative_gap
from workbench.solvers.solution import reach

TOL = 1e-6
# The default solver is to converge where w = 0 is optimal, the others have to be honest.
MOST, EPOCHS = 1000, 100
# Sums of a few numbers, and the least lambda from difference quotients.
ROUNDING, SUMS, QUOTIENTS = 1e-10, 1e-13, 1e-7
MU, EPSILON = 0.3, 0.2


def beyond(u):
    return np.maximum(0.0, u)


def rounded(u):
    return np.where(np.abs(u) <= 1.0, 0.5 * u * u, np.abs(u) - 0.5)


# f(z, y) of one prediction; the losses whose slope jumps stand apart.
VALUES = {
    "squared": lambda z, y: (z - y) ** 2,
    "epsilon-insensitive:epsilon=0.2": lambda z, y: beyond(np.abs(z - y) - 0.2),
    "epsilon-insensitive:epsilon=0.2,p=2": lambda z, y: beyond(np.abs(z - y) - 0.2) ** 2 / 2,
    "huber": lambda z, y: rounded(z - y),
    "hinge": lambda z, y: beyond(1.0 - y * z),
    "squared-hinge": lambda z, y: beyond(1.0 - y * z) ** 2 / 2,
    "smoothed-hinge": lambda z, y: rounded(beyond(1.0 - y * z)),
    "logistic": lambda z, y: np.logaddexp(0.0, -y * z),
    "negative-log": lambda z, y: -np.log(np.where(z > 0.0, z, 0.0)),
    "multinomial": lambda z, y: np.logaddexp.reduce(z, axis=1) - z[np.arange(y.size), y.astype(int)],
}
KINKED = ("epsilon-insensitive:epsilon=0.2", "hinge")


def lengths(w, groups):
    return sum(np.linalg.norm(w.ravel()[group]) for group in groups)


# g(w) for w (D,) or (D, r).
PENALTIES = {
    "squared-l2": lambda w: np.sum(w**2) / 2,
    f"elastic-net:epsilon={EPSILON}": lambda w: EPSILON * np.abs(w).sum() + np.sum(w**2) / 2,
    f"entropy:mu={MU}": lambda w: np.sum(_entropies(w, MU * np.e)),
    f"normalized-entropy:mu={MU}": lambda w: np.sum(_entropies(w, MU)),
    "q-norm:q=3,power=1.5": lambda w: np.sum(np.abs(w) ** 3.0) ** 0.5 / 1.5,
    "p-norm:p=1.8": lambda w: np.sum(np.abs(w) ** 1.8) ** (2.0 / 1.8) / 1.6,
    "l1": lambda w: np.abs(w).sum(),
    "l2": lambda w: np.linalg.norm(w),
    "linf": lambda w: np.abs(w).max(),
    "group-l1l2:size=2": lambda w: lengths(w, pairs_of(w)),
    "group-l1linf:size=2": lambda w: sum(np.abs(w.ravel()[group]).max() for group in pairs_of(w)),
    "sparse-group:size=2,share=0.5": lambda w: 0.5 * np.abs(w).sum() + lengths(w, pairs_of(w)),
    "rows-l1l2": lambda w: np.linalg.norm(_matrix(w), axis=1).sum(),
    "rows-l1linf": lambda w: np.abs(_matrix(w)).max(axis=1).sum(),
    "trace": lambda w: np.linalg.svd(_matrix(w), compute_uv=False).sum(),
    "tree": lambda w: np.linalg.norm(w) + np.linalg.norm(w[0]),
}
# An upper bound of the dual norm, or of what v has to exceed before w leaves zero; most are exact.
DUAL_NORMS = {
    f"elastic-net:epsilon={EPSILON}": lambda v: np.abs(v).max() / EPSILON,
    "l1": lambda v: np.abs(v).max(),
    "l2": np.linalg.norm,
    "linf": lambda v: np.abs(v).sum(),
    "group-l1l2:size=2": lambda v: max(np.linalg.norm(v.ravel()[group]) for group in pairs_of(v)),
    "group-l1linf:size=2": lambda v: max(np.abs(v.ravel()[group]).sum() for group in pairs_of(v)),
    "sparse-group:size=2,share=0.5": lambda v: max(np.linalg.norm(v.ravel()[group]) for group in pairs_of(v)),
    "rows-l1l2": lambda v: np.linalg.norm(_matrix(v), axis=1).max(),
    "rows-l1linf": lambda v: np.abs(_matrix(v)).sum(axis=1).max(),
    "trace": lambda v: np.linalg.norm(_matrix(v), 2),
    "tree": np.linalg.norm,
}


def _entropies(w, mu):
    return np.where(w > 0.0, w * np.log(np.where(w > 0.0, w, 1.0) / mu), 0.0)


def _matrix(w):
    return w.reshape(w.shape[0], -1)


def pairs_of(w):
    """Groups of two neighbouring features, each with all of its outputs."""
    size, outputs = _matrix(w).shape
    entries = np.arange(size * outputs).reshape(size, outputs)
    return [entries[first : first + 2].ravel() for first in range(0, size, 2)]


# What is wrong with the data, done to samples, targets and classes.


def _one_sample(X, y):
    return X[:1], y[:1]


def _one_feature(X, y):
    return X[:, :1], y


def _equal_labels(X, y):
    return X, np.full_like(y, y[1])


def _double(X, y):
    X, y = np.repeat(X[::2], 2, axis=0), np.repeat(y[::2], 2)
    return np.repeat(X[:, ::2], 2, axis=1), y


def _rank_0(X, y):
    return np.zeros_like(X), y


def _column(value):
    def changed(X, y):
        X = X.copy()
        X[:, 1] = value
        return X, y

    return changed


def _zero_row(X, y):
    return np.vstack([np.zeros_like(X[:1]), X[1:]]), y


CHANGES = {
    "nothing": lambda X, y: (X, y),
    "one sample": _one_sample,
    "one feature": _one_feature,
    "equal labels": _equal_labels,
    "double": _double,
    "rank 0": _rank_0,
    "a zero column": _column(0.0),
    "a constant column": _column(1.0),
    "a zero row": _zero_row,
}
# Lambda as a multiple of the least one for which w = 0 is optimal; where no lambda makes it so, of 1.
PLACES = (0.1, 1.0, 1.0 + 1e-6, 1e6)
BIASES = (False, "constant", True)
# What conjugate-gradient and maximal-violating-pair are for.
NARROW = (("squared", "squared-l2"), ("hinge", "squared-l2"))


class Cell(NamedTuple):
    """A degenerate problem, in words."""

    loss: str
    regularizer: str
    change: str
    bias: object
    place: float


class Made(NamedTuple):
    """The problem, its data with a constant feature where there is one, and min P, where it is known."""

    problem: wb.Problem
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    optimum: float | None


CELLS = [Cell(*parts) for parts in itertools.product(VALUES, PENALTIES, CHANGES, BIASES, PLACES)]


def data(cell):
    rng = np.random.default_rng(7)
    X = np.round(rng.normal(size=(8, 4)), 2)
    score = X @ [1.0, -1.0, 0.5, 0.0] + 0.5
    kind = losses.get(cell.loss).kind
    if kind == "prediction":
        X = np.exp(-(X**2))
    y = {"margin": np.where(score > 0.0, 1.0, -1.0), "classes": np.digitize(score, (0.0, 1.0)) * 1.0}
    return CHANGES[cell.change](X, y.get(kind, np.round(score, 2)))


def value(cell, z, y, weight):
    """The mean loss at predictions."""
    return float(weight @ VALUES[cell.loss](z, y)) / y.size


def best_bias(cell, y, weight):
    """The bias that is best where w = 0: of classes the logarithms of their shares."""
    if cell.loss == "multinomial":
        return np.log(np.bincount(y.astype(int), weight))
    return scipy.optimize.minimize_scalar(
        lambda b: value(cell, np.full(y.size, b), y, weight),
        bounds=(-20.0, 20.0),
        method="bounded",
        options={"xatol": 1e-12},
    ).x


def slopes(cell, z, y, weight):
    """f'(z_i) by difference quotients, (n,) or (n, r)."""
    gradient, step = np.zeros(z.shape), 1e-6
    for k in range(z.shape[1] if z.ndim == 2 else 1):
        shift = step * np.eye(z.shape[1])[k] if z.ndim == 2 else step
        quotient = (VALUES[cell.loss](z + shift, y) - VALUES[cell.loss](z - shift, y)) / (2.0 * step)
        gradient[(..., k) if z.ndim == 2 else ...] = weight * quotient
    return gradient


def pull(cell, X, z, y, weight):
    """X' f'(z) / n; with a free bias and a kink it is bounded, since no slope there is the only one."""
    if cell.bias is True and cell.loss in KINKED:
        return np.abs(X).T @ weight / y.size
    return X.T @ slopes(cell, z, y, weight) / y.size


@functools.lru_cache(maxsize=512)
def made(cell):
    """The problem with what is known of it; an `InputError` where it is refused."""
    X, y = data(cell)
    weight = np.linspace(0.5, 1.5, y.size)
    name = cell.regularizer
    sparse = CELLS.index(cell) % 2 == 1
    full = np.column_stack([X, np.ones(y.size)]) if cell.bias == "constant" else X
    if name == "tree":
        name = wb.norms.Tree(groups=((0,), tuple(range(full.shape[1]))))
    p = wb.Problem(
        sp.csr_array(X) if sparse else X,
        y,
        cell.loss,
        name,
        lam=cell.place,
        bias=cell.bias,
        sample_weight=weight,
    )
    if cell.regularizer not in DUAL_NORMS or cell.loss == "negative-log":
        return Made(p, full, y, weight, None)
    z = np.zeros((y.size, *p.columns))
    z = z + best_bias(cell, y, weight) if cell.bias is True else z
    least = DUAL_NORMS[cell.regularizer](pull(cell, full, z, y, weight))
    p = p.replace(lam=cell.place * (least if least > 0.0 else 1.0))
    return Made(p, full, y, weight, value(cell, z, y, weight) if cell.place >= 1.0 else None)


def judge(cell, solver):
    """The solution, None where it is refused; every promise is tested."""
    try:
        p, X, y, weight, optimum = made(cell)
        wb.Run(p, solver)
    except InputError:
        return None
    runs = reach(p, solver, TOL, MOST if solver == "auto" else EPOCHS)
    estimate = runs[-1].solver.estimate(p, runs[-1].state)
    assert estimate is None or estimate >= 0.0
    s = wb.Solution.of(*runs)
    assert s.gap >= 0.0
    for part in ([s.primal, s.dual, s.gap], s.w, s.b, s.alpha):
        assert np.isfinite(part).all()
    z = X[:, : s.w.shape[0]] @ s.w + s.b
    loss, penalty = value(cell, z, y, weight), PENALTIES[cell.regularizer](s.w_embedded)
    zero = p.zero_value
    # The sum of the regularizer's parts rounds, and lam multiplies that; parts that cancel are about 1.
    parts = max(abs(penalty), 0.0 if cell.regularizer in DUAL_NORMS else 1.0)
    rounding = ROUNDING * max(zero, abs(s.primal), abs(s.dual)) + SUMS * p.lam * parts
    assert s.primal == pytest.approx(loss + p.lam * penalty, abs=rounding)
    assert s.gap == pytest.approx(s.primal - s.dual, abs=rounding)
    size = max(abs(s.primal), abs(s.dual), 1e-12 * zero)
    assert s.relative_gap == pytest.approx(s.gap / size if size else 0.0)
    if s.status == "converged":
        assert s.relative_gap <= TOL
    if optimum is not None:
        slack = rounding + QUOTIENTS * zero
        assert s.dual - slack <= optimum <= s.primal + slack
        if solver == "auto":
            assert s.status == "converged"
    return s


@pytest.fixture(autouse=True)
def _strict():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_the_cases_are_those_of_the_registries():
    # `test_oracles` has the quantile loss, bounded and nonnegative weights.
    assert {name.partition(":")[0] for name in VALUES} == set(losses.REGISTRY) - {"quantile"}
    assert {name.partition(":")[0] for name in PENALTIES} == set(regularizers.REGISTRY) - {
        "bounded",
        "nonnegative",
    }


@functools.cache
def few():
    """Cells in which any two parts meet, and those that the narrowest solvers take."""
    narrow = [cell for cell in CELLS if cell[:2] in NARROW and cell.place == PLACES[0]]
    return list(dict.fromkeys([*(CELLS[k] for k in covering(CELLS)), *narrow]))


@pytest.mark.parametrize("solver", ["auto", *solvers.REGISTRY])
def test_degenerate_problems_are_certified_or_refused_by_name(solver):
    solved = [cell for cell in few() if judge(cell, solver) is not None]
    assert solved


@pytest.mark.long
@pytest.mark.parametrize("loss", VALUES)
@pytest.mark.parametrize("solver", ["auto", *solvers.REGISTRY])
def test_all_degenerate_problems_are_certified_or_refused_by_name(solver, loss):
    for cell in CELLS:
        if cell.loss == loss:
            judge(cell, solver)


# Paths and warm starts


@pytest.mark.parametrize("regularizer", DUAL_NORMS)
def test_a_path_that_begins_at_zero_is_certified(regularizer):
    for k, loss in enumerate(VALUES):
        if loss == "negative-log":
            continue
        cell = Cell(loss, regularizer, list(CHANGES)[k % len(CHANGES)], BIASES[k % 2], 1.0)
        p, *_, optimum = made(cell)
        path = wb.path(p, [p.lam, p.lam / 2.0, p.lam / 10.0], tol=TOL)
        assert path[0].status == "converged"
        assert path[0].primal == pytest.approx(optimum, abs=QUOTIENTS * p.zero_value)
        # The optimum does not rise where lambda falls.
        for before, after in itertools.pairwise(path):
            assert 0.0 <= after.gap < np.inf
            assert after.dual <= before.primal + ROUNDING * p.zero_value


@pytest.mark.parametrize("solver", ["auto", "gauss-seidel", "newton", "proximal-point"])
@pytest.mark.parametrize("regularizer", ["entropy:mu=0.3", "q-norm:q=3,power=1.5"])
def test_a_warm_start_that_overflows_is_left_for_the_solvers_own(solver, regularizer):
    p = made(Cell("logistic", regularizer, "nothing", False, 0.1)).problem
    before, p = wb.solve(p, solver), p.replace(lam=1e-3 * p.lam)
    warm, cold = wb.Run(p, solver, warm_start=before), wb.Run(p, solver)
    cold.record()
    # No start without a bound is kept that lies higher than the solver's own.
    assert warm.opening.gap < np.inf or warm.opening.primal <= cold.last.primal
    for run in (warm, cold):
        assert run.until(TOL, 3000) == "converged"
    assert warm.best.dual <= cold.best.primal
    assert cold.best.dual <= warm.best.primal


# Oracles


@pytest.mark.parametrize(
    ("solver", "regularizer"),
    latin(
        ["auto", "newton", "proximal-gradient", "gauss-seidel", "pdhg"],
        ["l1", "elastic-net:epsilon=1", "squared-l2", "group-l1l2:size=2"],
    ),
)
@pytest.mark.parametrize("delta", [0.1, 0.7])
def test_dual_variables_at_their_ends_are_in_the_domain_for_every_weight(delta, regularizer, solver):
    # Beyond delta the slope of Huber's loss is delta, and its product with a weight rounds either way.
    for weight in np.random.default_rng(4).uniform(0.5, 3.0, size=amount(15, 60)):
        options = {"lam": 1.0, "sample_weight": [weight]}
        p = wb.Problem([[0.01, 0.02]], [5.0], f"huber:delta={delta}", regularizer, **options)
        try:
            solution = wb.solve(p, solver)
        except InputError:
            return
        assert solution.status == "converged"
        assert solution.alpha == pytest.approx(weight * delta)
        assert solution.primal == pytest.approx(weight * (5.0 * delta - delta**2 / 2.0), rel=1e-2)


@pytest.mark.parametrize("solver", ["newton", "proximal-point", "gauss-seidel"])
@pytest.mark.parametrize("regularizer", ["q-norm:q=3", "q-norm:q=3,power=1.5", "p-norm:p=1.8"])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_a_column_of_zeros_changes_no_optimum(loss, regularizer, solver):
    X, y = data(Cell(loss, regularizer, "nothing", False, 1.0))
    plain, wider = (wb.Problem(part, y, loss, regularizer, lam=0.1) for part in (X, np.insert(X, 2, 0.0, 1)))
    expected, solution = (wb.solve(p, solver, tol=1e-8) for p in (plain, wider))
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(expected.primal, rel=1e-7)
    np.testing.assert_allclose(np.delete(solution.w, 2), expected.w, atol=1e-3)
    assert solution.w[2] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("loss", ["squared", "multinomial"])
def test_double_rows_and_columns_are_solved(loss):
    for regularizer in DUAL_NORMS:
        p = made(Cell(loss, regularizer, "double", True, 0.1)).problem
        assert wb.solve(p, tol=1e-8).status == "converged", regularizer


def test_a_gap_is_a_share_of_the_values_or_of_a_floor():
    p = made(Cell("squared", "l1", "nothing", False, 0.1)).problem
    assert relative_gap(p, 0.5, -2.0, 1.0) == 0.25
    assert relative_gap(p, 1e-13 * p.zero_value, 0.0, 0.0) == pytest.approx(0.1)
    assert relative_gap(p, np.inf, 1.0) == relative_gap(p, np.nan, 1.0) == np.inf
    flat = wb.Problem(np.eye(2), np.zeros(2), "squared", "l1")
    assert relative_gap(flat, 0.0, 0.0) == 0.0
