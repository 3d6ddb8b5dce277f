"""Algorithms 2 and 3: against Clarabel with a free bias and with C v = b, step by step, their troubles."""

import cvxpy as cp
import numpy as np
import pytest

import workbench as wb
from tests.helpers.amounts import amount, few
from tests.helpers.cases import LOSSES
from tests.unit.solvers.test_oracles import cvxpy_loss, cvxpy_regularizer
from workbench._support.errors import InputError
from workbench.solvers import AugmentedLagrangian, GaussSeidel, ModifiedAugmentedLagrangian

# Clarabel stops at 1e-8 of its own scaling, so the objectives agree to two digits less.
CLARABEL = 1e-6
FEASIBLE = 1e-8
# The rounding of a sum of n dual variables.
ROUNDING = 1e-12
SOLVERS = (AugmentedLagrangian(), ModifiedAugmentedLagrangian(eta=0.5))
REGULARIZERS = ("squared-l2", "elastic-net:epsilon=0.2", "q-norm:q=1.5")


def drawn(seed, general):
    """A random problem with a free bias, or with general constraints that something meets."""
    rng = np.random.default_rng([11, seed])
    n, d, r = int(rng.integers(6, 25)), int(rng.integers(2, 8)), int(rng.integers(1, 3))
    loss, regularizer = str(rng.choice(LOSSES)), str(rng.choice(REGULARIZERS))
    X = rng.normal(size=(n, d))
    y = rng.normal(size=n)
    if "hinge" in loss or loss == "logistic":
        y = np.where(y + X[:, 0] > 0.0, 1.0, -1.0)
        y[:2] = 1.0, -1.0
    lam = float(10.0 ** rng.uniform(-1.5, 0))
    if not general:
        return wb.Problem(X, y, loss, regularizer, lam, bias=True)
    C = rng.normal(size=(r, d))
    # Met by dual variables in the middle of every loss's domain.
    b = C @ (X.T @ (0.4 * np.sign(y))) / (lam * n)
    return wb.Problem(X, y, loss, regularizer, lam, constraints=(C, b))


def clarabel(p):
    """The optimal value of the primal with its free multipliers."""
    loss, regularizer = spelled(p.loss), spelled(p.regularizer)
    w, s = cp.Variable(p.n_features), cp.Variable(p.dual_constraints.b.shape[0])
    g, constraints = cvxpy_regularizer(regularizer, w, p.n_features)
    z = p.rows.toarray() @ w + p.dual_constraints.ties @ s
    value = cvxpy_loss(loss, z, p.y) / p.n_samples + p.lam * (g + p.dual_constraints.b @ s)
    model = cp.Problem(cp.Minimize(value), constraints)
    model.solve(solver=cp.CLARABEL)
    return model.value


def spelled(choice):
    """The name in the tables of the oracles."""
    for name in (*LOSSES, *REGULARIZERS):
        if choice in (_get(wb.losses, name), _get(wb.regularizers, name)):
            return name
    raise AssertionError(choice)


def _get(module, name):
    try:
        return module.get(name)
    except InputError:
        return None


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
@pytest.mark.parametrize("general", [False, True], ids=["bias", "constraints"])
@pytest.mark.parametrize("seed", range(amount(8, 50)))
def test_feasible_and_optimal_on_random_problems(seed, general):
    p = drawn(seed, general)
    best = clarabel(p)
    for solver in SOLVERS:
        run = wb.Run(p, solver)
        assert run.until(gap=1e-7, max_epochs=20_000) == "converged"
        for _ in range(5000):
            if solver.feasibility(p, run.state) <= FEASIBLE:
                break
            run.epoch()
        assert solver.feasibility(p, run.state) <= FEASIBLE
        certificate = run.certificate()
        assert certificate.primal == pytest.approx(best, rel=CLARABEL, abs=CLARABEL)
        assert certificate.gap >= 0.0
        np.testing.assert_allclose(
            p.dual_constraints.ties.T @ certificate.alpha,
            p.dual_constraints.b * p.lam_n,
            atol=1e-10 * p.n_samples,
        )


