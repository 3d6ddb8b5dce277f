"""Constraints A w = c and A w <= c on the weights: against Clarabel, certificates, prices and refusals."""

import cvxpy as cp
import numpy as np
import pytest

import workbench as wb
from tests.helpers.amounts import amount
from tests.helpers.cases import LOSSES
from tests.unit.solvers.test_oracles import cvxpy_loss, cvxpy_regularizer
from workbench._support.errors import InfeasibleError, InputError

# Clarabel stops at 1e-8 of its own scaling, so the objectives agree to two digits less.
CLARABEL = 1e-6
REGULARIZERS = (
    "squared-l2",
    "elastic-net:epsilon=0.2",
    "bounded:radius=0.2",
    "nonnegative:epsilon=0.1",
    "entropy:mu=0.3",
    "normalized-entropy:mu=0.3",
    "q-norm:q=1.5",
)
SOLVERS = (wb.solvers.AugmentedLagrangian(), wb.solvers.ModifiedAugmentedLagrangian(eta=0.7))


def drawn(seed, **options):
    """A random problem with constraints that some weights meet, and its optimal value by Clarabel."""
    rng = np.random.default_rng([65, seed])
    n, d, r = int(rng.integers(6, 20)), int(rng.integers(3, 8)), int(rng.integers(1, 3))
    loss, regularizer = str(rng.choice(LOSSES)), str(rng.choice(REGULARIZERS))
    X, y, A = rng.normal(size=(n, d)), rng.normal(size=n), rng.normal(size=(r, d))
    if "hinge" in loss or loss == "logistic":
        y = np.where(y + X[:, 0] > 0.0, 1.0, -1.0)
        y[:2] = 1.0, -1.0
    senses, inside = rng.choice(["==", "<="], r), rng.uniform(0.05, 0.15, d)
    if "normalized" in regularizer:
        inside *= 0.3 * d / inside.sum()
    c = A @ inside + (senses == "<=") * rng.choice([0.0, 0.1, 10.0], r)
    bias, lam = (False, True, "constant")[rng.integers(3)], float(10.0 ** rng.uniform(-1.5, 0))
    if "normalized" in regularizer and bias == "constant":
        bias = False
    pair = (A, c, senses.tolist())
    p = wb.Problem(X, y, loss, regularizer, lam, bias, weight_constraints=pair)
    full, b = cp.Variable(p.design.shape[1]), cp.Variable() if bias is True else 0.0
    g, domain = cvxpy_regularizer(regularizer, full, full.size)
    w, free = full[:d], [senses[k] == "==" for k in range(r)]
    rows = [A[k] @ w == c[k] if free[k] else A[k] @ w <= c[k] for k in range(r)]
    model = cp.Problem(
        cp.Minimize(cvxpy_loss(loss, p.rows.toarray() @ full + b, y) / n + lam * g), [*rows, *domain]
    )
    model.solve(solver=cp.CLARABEL)
    return p, model.value, pair


def excess(A, c, senses, w):
    """Return the excess of weights over each constraint."""
    beyond = A @ w - c
    return np.where(np.array(senses) == "==", np.abs(beyond), np.maximum(beyond, 0.0))


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
@pytest.mark.parametrize("seed", range(amount(64, 400)))
def test_feasible_and_optimal_on_random_problems(seed):
    p, best, pair = drawn(seed)
    solution = wb.solve(p, SOLVERS[seed % 2], tol=1e-8, max_epochs=20_000)
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(best, rel=CLARABEL, abs=CLARABEL)
    assert solution.dual <= best + CLARABEL * max(1.0, abs(best))
    assert excess(*pair, solution.w).max() <= 1e-10
    s, bound = solution.multipliers, np.array(pair[2]) == "<="
    assert (s[bound] >= 0.0).all()


