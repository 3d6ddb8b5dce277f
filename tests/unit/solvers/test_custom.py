"""A learner's own loss and regularizer: parsed, derived, compiled, solved and certified."""

import ast

import cvxpy as cp
import numpy as np
import pytest
from scipy.special import lambertw

import workbench as wb
from workbench.certificates import certify
from workbench.kernels import compilation, sample_loops
from workbench.solvers import GaussSeidel

SCALARS = ("value", "slope", "conjugate", "conjugate_slope", "coordinate")
# Relative, of objectives: Clarabel's own tolerance is 1e-8.
ORACLE = 1e-6


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 8))
    return X, np.sign(X[:, 0] - 0.5 * X[:, 1] + 0.3 * rng.normal(size=60))


# Losses of margins and regularizers, and what they are to CVXPY.
LOSSES = {
    "hinge": lambda u: cp.pos(1 - u),
    "max(0, 1 - u)**3 / 3": lambda u: cp.power(cp.pos(1 - u), 3) / 3,
    "max(0, 1 - u, 2 - 3*u)": lambda u: cp.maximum(0, 1 - u, 2 - 3 * u),
    "u**2/2 + exp(-u)": lambda u: u**2 / 2 + cp.exp(-u),
    # Their conjugates have the logarithm of a root.
    "log(1+exp(-u))+exp(-u)": lambda u: cp.logistic(-u) + cp.exp(-u),
    "log(1+exp(-u))+2*exp(-u)": lambda u: cp.logistic(-u) + 2 * cp.exp(-u),
    "exp(-u)+exp(-2*u)": lambda u: cp.exp(-u) + cp.exp(-2 * u),
}
REGULARIZERS = {
    "u**2/2": lambda w: cp.sum_squares(w) / 2,
    "cosh(u) - 1": lambda w: cp.sum((cp.exp(w) + cp.exp(-w)) / 2 - 1),
    "u**2/2 + u**4/4 + abs(u)/10": lambda w: cp.sum(w**2 / 2 + w**4 / 4 + cp.abs(w) / 10),
    "u**2/2 + max(0, u)": lambda w: cp.sum(w**2 / 2 + cp.pos(w)),
}


@pytest.mark.parametrize(
    ("loss", "regularizer", "update"),
    [
        *(("max(0, 1 - u)**3 / 3", "u**2/2", update) for update in ("exact", "gradient", "newton")),
        *(("hinge", regularizer, "exact") for regularizer in list(REGULARIZERS)[1:]),
        *((loss, "u**2/2", "exact") for loss in list(LOSSES)[2:5]),
        *(pytest.param(loss, "u**2/2", "exact", marks=pytest.mark.long) for loss in list(LOSSES)[5:]),
    ],
)
def test_the_optimum_is_cvxpys(data, loss, regularizer, update):
    X, y = data
    own = loss if loss == "hinge" else wb.losses.custom(loss, kind="margin")
    problem = wb.Problem(X, y, own, wb.regularizers.custom(regularizer), lam=0.05)
    solution = wb.solve(problem, GaussSeidel(update=update), tol=1e-7, max_epochs=20_000)
    w = cp.Variable(8)
    value = cp.sum(LOSSES[loss](cp.multiply(y, X @ w))) / 60 + 0.05 * REGULARIZERS[regularizer](w)
    best = cp.Problem(cp.Minimize(value))
    best.solve(solver=cp.CLARABEL)
    assert solution.status == "converged"
    assert 0.0 <= solution.relative_gap <= 1e-7
    assert solution.primal == pytest.approx(best.value, rel=ORACLE)


def test_a_conjugate_without_closed_form_is_solved_in_numbers():
    loss = wb.losses.custom("u**2/2 + exp(-u)", kind="margin")
    # u = e^-u at u = W(1), where p is W(1)^2 / 2 + W(1).
    root = lambertw(1.0).real
    assert loss.scalar("conjugate")(0.0, loss.theta) == pytest.approx(-(root**2) / 2 - root, rel=1e-14)


def test_a_custom_loss_compiles_no_kernel_anew(data):
    X, y = data
    for loss in ("logistic", wb.losses.custom("max(0, 1 - u)**4 / 4", kind="margin")):
        wb.solve(wb.Problem(X, y, loss=loss, lam=0.1), tol=1e-3)
    kernels = [sample_loops.sample_terms(), sample_loops.dual_points(), sample_loops.conjugate_sum()]
    before = [len(kernel.signatures) for kernel in kernels], compilation.progress["done"]
    loss = wb.losses.custom("max(0, 1 - u)**5 / 5", kind="margin")
    wb.solve(wb.Problem(X, y, loss=loss, lam=0.1), tol=1e-3)
    assert [len(kernel.signatures) for kernel in kernels] == before[0]
    # Its own scalars, and the rounding of two of them, and nothing else.
    assert compilation.progress["done"] - before[1] <= len(SCALARS) + 2


def test_values_stand_for_the_other_names():
    mine = wb.losses.custom("max(tau*u, (tau - 1)*u)", kind="residual", tau=0.25)
    assert (mine.entry["lower"], mine.entry["upper"]) == (-0.75, 0.25)
    assert mine.scalar("value")(2.0, mine.theta) == 0.5


