"""Digests, statuses, bounds and read-only data beside a certificate are as honest as the certificate."""

import dataclasses
import functools
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from tests.helpers.amounts import amount
from tests.helpers.cases import samples, terms_for
from workbench import losses, regularizers, solvers
from workbench._support.errors import InputError
from workbench.certificates import certify
from workbench.problems import definiteness
from workbench.solvers.solution import attempt

X, LABELS, TARGETS = samples(n=24, d=4, seed=1)


def own(text="log(1 + exp(-a*u))", kind="margin", **values):
    return losses.custom(text, kind=kind, **(values or {"a": 1.0}))


# Digests


def test_a_digest_is_the_same_dense_and_sparse_and_tells_where_zeros_are():
    some = np.arange(1.0, 25.0).reshape(6, 4)
    some[2, 1] = some[4, 3] = 0.0
    moved = some.copy()
    moved[2] = [9.0, 11.0, 0.0, 12.0]
    labels = np.array([1.0, -1.0] * 3)
    assert (some[some != 0.0] == moved[moved != 0.0]).all()
    digests = {
        wb.Problem(form(matrix), labels).digest
        for matrix in (some, moved, some + 1.0)
        for form in (np.array, np.asfortranarray, sp.csr_array)
    }
    assert len(digests) == 3


def test_a_digest_covers_text_kind_and_values_of_own_functions():
    digests = [
        wb.Problem(X, LABELS, loss, regularizer).digest
        for loss, regularizer in [
            (own(), "squared-l2"),
            (own(a=2.0), "squared-l2"),
            (own(kind="residual"), "squared-l2"),
            ("logistic", regularizers.custom("c*cosh(u) - c", c=1.0)),
            ("logistic", regularizers.custom("c*u**2", c=1.0)),
            ("logistic", regularizers.custom("c*u**2", c=2.0)),
        ]
    ]
    assert len(set(digests)) == len(digests)


# Statuses


def test_a_bound_that_falls_is_no_divergence():
    """Raw features: map (10) at the first iterates gives bounds far below any value."""
    data = wb.data.load("breast-cancer")
    p = wb.Problem(data.X * np.geomspace(1, 1e4, data.X.shape[1]), data.y, "logistic", lam=1e-6)
    solution = wb.solve(p, "lbfgs", tol=1e-12, max_epochs=60)
    assert solution.status != "diverged"
    assert solution.epochs > 4


@pytest.mark.parametrize("w", [(np.inf, 0, 0, 0), (np.inf, -np.inf, 0, 0), (np.nan, 0, 0, 0), (1e308,) * 4])
def test_weights_that_are_not_finite_have_no_finite_objective(w):
    # A hinge is zero on one side, at predictions of infinity and nan as well.
    p = wb.Problem(X, LABELS, "hinge:p=1.5", lam=4e-11, bias=True)
    certificate = certify(p, w=np.array(w))
    assert (certificate.primal, certificate.gap, certificate.relative_gap) == (np.inf, np.inf, np.inf)
    assert certificate.interval is None


@pytest.mark.parametrize("offset", [0.0, 3e7])
def test_a_solution_states_the_objective_of_its_own_weights(offset):
    rng = np.random.default_rng(1)
    far = rng.normal(size=(100, 3))
    y = np.where(far @ [1.0, -1.0, 0.5] + 0.5 * rng.normal(size=100) > 0.0, 1, -1)
    far[:, 1] += offset
    model = wb.DualClassifier("hinge", lam=1e-3).fit(far, y)
    w, b = [Fraction(part) for part in model.coef_[0].tolist()], Fraction(float(model.intercept_[0]))
    losses_of = [
        max(0, 1 - label * (sum(Fraction(x) * part for x, part in zip(row, w, strict=True)) + b))
        for row, label in zip(far.tolist(), y.tolist(), strict=True)
    ]
    objective = sum(losses_of) / 100 + Fraction(1e-3) * sum(part**2 for part in w) / 2
    assert float(objective) == pytest.approx(model.solution_.primal, rel=1e-9)
    assert model.solution_.interval[0] <= objective <= model.solution_.interval[1]


def test_converged_is_said_of_the_very_point():
    problem = wb.Problem(X, LABELS, "logistic")
    solution = wb.solve(problem, tol=1e-12)
    assert wb.solve(problem, tol=1e-8, warm_start=solution).steps == 0
    # A start that claims a gap which its point does not have.
    false = dataclasses.replace(solution, w=0.0 * solution.w, alpha=0.0 * solution.alpha, w_embedded=None)
    again = attempt(problem, tol=1e-8, max_epochs=1e-9, warm_start=false)
    assert (again.status, again.steps) == ("max_epochs", 0)


# Bounds


@functools.cache
def nearest(loss):
    return wb.solve(wb.Problem(X, TARGETS, loss, bias=True), "augmented-lagrangian", 1e-11, 20_000)