def test_the_multiplier_is_the_bias():
    p = drawn(3, general=False)
    for solver in SOLVERS:
        run = wb.Run(p, solver)
        run.until(gap=1e-12, max_epochs=20_000)
        run.epoch(500)
        fixed = wb.gaps.fixed_bias(p, run.state.alpha, float(run.state.s[0]))
        assert fixed.feasibility == pytest.approx(solver.feasibility(p, run.state), abs=ROUNDING)
        assert fixed.gap <= 1e-6
        assert fixed.primal == pytest.approx(run.certificate().primal, rel=1e-6)


@pytest.mark.parametrize("update", ["exact", "bounded"])
@pytest.mark.parametrize("general", [False, True], ids=["bias", "constraints"])
def test_a_step_lowers_the_augmented_objective_and_says_by_how_much(update, general):
    X, y = np.random.default_rng(0).normal(size=(9, 3)), np.array([1.0, -1.0] * 4 + [1.0])
    arguments = {"constraints": (np.eye(3)[:2], [0.1, -0.05])} if general else {"bias": True}
    p = wb.Problem(X, y, "logistic", "elastic-net:epsilon=0.1", 0.1, **arguments)
    run = wb.Run(p, ModifiedAugmentedLagrangian(update=update, eta=0.3))

    def objective(s):
        alpha, mu = run.state.alpha, run.state.numbers[0]
        t = p.dual_constraints.residual(p.lam_n, alpha)
        conjugate = p.loss.scalar("conjugate")
        losses = sum(conjugate(nu, p.loss.theta) for nu in p.nu(alpha)) / p.n_samples
        h = p.transfer.map(p.dual_vector(alpha))[0]
        return losses + p.lam * (h + s @ t + p.lam_n / (2 * mu) * t @ t)

    for _ in range(40):
        s, before = run.state.s.copy(), None
        before = objective(s)
        run.step()
        change = objective(s) - before
        assert change <= ROUNDING
        assert run.last_event.dual_change == pytest.approx(change, abs=ROUNDING)


@pytest.mark.parametrize("loss", ["hinge", "logistic", "squared-hinge"])
def test_an_unstable_learning_rate_is_noticed_and_said(loss):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    y = np.sign(X[:, 0] + 0.5 * rng.normal(size=40) + 0.7)
    p = wb.Problem(X, y, loss, lam=0.05, bias=True)
    run = wb.Run(p, ModifiedAugmentedLagrangian(eta=30.0))
    assert run.until(gap=1e-6, max_epochs=2000) == "diverged"
    assert "lower eta = 30" in run.reason or "smaller steps" in run.reason
    assert np.isfinite(run.best.gap)
    assert run.best.gap == min(row["gap"] for row in run.rows)
    for eta in (0.1, 1.0):
        assert (
            wb.solve(p, ModifiedAugmentedLagrangian(eta=eta), tol=1e-6, max_epochs=5000).status == "converged"
        )


def test_history_holds_the_feasibility_and_solutions_predict_with_the_bias():
    p = drawn(3, general=False)
    solution = wb.solve(p, "augmented-lagrangian", tol=1e-9, max_epochs=5000)
    assert solution.history["feasibility"].iloc[-1] <= 1e-4
    assert solution.history["feasibility"].max() > 1e-4
    z = p.rows @ solution.w + solution.b
    np.testing.assert_allclose(solution.decision_function(p.rows), z, atol=ROUNDING)


@pytest.mark.parametrize("regularizer", few(REGULARIZERS, 1))
def test_a_solution_with_constraints_is_its_own_certificate_and_start(regularizer, tmp_path):
    base = drawn(4, general=True)
    C, b = base.constraints.C, base.constraints.b
    p = wb.Problem(base.rows, base.y, base.loss, regularizer, base.lam, constraints=(C, b))
    solution = wb.solve(p, "augmented-lagrangian", tol=1e-9, max_epochs=20_000)
    assert solution.b == 0.0
    np.testing.assert_allclose(solution.decision_function(p.rows), p.rows @ solution.w, atol=1e-10)
    w_0, h = solution.w - C.T @ solution.multipliers, p.transfer.map(p.dual_vector(solution.alpha))[1]
    np.testing.assert_allclose(w_0, h, atol=1e-9)
    solution.save(tmp_path / "solution.npz")
    for known in (solution, wb.Solution.load(tmp_path / "solution.npz")):
        point = {name: getattr(known, name) for name in ("w", "b", "alpha", "multipliers")}
        for left_out in ((), ("multipliers",), ("multipliers", "alpha"), ("w", "b", "multipliers")):
            parts = {name: part for name, part in point.items() if name not in left_out}
            # The missing side is that of a point within the gap, so its own gap is of the order of the root.
            allowed = 1e-8 if "alpha" in parts and "w" in parts else 1e-3
            assert wb.certificate(p, **parts).relative_gap <= allowed, left_out
        again = wb.solve(p, "augmented-lagrangian", tol=1e-8, warm_start=known)
        assert (again.status, again.epochs) == ("converged", 0.0)


