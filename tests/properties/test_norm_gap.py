"""Gaps with norms and intercepts: raw infinite, repaired finite, to zero along FISTA, never negative."""

import itertools

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import workbench as wb
from tests.helpers.amounts import amount
from tests.unit.solvers.test_norms import NORMS, SIZE, expression
from workbench._support.errors import InputError
from workbench.certificates import loss_terms
from workbench.problems import Problem
from workbench.problems.regularizers import ElasticNet

N = 40
RNG = np.random.default_rng(5)
X = RNG.normal(size=(N, SIZE))
W = RNG.normal(size=(SIZE, 3))
TARGETS = {
    "squared": X @ W[:, 0] + 1.0 + RNG.normal(size=N),
    "logistic": np.where(X @ W[:, 0] + 0.7 + RNG.normal(size=N) > 0.0, 1.0, -1.0),
    "multinomial": (X @ W + [0.0, 0.5, 1.0] + RNG.gumbel(size=(N, 3))).argmax(axis=1),
}
WEIGHT = RNG.uniform(0.5, 2.0, size=N)
REGULARIZERS = {**NORMS, "elastic net": ElasticNet(epsilon=0.3)}
BIASES = (False, "constant", True)
CLARABEL = 1e-6


def problem(name, loss, bias, lam=0.05, weight=WEIGHT):
    regularizer = REGULARIZERS[name]
    if bias == "constant":
        # The groups of `NORMS` are those of six features; the constant is one of them here.
        return Problem(X[:, :-1], TARGETS[loss], loss, regularizer, lam=lam, bias=bias, sample_weight=weight)
    return Problem(X, TARGETS[loss], loss, regularizer, lam=lam, bias=bias, sample_weight=weight)


def weights_of(p, rng, scale=0.3):
    w = scale * rng.normal(size=(p.n_features, *p.columns))
    b = None
    if p.bias:
        b = rng.normal(size=p.columns) if p.columns else float(rng.normal())
    return w, b


def optimum(p, name):
    """The optimal value by Clarabel, for w as the vector of all entries of the design's weights."""
    columns = p.columns[0] if p.columns else 1
    w = cp.Variable(SIZE * columns)
    z = p.rows.toarray() @ cp.reshape(w, (SIZE, columns), order="C")
    if p.free_bias:
        z = z + np.ones((N, 1)) @ cp.reshape(cp.Variable(columns), (1, columns), order="C")
    if p.loss.name == "multinomial":
        own = cp.sum(cp.multiply(np.eye(3)[p.labels], z), axis=1)
        losses = cp.log_sum_exp(z, axis=1) - own
    else:
        z = z[:, 0]
        losses = cp.square(z - p.y) if p.loss.name == "squared" else cp.logistic(-cp.multiply(p.y, z))
    if name == "elastic net":
        g = 0.3 * cp.norm1(w) + 0.5 * cp.sum_squares(w)
    else:
        g = expression(name, w, columns)
    model = cp.Problem(cp.Minimize(p.weight @ losses / N + p.lam * g))
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-8, tol_gap_rel=1e-8, tol_feas=1e-8)
    return model.value