def test_multipliers_are_prices_and_what_clarabel_calls_dual_values():
    rng = np.random.default_rng(3)
    X, A, c = rng.normal(size=(30, 4)), rng.normal(size=(2, 4)), np.array([0.3, -0.4])
    y, lam = np.sign(X[:, 0] + 0.3), 0.1

    def solved(c):
        p = wb.Problem(X, y, "logistic", lam=lam, weight_constraints=(A, c, ["==", "<="]))
        return wb.solve(p, tol=1e-12, max_epochs=20_000)

    w = cp.Variable(4)
    rows = [A[0] @ w == c[0], A[1] @ w <= c[1]]
    value = cp.sum(cp.logistic(-cp.multiply(y, X @ w))) / 30 + lam * cp.sum_squares(w) / 2
    cp.Problem(cp.Minimize(value), rows).solve(solver=cp.CLARABEL)
    s = solved(c).multipliers
    np.testing.assert_allclose(lam * s, [float(row.dual_value) for row in rows], rtol=1e-4)
    for k, step in enumerate(1e-4 * np.eye(2)):
        slope = (solved(c + step).primal - solved(c - step).primal) / 2e-4
        assert slope == pytest.approx(-lam * s[k], rel=1e-4)


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_a_solution_is_its_own_certificate_and_start(seed, tmp_path):
    p, _, pair = drawn(seed)
    solution = wb.solve(p, tol=1e-9, max_epochs=20_000)
    solution.save(tmp_path / "solution.npz")
    loaded = wb.Solution.load(tmp_path / "solution.npz")
    np.testing.assert_array_equal(loaded.multipliers, solution.multipliers)
    point = {"w": loaded.w, "b": loaded.b, "alpha": loaded.alpha, "multipliers": loaded.multipliers}
    for left_out in ((), ("multipliers",), ("w", "b")):
        parts = {name: part for name, part in point.items() if name not in left_out}
        certificate = wb.certificate(p, **parts)
        assert certificate.relative_gap <= 1e-8
        assert excess(*pair, p.split(certificate.w)[0]).max() <= 1e-10
    again = wb.solve(p, tol=1e-8, warm_start=loaded)
    assert (again.status, again.epochs) == ("converged", 0.0)
    with pytest.raises(InputError, match="the problem had constraints"):
        loaded.problem(p.rows, p.y)


def test_no_certificate_promises_too_much_and_weights_are_moved_to_the_constraints():
    rng = np.random.default_rng(0)
    for seed in range(20):
        p, best, pair = drawn(seed)
        within = CLARABEL * max(1.0, abs(best))
        w, alpha = rng.uniform(0.0, 0.2, p.n_features), rng.normal(size=p.n_samples)
        for point in ({"w": w}, {"alpha": alpha}, {"w": w, "alpha": alpha}):
            certificate = wb.certificate(p, **point)
            assert certificate.dual <= best + within
            assert certificate.primal >= best - within
            assert certificate.gap == pytest.approx(certificate.primal - certificate.dual, rel=1e-7)
            assert excess(*pair, p.split(certificate.w)[0]).max() <= 1e-9
            if "w" in point and excess(*pair, w).max() > 1e-6:
                assert any("to meet the constraints" in text for text in certificate.repairs)


@pytest.mark.parametrize(
    ("regularizer", "pair", "ends"),
    [
        ("squared-l2", ([[1.0, 1.0], [-1.0, -1.0]], [1.0, -2.0], "<="), (-np.inf, np.inf)),
        ("squared-l2", ([[1.0, 0.0], [2.0, 0.0]], [1.0, 3.0], "=="), (-np.inf, np.inf)),
        ("nonnegative:epsilon=0.1", ([[1.0, 1.0]], [-1.0], "<="), (0.0, np.inf)),
        ("bounded:radius=0.5", ([[1.0, 1.0]], [1.5], "=="), (-0.5, 0.5)),
        ("normalized-entropy:mu=0.5", ([[1.0, 3.0]], [4.0], "=="), None),
    ],
)
def test_constraints_that_no_weights_meet_are_refused_with_a_proof(regularizer, pair, ends):
    with pytest.raises(InfeasibleError, match="weight_constraints: no weights meet them") as raised:
        wb.Problem(np.eye(2), [1.0, -1.0], "hinge", regularizer, 0.1, weight_constraints=pair)
    (A, c, sense), y = map(np.asarray, pair), raised.value.multipliers
    pulled = A.T @ y
    least = (
        pulled.min() if ends is None else sum(t * ends[0 if t > 0.0 else 1] for t in pulled if abs(t) > 1e-12)
    )
    assert sense == "==" or (y >= 0.0).all()
    assert least - y @ c == pytest.approx(raised.value.margin)
    assert raised.value.margin > 0.0