def test_multipliers_need_constraints_of_their_number():
    p = drawn(4, general=True)
    wrong = np.zeros(p.constraints.b.shape[0] + 1)
    with pytest.raises(InputError, match=r"multipliers has shape"):
        wb.certificate(p, alpha=np.zeros(p.n_samples), multipliers=wrong)
    with pytest.raises(InputError, match="make the problem with constraints"):
        wb.certificate(drawn(4, general=False), alpha=np.zeros(p.n_samples), multipliers=[0.0])


# Certificates of problems with constraints


def test_no_certificate_with_constraints_promises_too_much():
    p = drawn(6, general=True)
    best = wb.solve(p, "augmented-lagrangian", tol=1e-11, max_epochs=50_000)
    rng = np.random.default_rng(0)
    for _ in range(20):
        w, s = rng.normal(size=p.n_features), rng.normal(size=p.dual_constraints.b.shape[0])
        alpha = rng.normal(size=p.n_samples)
        for point in (
            {"w": w},
            {"w": w, "multipliers": s},
            {"alpha": alpha},
            {"alpha": alpha, "w": w, "multipliers": s},
        ):
            certificate = wb.certificate(p, **point)
            assert certificate.dual <= best.primal + 1e-9
            assert certificate.primal >= best.dual - 1e-9
            assert certificate.gap >= certificate.primal - best.primal - 1e-9
            assert certificate.gap == pytest.approx(certificate.primal - certificate.dual, rel=1e-8)


def test_constraints_that_nothing_meets_are_refused():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(8, 3)), np.array([1.0, -1.0] * 4)
    twice = np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    refused = {
        "contradict each other": {"constraints": (twice, [0.0, 1.0])},
        "no dual variables in the domain of the hinge loss": {"constraints": (np.eye(3)[:1], [1e6])},
        r"constraints: C has shape \(1, 2\)": {"constraints": (np.ones((1, 2)), [0.0])},
        "is not a pair": {"constraints": 3},
        "do not go with bias = True": {"constraints": (np.eye(3)[:1], [0.0]), "bias": True},
        "do not go with the norm l1": {"constraints": (np.eye(3)[:1], [0.0]), "regularizer": "l1"},
    }
    for message, options in refused.items():
        with pytest.raises(InputError, match=message):
            wb.Problem(X, y, **({"loss": "hinge", "lam": 0.1} | options))


def test_other_solvers_and_problems_are_refused_by_name():
    p = drawn(4, general=True)
    with pytest.raises(InputError, match="gauss-seidel: constraints are not supported; use augmented"):
        wb.Run(p, GaussSeidel())
    X, y = np.eye(2), [1.0, -1.0]
    with pytest.raises(InputError, match="the problem has no constraints"):
        wb.Run(wb.Problem(X, y), AugmentedLagrangian())
    with pytest.raises(InputError, match="use maximal-violating-pair"):
        wb.Run(wb.Problem(X, y, kernel="linear", bias=True), AugmentedLagrangian())
    for options, message in (
        ({"mu": 0.0}, "mu = 0"),
        ({"eta": -1.0}, "eta = -1"),
        ({"update": "newton"}, "update = 'newton'"),
        ({"order": "most-violating"}, "order = 'most-violating'"),
        ({"scale": 0.0}, "scale = 0"),
    ):
        with pytest.raises(InputError, match=message):
            ModifiedAugmentedLagrangian(**options)
