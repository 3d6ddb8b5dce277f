"""Regularizers on an interval, and w'Kw / 2 with a matrix K, against CVXPY."""

import cvxpy
import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError

CUSTOM = wb.regularizers.custom
REGULARIZERS = {
    "bounded": ("bounded:radius=0.3", lambda w: cvxpy.sum_squares(w) / 2, (-0.3, 0.3)),
    "share": (CUSTOM("u*log(u)", domain="0 <= u <= 1"), lambda w: -cvxpy.sum(cvxpy.entr(w)), (0, 1)),
    "barrier": (
        CUSTOM("-log(1 - u**2)"),
        lambda w: -cvxpy.sum(cvxpy.log(1 - w) + cvxpy.log(1 + w)),
        (-1, 1),
    ),
    "off zero": (CUSTOM("u**2/2", domain="0.5 <= u <= 2"), lambda w: cvxpy.sum_squares(w) / 2, (0.5, 2)),
}
LOSSES = {
    "hinge": lambda z, y: cvxpy.pos(1 - cvxpy.multiply(y, z)),
    "squared": lambda z, y: cvxpy.square(z - y),
}


def data(seed=0, n=25, d=4):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.sign(X @ rng.standard_normal(d) + 0.5 * rng.standard_normal(n))


@pytest.mark.parametrize(
    ("name", "loss", "embed"),
    [
        ("bounded", "hinge", None),
        ("bounded", "squared", "balanced"),
        ("share", "hinge", "balanced"),
        ("barrier", "squared", None),
        ("off zero", "squared", "balanced"),
    ],
)
def test_the_optimum_is_that_of_cvxpy(name, loss, embed):
    regularizer, g, (low, high) = REGULARIZERS[name]
    X, y = data()
    solution = wb.solve(problem := wb.Problem(X, y, loss, regularizer, 0.05, embed=embed), tol=1e-7)
    D = X if embed is None else np.hstack([X, -X])
    w = cvxpy.Variable(D.shape[1])
    P = cvxpy.sum(LOSSES[loss](D @ w, y)) / len(y) + 0.05 * g(w)
    best = cvxpy.Problem(cvxpy.Minimize(P), [w >= low, w <= high]).solve(solver="CLARABEL")
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(best, abs=1e-6)
    assert wb.certificate(problem, w=solution.w, alpha=solution.alpha).gap <= 1e-6


def test_weights_outside_of_the_box_have_no_finite_objective():
    X, y = data()
    problem = wb.Problem(X, y, "hinge", "bounded:radius=0.3", 0.05)
    alpha = wb.solve(problem).alpha
    assert np.isinf(wb.certificate(problem, w=np.full(4, 0.31), alpha=alpha).gap)
    assert np.isinf(
        wb.certificate(
            wb.Problem(X, y, "hinge", REGULARIZERS["share"][0], 0.05, embed="balanced"),
            w=np.full(4, 1.1),
            alpha=alpha,
        ).gap
    )


def test_negative_log_sees_the_signs_that_a_box_allows():
    X = np.array([[1.0, -2.0], [-1.0, -0.5]])
    with pytest.raises(InputError, match=r"X\[1\] has no entry above 0.*for all w in \[0, 1\]"):
        wb.Problem(X, np.ones(2), "negative-log", REGULARIZERS["share"][0], 0.1)
    with pytest.raises(InputError, match="no weights make all predictions positive"):
        wb.Problem(
            np.array([[1.0, -1.0], [-2.0, 1.0]]), np.ones(2), "negative-log", REGULARIZERS["off zero"][0], 0.1
        )
    assert wb.Problem(X, np.ones(2), "negative-log", "bounded", 0.1).n_samples == 2


@pytest.mark.parametrize("bias", [False, True, "constant"])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_matrix_K_is_that_of_cvxpy(loss, bias):
    X, y = data(seed=1)
    rng = np.random.default_rng(2)
    size = X.shape[1] + (bias == "constant")
    A = rng.standard_normal((size, size))
    K = A @ A.T + 0.1 * np.eye(size)
    problem = wb.Problem(X, y, loss, wb.regularizers.SquaredL2(K), 0.05, bias=bias)
    solution = wb.solve(problem, tol=1e-8)
    w, b = cvxpy.Variable(X.shape[1]), cvxpy.Variable(1)
    g = cvxpy.quad_form(cvxpy.hstack([w, b]) if bias == "constant" else w, cvxpy.psd_wrap(K)) / 2
    z = X @ w + (b if bias else 0)
    best = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(LOSSES[loss](z, y)) / len(y) + 0.05 * g)).solve(
        solver="CLARABEL"
    )
    assert solution.primal == pytest.approx(best, abs=1e-6)
    assert w.value == pytest.approx(solution.w, abs=1e-3)
    own = wb.certificate(problem, w=solution.w, b=solution.b, alpha=solution.alpha)
    assert own.gap == pytest.approx(solution.gap, abs=1e-9)
    assert problem.replace(regularizer="l1").design.shape == problem.design.shape
    assert "matrix K" in repr(problem)
    assert "matrix K" not in repr(problem.replace(regularizer="l1"))


@pytest.mark.parametrize(
    ("K", "more", "message"),
    [
        (np.eye(3), {}, r"K has shape \(3, 3\) where \(4, 4\) is needed"),
        (np.triu(np.ones((4, 4))), {}, "K is not symmetric"),
        (-np.eye(4), {}, "K is not positive definite"),
        (np.full((4, 4), np.nan), {}, "K is not symmetric and finite"),
        (np.eye(4), {"kernel": "linear"}, "does not go with kernel"),
        (np.eye(8), {"embed": "balanced"}, "does not go with embed"),
    ],
)
def test_a_matrix_K_that_does_not_fit_is_refused(K, more, message):
    with pytest.raises(InputError, match=message):
        wb.Problem(*data(), "hinge", wb.regularizers.SquaredL2(K), 0.1, **more)


def test_a_matrix_K_needs_data():
    with pytest.raises(InputError, match="needs the data of a Problem"):
        wb.regularizers.SquaredL2(np.eye(4)).at(4)