@pytest.mark.parametrize("shift", [0.0, 1e3, 1e6])
@pytest.mark.parametrize("loss", ["squared", "huber", "epsilon-insensitive", "epsilon-insensitive:p=1.5"])
def test_the_dual_is_a_lower_bound_at_shifted_targets(loss, shift):
    reference = nearest(loss)
    p = wb.Problem(X, TARGETS + shift, loss, bias=True)
    rng = np.random.default_rng(0)
    for size in (0.0, 1e-14, 1e-13, 9e-13, 1e-9):
        alpha = reference.alpha + size * np.abs(reference.alpha).sum() * rng.uniform(0.5, 1.0, 24) / 24
        c = certify(p, alpha=alpha)
        # Targets of that size are rounded themselves.
        assert c.dual <= reference.primal + 1e-15 * 24 * shift + 1e-12
        assert c.gap == pytest.approx(c.primal - c.dual, abs=1e-12 * (1 + shift * 1e-2))


def indefinite(n, least, seed=0):
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    values = np.append(rng.uniform(0.1, 1.0, n - 1), least)
    return (Q * values) @ Q.T


@pytest.mark.parametrize("n", [30, 300])
@pytest.mark.parametrize("least", [-1e-3, -1e-7])
def test_an_indefinite_matrix_is_refused_with_its_least_eigenvalue(n, least):
    K = indefinite(n, least)
    K = 0.5 * (K + K.T)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    with pytest.raises(InputError, match=f"its least eigenvalue is {least:.3g}"):
        wb.Problem(K, y, "hinge", kernel="precomputed", bias=True)
    for kernel in (K, sp.csr_array(K), sp.linalg.aslinearoperator(K)):
        with pytest.raises(InputError, match=f"its least eigenvalue is {least:.3g}"):
            wb.gaps.svm(kernel, y, 1.0, np.full(n, 0.5))


def test_a_large_indefinite_matrix_is_found_by_its_products(monkeypatch):
    for name in ("SMALL", "BLOCK"):
        monkeypatch.setattr(definiteness, name, 100)
    K = indefinite(400, -0.3)
    with pytest.raises(InputError, match=r"its least eigenvalue is -0\.3"):
        definiteness.refuse_indefinite(0.5 * (K + K.T))
    definiteness.refuse_indefinite(X @ X.T)


@pytest.mark.parametrize("rank", [1, 3, 20])
def test_what_is_semi_definite_but_for_rounding_is_taken(rank):
    rng = np.random.default_rng(rank)
    Z = rng.normal(size=(60, rank)) * 10.0 ** rng.uniform(-4, 4, rank)
    K = Z @ Z.T
    wb.Problem(0.5 * (K + K.T), np.resize([1.0, -1.0], 60), "hinge", kernel="precomputed")
    single = (Z.astype(np.float32) @ Z.astype(np.float32).T).astype(np.float32)
    wb.Problem(0.5 * (single + single.T), np.resize([1.0, -1.0], 60), "hinge", kernel="precomputed")


def test_the_three_gaps_of_a_quadratic_program_are_finite_together():
    rng = np.random.default_rng(0)
    finite = 0
    for _ in range(60):
        k, m = int(rng.integers(2, 5)), int(rng.integers(4, 8))
        B, A = rng.normal(size=(int(rng.integers(1, k + 1)), k)), rng.normal(size=(m, k))
        multipliers = np.maximum(rng.normal(size=m), 0.0)
        u = rng.normal(size=k)
        # Complementary by construction, up to noise that a solver leaves.
        d = A @ u + np.where(multipliers > 0.0, 0.0, rng.uniform(0.0, 1.0, m))
        w = B.T @ (B @ u) + A.T @ multipliers
        noise = rng.choice([0.0, 1e-12, 1e-10])
        gap = wb.gaps.quadratic_program(B.T @ B, w, A, d + noise * rng.normal(size=m), multipliers)
        assert len({np.isfinite(value) for value in (gap.forward, gap.backward, gap.sigma)}) == 1
        finite += np.isfinite(gap.backward)
        assert gap.backward == pytest.approx(gap.forward, abs=1e-6)
    assert finite == 60


# Smaller promises


