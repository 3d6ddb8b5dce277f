"""Fenchel-Young losses: predictions against published formulas, losses as gaps, every solver certified."""

import pickle

import cvxpy as cp
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import workbench as wb
from workbench._support.errors import InputError
from workbench._support.names import spelled
from workbench.certificates import certify
from workbench.problems.losses import fenchel_young
from workbench.problems.losses.multinomial import log_softmax

# Of predictions against other implementations, absolute; of objectives against Clarabel, relative.
SAME, ORACLE = 1e-10, 1e-6
RNG = np.random.default_rng(3)
X = RNG.normal(size=(30, 4))
Y = np.argmax(X[:, :3] + 0.8 * RNG.normal(size=(30, 3)), axis=1)
WEIGHT = RNG.uniform(0.5, 2.0, size=30)
PHIS = {
    "softmax": fenchel_young("u*log(u)"),
    "sparsemax": fenchel_young("sparsemax"),
    "entmax": fenchel_young("entmax"),
    "kinked": fenchel_young("abs(u - 1/3) + u**2"),
    "flat at 0": fenchel_young("u**4"),
    "no closed conjugate": fenchel_young("u*log(u) + u**2"),
}
few = settings(max_examples=20)
every_phi = pytest.mark.parametrize("loss", PHIS.values(), ids=PHIS)
SOLVERS = ("gauss-seidel", "newton", "proximal-gradient", "lbfgs", "coordinate-descent")
rows = arrays(float, (4, 5), elements=st.floats(-30.0, 30.0))


def by_sorting(z):
    """Sparsemax as Martins and Astudillo (2016), Algorithm 1, print it."""
    ordered = np.sort(z)[::-1]
    sums = np.cumsum(ordered)
    k = np.flatnonzero(1.0 + np.arange(1, z.size + 1) * ordered > sums)[-1] + 1
    return np.maximum(z - (sums[k - 1] - 1.0) / k, 0.0)


def by_sorted_roots(z):
    """Entmax of exponent 3/2 as Peters, Niculae and Martins (2019), Algorithm 2, print it."""
    half = np.sort(z)[::-1] / 2.0
    for k in range(z.size, 0, -1):
        mean = half[:k].mean()
        spread = np.sum((half[:k] - mean) ** 2)
        if spread <= 1.0:
            tau = mean - np.sqrt((1.0 - spread) / k)
            if tau <= half[k - 1]:
                return np.maximum(z / 2.0 - tau, 0.0) ** 2
    raise AssertionError("no support fits")


def by_bisection(z, alpha):
    """Entmax of any exponent above 1: [(alpha - 1) z_j - tau]_+^(1/(alpha - 1)), to thirty digits."""
    with mpmath.workdps(30):
        scaled = [(mpmath.mpf(alpha) - 1) * mpmath.mpf(float(x)) for x in z]
        power = 1 / (mpmath.mpf(alpha) - 1)
        low, high = max(scaled) - 1, max(scaled)
        for _ in range(110):
            tau = (low + high) / 2
            total = sum(max(x - tau, 0) ** power for x in scaled)
            low, high = (tau, high) if total > 1 else (low, tau)
        return np.array([float(max(x - tau, 0) ** power) for x in scaled])


@few
@given(rows)
def test_softmax_sparsemax_and_entmax_are_the_published_ones(z):
    np.testing.assert_allclose(PHIS["softmax"].predict(z), np.exp(log_softmax(z)), atol=SAME)
    np.testing.assert_allclose(PHIS["sparsemax"].predict(z), [by_sorting(row) for row in z], atol=SAME)
    np.testing.assert_allclose(PHIS["entmax"].predict(z), [by_sorted_roots(row) for row in z], atol=SAME)


# At 1.01 the closed form of the conjugate has a factor of 1e-404.
@pytest.mark.parametrize("alpha", [1.01, 1.25, 3.0])
def test_entmax_of_other_exponents_against_thirty_digits(alpha):
    loss = fenchel_young("entmax", alpha=alpha)
    for z in RNG.normal(size=(8, 4)) * 3.0:
        np.testing.assert_allclose(loss.predict(z), by_bisection(z, alpha), atol=SAME)


def test_the_exponents_one_and_two_are_softmax_and_sparsemax():
    z = RNG.normal(size=(5, 3))
    assert fenchel_young("entmax", alpha=1) == fenchel_young("softmax")
    two = fenchel_young("entmax", alpha=2).predict(z)
    np.testing.assert_allclose(two, PHIS["sparsemax"].predict(z), atol=SAME)


