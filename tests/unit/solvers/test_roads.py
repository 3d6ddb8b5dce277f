"""Frank-Wolfe's gap is the certificate; PDHG and SDCA reach an independent solver's optimum, at its rate."""

import cvxpy as cp
import numpy as np
import pytest
import sympy as sp

import workbench as wb
from tests.helpers.derived_terms import DERIVED_LOSSES
from workbench._support.errors import InputError
from workbench.conjugates.terms.losses import LOSSES
from workbench.kernels.formulas import LOSSES as TABLE
from workbench.solvers import PDHG, SDCA, FrankWolfe
from workbench.solvers.algorithms import sdca

# Of a gap against the certificate, as a share of P(0); of objectives against Clarabel.
SAME, ORACLE = 1e-12, 1e-6
RNG = np.random.default_rng(8)
X = RNG.normal(size=(30, 4))
LABELS = np.where(X[:, 0] - X[:, 1] + 0.6 * RNG.normal(size=30) > 0.0, 1.0, -1.0)
TARGETS = X[:, 0] + 0.5 * RNG.normal(size=30)
CLASSES = np.arange(30) % 3
WEIGHT = RNG.uniform(0.5, 2.0, size=30)


def problem(loss, regularizer="squared-l2", lam=0.1, **options):
    y = CLASSES if loss in ("multinomial",) else TARGETS if loss in ("squared", "huber") else LABELS
    return wb.Problem(X, y, loss, regularizer, lam=lam, **options)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net:epsilon=0.2", "entropy:mu=0.3"])
@pytest.mark.parametrize("loss", ["hinge", "logistic", "huber", "multinomial"])
def test_what_the_linearized_problem_promises_is_the_certificate(loss, regularizer, bias):
    p = problem(loss, regularizer, bias=bias, sample_weight=WEIGHT)
    run = wb.Run(p, FrankWolfe())
    for _ in range(12):
        judged = run.certificate()
        before = run.state.alpha.copy()
        run.step()
        promised = run.last_event.gap
        assert abs(promised - judged.gap) <= SAME * p.zero_value
        # By its definition: the decrease of the problem with lam h linearized, k kept, at its minimizer.
        side = wb.certificates.loss_terms.loss_side(p)
        z, b = judged.z, judged.b
        target = side.alpha_at(z, 0.0) if not (bias and p.loss.is_straight) else side.alpha_at(z - b, b)
        linear = np.sum(z * (before - target))
        decrease = (side.conjugate(before) - side.conjugate(target) + linear) / p.n_samples
        assert decrease == pytest.approx(promised, abs=1e-11 * p.zero_value)


@pytest.mark.parametrize("term", [term for term in LOSSES if TABLE[term.name]["kind"] != "prediction"])
def test_the_linearized_minimum_is_minus_the_loss_symbolically(term):
    """k(-s) + s z = -f(z) at s in -df(z): p*(p'(u)) - u p'(u) = -p(u), parameters at 3/2."""
    pair = DERIVED_LOSSES[term.name].pair
    u, v, x = pair.shape.u, pair.q.variable, sp.Symbol("x", positive=True)

    def fixed(expr):
        expr = pair.setting.leave(sp.sympify(expr))
        return expr.xreplace(dict.fromkeys(expr.free_symbols - {u, v, x}, sp.Rational(3, 2)))

    for piece in pair.shape.pieces:
        low, high, p = (fixed(expression) for expression in (piece.low, piece.high, piece.expr))
        # So far inside the piece that the sign of whatever stands under a power is known.
        place = low + x if low.is_finite else (high - x if high.is_finite else u)
        slope, value = (sp.simplify(expression.subs(u, place)) for expression in (sp.diff(p, u), p))
        parts = [fixed(part.expr) for part in pair.q.parts if not part.implicit]
        misses = (part.subs(v, slope) - place * slope + value for part in parts)
        assert any(sp.simplify(sp.powdenest(expression, force=True)) == 0 for expression in misses), piece


def test_the_classical_gap_is_the_certificate_for_the_hinge_alone():
    """Linearizing all of D: over the box of the hinge the same, over the line of least squares infinite."""
    p = problem("hinge")
    certificate = wb.solve(p, "frank-wolfe", tol=1e-2, max_epochs=500)
    judged = wb.certificate(p, alpha=certificate.alpha)
    slope = (p.design @ judged.w - p.y) / p.n_samples
    corner = np.where(slope * p.y < 0.0, p.y, 0.0)
    assert slope @ (certificate.alpha - corner) == pytest.approx(judged.gap, abs=SAME)
    logistic = problem("logistic")
    half = 0.5 * LABELS
    judged = wb.certificate(logistic, alpha=half)
    slope = (logistic.design @ judged.w) / 30.0
    corner = np.where(slope * LABELS < 0.0, LABELS, 0.0)
    assert slope @ (half - corner) > judged.gap * 1.1