def turned():
    """Parameters for all combinations: each norm once, each bias and each loss in turn; the rest is long."""
    every = itertools.product(enumerate(BIASES), enumerate(TARGETS), enumerate(REGULARIZERS))
    return [
        pytest.param(
            bias, loss, name, marks=() if i == (k + 1) % 3 and j == (k // 3 + k) % 3 else pytest.mark.long
        )
        for (i, bias), (j, loss), (k, name) in every
    ]


def sound(g):
    assert g.repaired is not None
    assert 0.0 <= g.better <= g.repaired < np.inf
    assert g.raw >= g.repaired
    assert (g.raw == np.inf) == bool(g.reason)
    assert 0.0 <= g.scaling <= 1.0
    assert any("multiplied by" in text for text in g.repairs) == (g.scaling < 1.0)


@pytest.mark.parametrize(("bias", "loss", "name"), turned())
def test_along_fista_the_repaired_gap_tends_to_zero(name, loss, bias):
    p = problem(name, loss, bias)
    best = optimum(p, name)
    run = wb.Run(p, wb.solvers.ProximalGradient())
    slack = CLARABEL * max(1.0, best)
    repaired, raw = [], []
    for count in (0, 1, 3, 10, 30, 100, 400, 2000):
        run.step(count - run.steps)
        w, b = p.split(run.state.w)
        g = wb.gaps.norm_gap(p, w, None if p.free_bias or not p.bias else b)
        c = run.record()
        sound(g)
        for gap in (g.repaired, g.better, c.gap):
            assert gap >= c.primal - best - slack
        assert c.dual <= best + slack
        # The certificate takes the better multiple for a norm.
        if name != "elastic net":
            assert c.gap == pytest.approx(g.better, rel=1e-6, abs=1e-12)
        repaired.append(g.repaired)
        raw.append(g.raw)
    assert run.last.relative_gap <= 1e-8
    # The published scaling comes closer at the rate of the iterates, not of their squares.
    assert repaired[-1] <= 1e-4 * repaired[0]
    if name != "elastic net":
        assert np.inf in raw


@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("loss", TARGETS)
@pytest.mark.parametrize("name", ["l1", "tree", "trace", "elastic net"])
def test_kappa_is_feasible_and_gives_the_gap(name, loss, bias):
    p = problem(name, loss, bias)
    rng = np.random.default_rng(3)
    for scale in (0.0, 0.1, 3.0):
        w, b = weights_of(p, rng, scale)
        g = wb.gaps.norm_gap(p, w, b)
        sound(g)
        alpha = -N * g.kappa
        if p.free_bias:
            assert np.abs(alpha.sum(axis=0)).max() <= 1e-12 * np.abs(alpha).sum()
        if name != "elastic net":
            assert p.transfer.dual_norm(p.dual_vector(alpha).ravel()) <= 1.0 + 1e-12
            assert p.transfer.map(p.dual_vector(alpha).ravel() * (1 - 1e-12))[0] == 0.0
        side = loss_terms.loss_side(p)
        assert np.isfinite(side.conjugate(alpha))
        dual = -side.conjugate(alpha) / N - p.lam * p.transfer.map(p.dual_vector(alpha).ravel())[0]
        primal = wb.certificate(p, w=w, b=b).primal
        assert g.repaired == pytest.approx(primal - dual, rel=1e-10, abs=1e-12)
        assert b is None or np.array_equal(g.b, b)


@settings(max_examples=amount(60, 300))
@given(st.data())
def test_no_gap_is_negative(data):
    name, loss = data.draw(st.sampled_from(list(REGULARIZERS))), data.draw(st.sampled_from(list(TARGETS)))
    bias, lam = data.draw(st.sampled_from(BIASES)), 10.0 ** data.draw(st.floats(-5, 2))
    p = problem(name, loss, bias, lam, weight=data.draw(st.sampled_from([None, WEIGHT])))
    scale = 10.0 ** data.draw(st.integers(-8, 4))
    w = scale * data.draw(arrays(float, (p.n_features, *p.columns), elements=st.floats(-3, 3)))
    b = None
    if p.bias and data.draw(st.booleans()):
        b = scale * data.draw(arrays(float, p.columns, elements=st.floats(-3, 3)))
        b = b if p.columns else float(b)
    g = wb.gaps.norm_gap(p, w, b)
    assert 0.0 <= g.better <= g.repaired
    assert g.raw >= g.repaired
    c = wb.certificate(p, w=w, b=b)
    alpha = scale * data.draw(arrays(float, (N, *p.columns), elements=st.floats(-3, 3)))
    other = wb.certificate(p, alpha=alpha)
    both = wb.certificate(p, w=w, b=b, alpha=alpha)
    for one in (c, other, both):
        assert one.gap >= 0.0
        assert (one.sample_terms >= 0.0).all()
        for two in (c, other, both):
            size = abs(one.primal) + abs(two.dual) + p.zero_value
            assert one.primal >= two.dual - 1e-9 * size - 1e-9 * np.abs(one.z).max() * np.abs(two.alpha).max()


def test_the_square_loss_s_scaling_is_closed_and_the_search_agrees():
    """clip(2 alpha.y / |alpha|^2, +- lam n / |X'alpha|_*) minimizes D(s alpha) on a grid of s, too."""
    p = problem("l1", "squared", False, lam=0.3, weight=None)
    rng = np.random.default_rng(0)
    for scale in (0.01, 0.3, 3.0):
        g = wb.gaps.norm_gap(p, scale * rng.normal(size=SIZE))
        alpha = -N * g.kappa / g.scaling
        reach = p.lam_n / np.abs(X.T @ alpha).max()
        grid = np.linspace(-reach, reach, 20001)
        dual = [np.mean((s * alpha) ** 2 / 4.0 - s * alpha * p.y) for s in grid]
        assert g.better_scaling == pytest.approx(grid[np.argmin(dual)], abs=2e-4 * reach)
        closed = np.clip(2.0 * alpha @ p.y / (alpha @ alpha), -reach, reach)
        assert g.better_scaling == pytest.approx(closed, rel=1e-12)


@pytest.mark.parametrize("loss", TARGETS)
def test_the_search_finds_the_best_multiple(loss):
    p = problem("elastic net", loss, True)
    rng = np.random.default_rng(1)
    side = loss_terms.loss_side(p)
    gains = []
    for _ in range(5):
        w, b = weights_of(p, rng, 1.0)
        g = wb.gaps.norm_gap(p, w, b)
        alpha = -N * g.kappa
        primal = wb.certificate(p, w=w, b=b).primal
        grid = np.linspace(0.0, 2.0, 4001)
        values = []
        for s in grid:
            conjugate = side.conjugate(s * alpha)
            values.append(conjugate / N + p.lam * p.transfer.map(p.dual_vector(s * alpha).ravel())[0])
        assert g.better <= primal + min(values) + 1e-9 * primal
        gains.append(g.repaired - g.better)
    assert max(gains) > 0.0


def test_groups_that_form_no_tree_answer_not_available():
    crossing = wb.norms.Tree(groups=[[0, 1], [1, 2], [2, 3, 4, 5]])
    p = Problem(X, TARGETS["squared"], "squared", crossing, lam=0.1)
    g = wb.gaps.norm_gap(p, np.zeros(SIZE))
    assert (g.raw, g.repaired, g.kappa, g.scaling, g.better) == (None,) * 5
    assert g.reason.startswith("not available: groups 0 and 1 overlap and neither holds the other")
    with pytest.raises(InputError, match="dual norm is not available: groups 0 and 1 overlap"):
        wb.certificate(p, w=np.zeros(SIZE))
    with pytest.raises(InputError, match="dual norm is not available: groups 0 and 1"):
        wb.solve(p, solver="proximal-gradient")


BAD = {
    "a loss with kinks": ("hinge", "l1", {"w": np.zeros(SIZE)}, "norm_gap: the hinge loss has no gradient"),
    "w too short": ("logistic", "l1", {"w": np.zeros(2)}, r"w has shape \(2,\) where \(6,\) is needed"),
    "w a matrix": ("logistic", "l1", {"w": np.zeros((6, 3))}, r"w has shape \(6, 3\) where \(6,\)"),
    "b nan": ("logistic", "l1", {"w": np.zeros(SIZE), "b": np.nan}, r"b = nan must be a finite number"),
    "w nan": ("logistic", "l1", {"w": np.full(SIZE, np.nan)}, r"w\[0\] is nan"),
}


@pytest.mark.parametrize(("loss", "regularizer", "point", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_by_name(loss, regularizer, point, message):
    p = Problem(X, TARGETS["logistic"], loss, regularizer, bias=True)
    with pytest.raises(InputError, match=message):
        wb.gaps.norm_gap(p, **point)


def test_the_shapes_of_a_matrix_are_checked():
    p = Problem(X, TARGETS["multinomial"], "multinomial", "l1", bias=True)
    for w, b, message in (
        (np.zeros(SIZE), None, r"w has shape \(6,\) where \(6, 3\) is needed"),
        (np.zeros((3, SIZE)), None, r"w has shape \(3, 6\)"),
        (np.zeros((SIZE, 3)), 0.5, r"b has shape \(\) where \(3,\) is needed"),
    ):
        with pytest.raises(InputError, match=message):
            wb.gaps.norm_gap(p, w, b)
    with pytest.raises(InputError, match=r"alpha has shape \(40,\) where \(40, 3\)"):
        wb.certificate(p, alpha=np.zeros(N))