@every_phi
@few
@given(z=rows)
def test_the_loss_is_the_gap_of_the_corner_and_its_slope_is_prediction_less_corner(loss, z):
    labels = np.array([0, 1, 2, 4])
    values = loss.values(z, labels)
    corners = np.eye(5)[labels]
    np.testing.assert_allclose(values, loss.young(z, corners)[0], rtol=1e-12)
    p = loss.predict(z)
    assert (p >= 0.0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-15)
    # Convexity in z, at steps of any size, has the slope that is claimed.
    moved = z + RNG.normal(size=z.shape)
    rise = loss.values(moved, labels) - values
    assert (rise >= np.sum((p - corners) * (moved - z), axis=1) - 1e-9 * (1.0 + values)).all()


@every_phi
@few
@given(z=arrays(float, 5, elements=st.floats(-30.0, 30.0)))
def test_the_bracket_of_the_multiplier_is_proved_by_the_sums_at_its_ends(loss, z):
    bracket = loss.multiplier(z)
    assert bracket.low < bracket.value < bracket.high
    slope = loss.scalar("slope")
    sums = [sum(slope(float(entry) - m, loss.theta) for entry in z) for m in (bracket.low, bracket.high)]
    assert sums[0] >= 1.0 >= sums[1]
    # Where phi is flat at 0 the sums are steep, so it is the places that are near each other.
    assert bracket.high - bracket.low <= 1e-12 * max(1.0, float(np.abs(z).max()))


def test_rows_of_any_size_give_points_of_the_simplex():
    for loss in (*PHIS.values(), fenchel_young("u*log(u) + (1 - u)*log(1 - u)")):
        for scale in (1e-12, 1.0, 1e6, 1e150):
            p = loss.predict(scale * np.array([[1.0, -1.0, 0.5], [2.0, 2.0, 2.0], [0.0, 0.0, 1.0]]))
            assert np.isfinite(p).all()
            np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-15)
            np.testing.assert_allclose(p[1], 1.0 / 3.0, atol=1e-15)


@pytest.mark.parametrize("bias", [False, True])
@every_phi
def test_every_solver_of_classes_reaches_the_same_certified_optimum(loss, bias):
    p = wb.Problem(X, Y, loss, lam=0.05, bias=bias, sample_weight=WEIGHT)
    values = {}
    for name in SOLVERS:
        try:
            solution = wb.solve(p, name, tol=1e-7, max_epochs=3000)
        except InputError:
            continue
        assert solution.status == "converged", name
        values[name] = solution.primal
    # Gauss-Seidel knows no free bias, and phi'' = 0 somewhere leaves the curvature without a bound.
    bounded = np.isfinite(loss.curvature)
    assert set(values) == set(SOLVERS) - ({"gauss-seidel"} if bias else set()) - (
        set() if bounded else {"newton", "coordinate-descent"}
    )
    np.testing.assert_allclose(list(values.values()), min(values.values()), rtol=2e-7)


@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net:epsilon=0.2", "l1"])
@pytest.mark.parametrize("name", ["sparsemax", "kinked"])
def test_the_optimum_is_that_of_an_independent_solver(name, regularizer):
    omega = {
        "sparsemax": lambda p: (cp.sum_squares(p) - 1.0) / 2.0,
        "kinked": lambda p: cp.sum_squares(p) - 1.0 + cp.sum(cp.abs(p - 1.0 / 3.0)) - 4.0 / 3.0,
    }[name]
    problem = wb.Problem(X, Y, PHIS[name], regularizer, lam=0.05, bias=True)
    # The dual, whose value is minus the primal one: Omega is a plain function, and Omega* is not.
    p = cp.Variable((30, 3), nonneg=True)
    v = X.T @ (np.eye(3)[Y] - p) / (0.05 * 30)
    tied = [cp.sum(p, axis=1) == 1, cp.sum(p, axis=0) == np.bincount(Y)]
    h = {
        "squared-l2": lambda: cp.sum_squares(v) / 2.0,
        "elastic-net:epsilon=0.2": lambda: cp.sum_squares(cp.pos(cp.abs(v) - 0.2)) / 2.0,
        "l1": lambda: 0.0,
    }[regularizer]()
    if regularizer == "l1":
        tied.append(cp.abs(v) <= 1.0)
    dual = sum(omega(p[i]) for i in range(30)) / 30.0 + 0.05 * h
    best = -cp.Problem(cp.Minimize(dual), tied).solve(solver=cp.CLARABEL)
    solution = wb.solve(problem, tol=1e-8)
    assert solution.primal == pytest.approx(best, rel=ORACLE)


def test_typed_shannon_is_the_multinomial_loss():
    one, other = (
        wb.Problem(X, Y, loss, lam=0.03, bias=True, sample_weight=WEIGHT)
        for loss in (PHIS["softmax"], "multinomial")
    )
    w, alpha = RNG.normal(size=(4, 3)), 0.2 * RNG.normal(size=(30, 3))
    ours, theirs = (wb.certificate(p, w=w, alpha=alpha) for p in (one, other))
    assert ours.primal == pytest.approx(theirs.primal, rel=1e-13)
    assert ours.gap == pytest.approx(theirs.gap, rel=1e-12)
    np.testing.assert_allclose(ours.sample_terms, theirs.sample_terms, rtol=1e-9)
    assert one.zero_value == pytest.approx(other.zero_value, rel=1e-15)