def test_steps_that_follow_the_multiplier_are_those_of_rows_without_their_part_in_the_span():
    rng = np.random.default_rng(4)
    X, A = rng.normal(size=(20, 5)) + 3.0, rng.normal(size=(2, 5))
    X[3], y = A[0] - A[1], np.sign(rng.normal(size=20))  # a row in the span changes no weight
    inner = X - X @ np.linalg.pinv(A) @ A
    solver = wb.solvers.AugmentedLagrangian(order="cyclic")
    for loss in ("hinge", "squared"):
        run = wb.Run(wb.Problem(X, y, loss, lam=0.1, weight_constraints=(A, [0.0, 0.0])), solver)
        plain = wb.Run(wb.Problem(inner, y, loss, lam=0.1), wb.solvers.GaussSeidel(order="cyclic"))
        for _ in range(5):
            before = run.certificate().dual
            run.epoch()
            plain.epoch()
            keep = np.arange(20) != 3
            np.testing.assert_allclose(run.state.alpha[keep], plain.state.alpha[keep], atol=1e-9)
            assert run.certificate().dual >= before - 1e-12
        pieces = wb.Run(run.problem, solver)
        for _ in range(100):
            pieces.step(1)
        np.testing.assert_array_equal(pieces.state.alpha, run.state.alpha)


def test_weights_follow_the_embedding_and_the_constant_feature():
    rng = np.random.default_rng(1)
    X, y, A = rng.normal(size=(12, 3)), np.array([1.0, -1.0] * 6), np.ones((1, 3))
    for options in ({"bias": "constant"}, {"embed": "balanced", "regularizer": "entropy:mu=0.1"}):
        solution = wb.solve(wb.Problem(X, y, lam=0.1, weight_constraints=(A, [0.25]), **options), tol=1e-8)
        assert solution.status == "converged"
        assert solution.w.sum() == pytest.approx(0.25, abs=1e-10)


def test_what_does_not_go_with_them_is_refused_by_name():
    X, y, pair = np.eye(3), [1.0, -1.0, 1.0], (np.ones((1, 3)), [0.0])
    refused = {
        r"weight_constraints: A has shape \(1, 2\) where \(1, 3\)": {
            "weight_constraints": (np.ones((1, 2)), [0.0])
        },
        r"weight_constraints: c has shape": {"weight_constraints": (np.ones((1, 3)), [[0.0]])},
        "weight_constraints is not a pair": {"weight_constraints": 3},
        "unknown sense '>='": {"weight_constraints": (*pair, ">=")},
        "do not go with the norm l1": {"regularizer": "l1"},
        "do not go with a ball of weights": {"regularizer": "p-norm:p=1.5,ball=1"},
        "do not go with the negative-log loss": {"loss": "negative-log"},
        "do not go with kernel": {"kernel": "linear"},
        "do not go with constraints on the dual": {"constraints": pair},
        "y has shape": {"y": np.eye(3), "loss": "squared"},
        "K = a matrix does not go with weight_constraints": {
            "regularizer": wb.regularizers.SquaredL2(K=np.eye(3) + 0.1)
        },
    }
    for message, options in refused.items():
        with pytest.raises(InputError, match=message):
            wb.Problem(**({"X": X, "y": y, "lam": 0.1, "weight_constraints": pair} | options))
    p = wb.Problem(X, y, lam=0.1, weight_constraints=pair)
    assert p.digest != wb.Problem(X, y, lam=0.1, constraints=pair).digest != wb.Problem(X, y, lam=0.1).digest
    with pytest.raises(InputError, match="gauss-seidel: constraints are not supported; use augmented"):
        wb.solve(p, "gauss-seidel")
    with pytest.raises(InputError, match=r"that of a bound is at least 0"):
        wb.certificate(
            wb.Problem(X, y, lam=0.1, weight_constraints=(*pair, "<=")), alpha=np.zeros(3), multipliers=[-1.0]
        )
    assert "constraints" in wb.solve(p).description["apart"]
    assert wb.certificate(p, alpha=np.zeros(3)).interval is None