@pytest.mark.parametrize(
    ("text", "domain", "bound"),
    [
        ("u**2/3", None, 1.5),
        ("u**4/4 + u**2/2", None, 1.0),
        ("abs(u)/5 + 2*u**2", None, 0.25),
        pytest.param("sqrt(1 + u**2) + u**2/2", None, 1.0, marks=pytest.mark.long),
        ("abs(u)**(3/2)", None, np.inf),
        ("u*log(u) - u", "u >= 0", np.inf),
    ],
)
def test_the_curvature_of_the_conjugate_is_derived(text, domain, bound):
    """1 over the least second derivative: what the bounded update divides by."""
    own = wb.regularizers.custom(text, domain=domain)
    assert bound <= own.entry["curvature"] <= bound * (1.0 + 1e-12)
    X, y = np.eye(4, 2) + 0.5, np.array([1.0, -1.0, 1.0, -1.0])
    problem = wb.Problem(X, y, "squared-hinge", own, lam=0.1)
    if bound < np.inf:
        bounded = wb.solve(problem, wb.solvers.GaussSeidel(update="bounded"), tol=1e-8)
        assert bounded.status == "converged"
    else:
        with pytest.raises(wb.InputError, match=r"no bound.*use"):
            wb.solve(problem, "primal-gradient")


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("sqrt(1 + u**2) - 1", {-1.0: 1.0, 1.0: 1.0}),
        ("sqrt(1 + u**2) - 1 + u/2", {-0.5: 1.0, 1.5: 1.0}),
        ("log(1 + exp(u))", {0.0: 0.0, 1.0: 0.0}),
        ("sqrt(4 + u**2)", {-1.0: 0.0, 1.0: 0.0}),
    ],
)
def test_the_conjugate_has_its_value_at_the_ends_of_its_domain(text, ends):
    """A formula is infinity less infinity at an end, where dual variables still have a value."""
    loss = wb.losses.custom(text, kind="residual")
    conjugate = loss.scalar("conjugate")
    for v, value in ends.items():
        assert conjugate(v, loss.theta) == pytest.approx(value, abs=1e-12)
        inside = v + 1e-9 * (1.0 if v == min(ends) else -1.0)
        assert conjugate(inside, loss.theta) == pytest.approx(value, abs=1e-3)


WRONG = "a formula or its conjugate is wrong"


@pytest.mark.parametrize("text", ["cosh(u) - 1", "u**2/2", "abs(u)**(3/2)"])
def test_a_conjugate_of_a_regularizer_that_is_too_small_is_an_error(monkeypatch, text):
    """Room for the rounding of both formulas leaves none for a formula that is off by a thousandth."""
    regularizer, lower = (wb.regularizers.custom(form) for form in (text, f"{text} + 1/1000"))
    right = type(regularizer).function
    v = np.linspace(-1.0, 1.0, 101)
    transfer = regularizer.at(101)
    h, w = transfer.map(v)
    assert transfer.bracket(w, v, h).sum < 1e-13
    monkeypatch.setattr(
        type(regularizer), "function", lambda self, part: right(lower if part == "inner" else self, part)
    )
    with pytest.raises(ArithmeticError, match=WRONG):
        transfer.bracket(w, v, h)


@pytest.mark.parametrize("text", ["log(1 + exp(-2*u))", "max(0, 1 - u)**3 / 3"])
def test_a_conjugate_of_a_loss_that_is_too_small_is_an_error(monkeypatch, text):
    loss, lower = (wb.losses.custom(form, kind="margin") for form in (text, f"{text} + 1/1000"))
    right = type(loss).scalar
    X, y = np.array([[1.0], [-2.0], [0.5]]), np.array([1.0, -1.0, -1.0])
    problem = wb.Problem(X, y, loss, lam=0.1)
    solved = wb.solve(problem, tol=1e-9)
    assert solved.status == "converged"
    monkeypatch.setattr(
        type(loss), "scalar", lambda self, part: right(lower if part == "conjugate" else self, part)
    )
    with pytest.raises(ArithmeticError, match=WRONG):
        certify(problem, alpha=solved.alpha, w=solved.w)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: wb.losses.custom("u**3", kind="margin"), "midpoint"),
        (lambda: wb.losses.custom("foo(u)", kind="margin"), "'foo' is not known"),
        (lambda: wb.losses.custom("u**2", kind="residuals"), "residuals"),
        (lambda: wb.losses.custom("a*u**2", kind="residual", b=2.0), "a"),
        (lambda: wb.losses.custom("a*u**2", kind="residual", a="two"), "two"),
        (lambda: wb.regularizers.custom("abs(u)"), "add a strictly convex term"),
        (lambda: wb.regularizers.custom("max(u**2/2, abs(u))"), "straight piece"),
        (lambda: wb.regularizers.custom("u**2 - u**4"), "midpoint"),
        (lambda: wb.regularizers.custom("-log(1 - u)", domain="u < 1"), "Interval"),
        (lambda: wb.losses.custom("__import__('os')", kind="margin"), "formula"),
    ],
)
def test_bad_input_is_refused_by_name(make, named):
    with pytest.raises(wb.InputError, match=named):
        make()


@pytest.mark.parametrize(
    ("term", "text", "options"),
    [
        (wb.losses.custom, "max(-t*u, (1-t)*u)", {"kind": "residual"}),
        (wb.losses.custom, "abs(u)**r", {"kind": "residual"}),
        (wb.regularizers.custom, "c*u**2 + a*u**4", {}),
    ],
)
def test_the_advice_for_names_without_numbers_works_as_printed(term, text, options):
    with pytest.raises(wb.ExpressionError, match=r"must be a number; write parameters=(\{.*\})$") as refusal:
        term(text, **options)
    advice = ast.literal_eval(str(refusal.value).partition("parameters=")[2])
    assert term(text, **options, parameters=advice) == term(text, **options, **advice)
    name = next(iter(advice))
    with pytest.raises(wb.InputError, match=rf'{name} = .* is a condition.*parameters=\{{"{name}": 0\.5\}}'):
        term(text, **options, parameters={name: f"{name} > 0"})