@pytest.mark.parametrize("name", solvers.REGISTRY)
def test_no_step_is_no_step(name):
    loss, regularizer, bias = terms_for(name)
    run = wb.Run(wb.Problem(X, LABELS, loss, regularizer, bias=bias), solvers.REGISTRY[name]())
    before = [np.copy(part) for part in run.state]
    assert run.step(0) == 0
    for old, new in zip(before, run.state, strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("form", [np.array, sp.csr_array, np.asfortranarray])
def test_later_changes_of_the_callers_data_change_nothing(form):
    data, y = form(X), LABELS.copy()
    p = wb.Problem(data, y, "hinge")
    digest, product = p.digest, p.design @ np.ones(4)
    (data.data if sp.issparse(data) else data)[:] = 7.0
    y[:] = -y
    np.testing.assert_array_equal(p.design @ np.ones(4), product)
    assert wb.Problem(form(X), LABELS, "hinge").digest == digest == p.digest


MASKED = np.ma.masked_array(X, mask=np.arange(X.size).reshape(X.shape) % 8 == 0)
STRANGE = {
    "masked": (MASKED, r"X is a masked array with \d+ masked entries; fill them"),
    "complex": (X + 0j, "X holds complex numbers; pass the real parts"),
    "sparse complex": (sp.csr_array(X + 1j), "X holds complex numbers; pass the real parts"),
    "dates": (np.full(X.shape, np.datetime64("2020-01-01")), "X holds dates; pass numbers"),
    "spans": (np.full(X.shape, np.timedelta64(1, "D")), "X holds time spans; pass numbers"),
    "objects": (np.full(X.shape, np.datetime64("2020-01-01"), dtype=object), "X cannot be read as numbers"),
}


@pytest.mark.parametrize(("data", "message"), STRANGE.values(), ids=STRANGE)
def test_what_is_no_number_is_refused(data, message):
    with pytest.raises(InputError, match=message):
        wb.Problem(data, LABELS)
    if not sp.issparse(data):
        with pytest.raises(InputError, match=message.replace("X", "y", 1)):
            wb.Problem(X, data[:, 0], "squared")


def test_a_masked_array_without_masked_entries_is_data():
    assert wb.Problem(np.ma.masked_array(X, mask=False), LABELS).digest == wb.Problem(X, LABELS).digest


def test_a_stop_is_heard_within_an_epoch(monkeypatch):
    monkeypatch.setattr("workbench.solvers.run.ATTENTION", 0.0)
    p = wb.Problem(*(np.tile(part, (40,) + (1,) * (part.ndim - 1)) for part in (X, LABELS)), "logistic")
    run = wb.Run(p)
    assert run.until(1e-12, stop=lambda: run.steps >= 100) == "interrupted"
    assert 100 <= run.steps < p.n_samples
    through = wb.Run(p)
    through.step(run.steps)
    np.testing.assert_array_equal(through.state.alpha, run.state.alpha)


SCRIPT = """
import numpy as np, workbench as wb
print("once", flush=True)
X = np.random.default_rng(0).normal(size=(20, 3))
table = wb.sweep(wb.Problem(X, np.sign(X[:, 0])), {"lam": [0.1, 0.01]}, cache=None, workers=1)
print(list(table.status))
"""


@pytest.mark.long
def test_a_plain_script_sweeps(tmp_path):
    path = tmp_path / "plain.py"
    path.write_text(SCRIPT)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["once", "['converged', 'converged']"], done.stderr


# The rounding of a term follows the condition of its formulas

ROUNDED = ("hinge:p=7.5", "hinge:p=20", "epsilon-insensitive:p=7.5")
OWN = (("log(cosh(u))", "residual"), ("log(1 + exp(u)) + u**2/20", "residual"), ("cosh(u) - 1", "residual"))


@pytest.mark.parametrize("loss", [*ROUNDED, *OWN], ids=str)
def test_rounding_is_no_wrong_formula(loss):
    loss = losses.get(loss) if isinstance(loss, str) else losses.custom(loss[0], kind=loss[1])
    p = wb.Problem(X, LABELS, loss, lam=0.01)
    rng = np.random.default_rng(0)
    for _ in range(amount(60, 300)):
        c = certify(p, w=10.0 ** rng.uniform(-9, 2) * rng.normal(size=4))
        assert c.gap >= 0.0
    assert wb.solve(p, tol=1e-9, max_epochs=3000).status == "converged"


@pytest.mark.parametrize("wrong", [1e-9, 1e-6, 1e-3])
def test_a_wrong_formula_is_found_all_the_same(wrong):
    """A conjugate that is too small by that share: a term at its own slope is negative."""
    from numba import njit

    from workbench.kernels import compilation, term_loops

    loss = losses.get("hinge:p=7.5")
    right = njit(loss.formula("conjugate"))
    u = np.linspace(-3.0, 0.5, 50)
    nu = np.array([loss.scalar("slope")(x, loss.theta) for x in u])
    parts = [loss.scalar(part) for part in ("value", "value_rounding", "conjugate_rounding")]

    def bent(v, theta):
        return right(v, theta) * (1.0 - wrong) if right(v, theta) > 0.0 else right(v, theta) * (1.0 + wrong)

    bent = compilation.jit(bent, compilation.SCALAR)
    units = term_loops.samples_beyond()(parts[0], bent, *parts[1:], u, nu, loss.theta)
    assert units > 1e3
    assert loss.rounding(u, nu) <= 8.0