@every_phi
def test_no_point_is_certified_below_its_gap(loss):
    p = wb.Problem(X, Y, loss, lam=0.05, bias=True)
    best = wb.solve(p, tol=1e-9)
    rng = np.random.default_rng(0)
    for scale in (0.0, 0.1, 1.0, 30.0, 1e4):
        certificate = certify(p, w=scale * rng.normal(size=(4, 3)))
        assert certificate.primal - best.primal <= certificate.gap * (1.0 + 1e-9) + 1e-12
        assert certificate.dual <= best.primal * (1.0 + 1e-12)


def test_one_certified_multiplier_is_enough_for_a_certificate_too_large_and_never_too_small():
    """Omega*(z) <= m + sum phi*(z_j - m) at every m: so is the term that a wrong multiplier gives."""
    loss, z = PHIS["entmax"], RNG.normal(size=5)
    p = RNG.dirichlet(np.ones(5))
    value, phi = loss.scalar("value"), loss.scalar("conjugate")
    exact, m = loss.young(z[None, :], p[None, :])[0][0], loss.multiplier(z).value
    for off in (-0.5, -1e-3, 1e-3, 0.5):
        term = m + off + sum(value(x - m - off, loss.theta) for x in z)
        term += sum(phi(x, loss.theta) for x in p) - z @ p
        assert term > exact


def test_it_is_its_text():
    loss = PHIS["entmax"]
    assert pickle.loads(pickle.dumps(loss)) == loss
    p, other = (wb.Problem(X, Y, name, lam=0.1) for name in (loss, PHIS["sparsemax"]))
    assert pickle.loads(pickle.dumps(p)).digest == p.digest != other.digest


@pytest.mark.parametrize("name", ["softmax", "sparsemax", "entmax", "entmax:alpha=1.25"])
def test_a_listed_name_is_a_loss_of_a_problem_and_is_spelled_as_it_was_given(name):
    problem = wb.Problem(X, Y, name, lam=0.1)
    base, _, alpha = name.partition(":alpha=")
    assert problem.loss == fenchel_young(base, **({"alpha": float(alpha)} if alpha else {}))
    assert spelled(problem.loss) == name
    assert wb.losses.get(spelled(problem.loss)) == problem.loss


def test_what_is_no_listed_name_is_refused():
    with pytest.raises(InputError, match=r"did you mean 'sparsemax'.*known are .*sparsemax"):
        wb.losses.get("sparsmax")
    with pytest.raises(InputError, match=r"loss entmax: .beta=1. is not a parameter; .* are: alpha"):
        wb.losses.get("entmax:beta=1")
    with pytest.raises(InputError, match=r"loss sparsemax: 'alpha=1' is not a parameter.*none"):
        wb.losses.get("sparsemax:alpha=1")
    with pytest.raises(InputError, match="alpha = -1"):
        wb.losses.get("entmax:alpha=-1")


REFUSED = {
    "infinite at a corner": ("-log(u)", r"'-log\(u\)' is infinite at u = 0.*finite on all of \[0, 1\]"),
    "infinite inside": ("-log(u - 1/2)", "infinite at u = 0"),
    "a pole inside": ("1/(u - 1/2)**2", "not between them, so it is not convex"),
    "not convex": ("-u**2", "the function is not convex"),
    "a line": ("3*u", "straight line for u between 0 and 1.*add a strictly convex term"),
    "a line in parts": ("max(0, u - 1/2)**2", "straight line for u between 0 and 1/2"),
    "an unknown name": ("sparsmax", "did you mean 'sparsemax'"),
    "no text": (2.0, "phi = 2.0 is not text"),
}


@pytest.mark.parametrize(("phi", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_phi_is_refused(phi, message):
    with pytest.raises(InputError, match=message):
        fenchel_young(phi)


def test_numbers_and_labels_are_checked():
    with pytest.raises(InputError, match="alpha = -1"):
        fenchel_young("entmax", alpha=-1)
    with pytest.raises(InputError, match="fenchel-young: classes = 1 is not a whole number"):
        fenchel_young("sparsemax", classes=1)
    with pytest.raises(InputError, match="the fenchel-young loss needs labels 0, 1"):
        wb.Problem(X, Y - 1, PHIS["sparsemax"])
    with pytest.raises(InputError, match="the fenchel-young loss needs one a class"):
        wb.Problem(X, Y, PHIS["sparsemax"], kernel="rbf")