def optimum(loss, regularizer, lam=0.1):
    """P at its minimum, by Clarabel."""
    w, b = cp.Variable(4), cp.Variable()
    z = X @ w + b
    f = {
        "hinge": lambda: cp.sum(cp.pos(1.0 - cp.multiply(LABELS, z))),
        "logistic": lambda: cp.sum(cp.logistic(-cp.multiply(LABELS, z))),
        "squared": lambda: cp.sum_squares(z - TARGETS),
    }[loss]()
    g = {
        "squared-l2": lambda: cp.sum_squares(w) / 2.0,
        "l1": lambda: cp.norm1(w),
        "elastic-net:epsilon=0.2": lambda: 0.2 * cp.norm1(w) + cp.sum_squares(w) / 2.0,
    }[regularizer]()
    return w, b, f / 30.0 + lam * g


@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net:epsilon=0.2", "l1"])
@pytest.mark.parametrize("loss", ["hinge", "logistic", "squared"])
def test_pdhg_and_sdca_reach_the_optimum_of_an_independent_solver(loss, regularizer):
    _, b, objective = optimum(loss, regularizer)
    best = cp.Problem(cp.Minimize(objective)).solve(solver=cp.CLARABEL)
    solution = wb.solve(problem(loss, regularizer, bias=True), "pdhg", tol=1e-8, max_epochs=5000)
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(best, rel=ORACLE)
    if regularizer == "l1":
        return
    best = cp.Problem(cp.Minimize(objective), [b == 0.0]).solve(solver=cp.CLARABEL)
    solution = wb.solve(problem(loss, regularizer), "sdca", tol=1e-8, max_epochs=5000)
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(best, rel=ORACLE)


def test_restarts_shorten_the_spiral():
    p = problem("hinge", lam=0.01, bias=True)
    plain, restarted = (wb.solve(p, PDHG(restart=r), tol=1e-6, max_epochs=20_000) for r in (False, True))
    assert restarted.status == "converged"
    assert restarted.steps < 0.7 * plain.steps


def test_dual_variables_that_rest_at_their_bounds_do_not_end_pdhg():
    """One weight, two samples: while w moves towards them, both dual variables stand at an end of the box."""
    p = wb.Problem(np.array([[1.0], [0.6]]), np.array([1.0, -1.0]), "hinge", lam=0.1)
    solution = wb.solve(p, "pdhg", tol=1e-8)
    assert solution.status == "converged"
    assert solution.w == pytest.approx([1.0], abs=1e-6)


RATED = [("logistic", "squared-l2"), ("huber", "elastic-net:epsilon=0.2")]


@pytest.mark.parametrize(("loss", "regularizer"), RATED)
def test_the_mean_of_a_hundred_seeds_stays_under_the_proved_rate(loss, regularizer):
    p = problem(loss, regularizer, lam=0.02, sample_weight=WEIGHT)
    best = wb.solve(p, "auto", tol=1e-12).primal
    steps = np.arange(0, 301, 150)
    over, gaps = np.zeros(steps.size), np.zeros(steps.size)
    for seed in range(100):
        run = wb.Run(p, SDCA(), seed=seed)
        for k in range(steps.size):
            run.step(int(steps[k] - run.steps))
            judged = run.certificate()
            over[k] += best - judged.dual
            gaps[k] += judged.gap
    rate = sdca.rate(p)
    assert 0.0 < rate.share < 1.0 / 30.0
    assert (over / 100.0 <= rate.dual(steps, over[0] / 100.0) * (1.0 + 1e-9)).all()
    assert (gaps / 100.0 <= rate.gap(steps, over[0] / 100.0)).all()
    # A bound that says something: the mean has fallen, and so has what is proved.
    assert over[-1] < 0.1 * over[0]
    assert rate.dual(300, 1.0) < 0.9


def test_draws_are_with_replacement_and_a_function_of_the_seed():
    from workbench.solvers.algorithms.orders import upcoming

    run = wb.Run(problem("hinge"), SDCA(), seed=3)
    first = upcoming("with-replacement", 30, run.state, 300)
    assert np.unique(first[:30]).size < 30
    counts = np.bincount(first, minlength=30)
    assert counts.min() >= 1
    assert counts.max() <= 30
    np.testing.assert_array_equal(first, upcoming("with-replacement", 30, run.state, 300))


def test_parameters_and_rates_are_checked():
    with pytest.raises(InputError, match="frank-wolfe: step = 'long' is not known; use exact or open-loop"):
        FrankWolfe(step="long")
    with pytest.raises(InputError, match="sdca: order = 'cyclic' is not known; use with-replacement"):
        SDCA(order="cyclic")
    with pytest.raises(InputError, match=r"slopes of the hinge loss are not Lipschitz.*no linear rate"):
        sdca.rate(problem("hinge"))
    with pytest.raises(InputError, match="no rate is proved for Entropy"):
        sdca.rate(problem("logistic", "entropy:mu=0.3"))
