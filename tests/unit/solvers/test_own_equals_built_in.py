"""A function of a learner that equals a built-in one: the same facts, steps and certificates."""

import numpy as np
import pytest

import workbench as wb
from workbench import losses, regularizers, solvers
from workbench._support.errors import InputError

GAP = 1e-9
LOSSES = (
    ("max(0, 1 - u)", "margin", "hinge"),
    ("(abs(1 - u) + 1 - u)/2", "margin", "hinge:p=1"),
    ("max(0, 1 - u)**2/2", "margin", "squared-hinge"),
    ("max(0, 1 - u)**3/3", "margin", "hinge:p=3"),
    ("piecewise((0, u > 1), ((1 - u)**2, u > 1/2), (3/4 - u, True))", "margin", "smoothed-hinge:width=0.5"),
    ("log(1 + exp(-u))", "margin", "logistic"),
    ("u**2", "residual", "squared"),
    ("max(0, abs(u) - 1/4)", "residual", "epsilon-insensitive:epsilon=0.25"),
    ("u**2/2 if abs(u) <= 2 else 2*abs(u) - 2", "residual", "huber:delta=2"),
)
REGULARIZERS = (("u**2/2", "squared-l2"), ("abs(u)/4 + u**2/2", "elastic-net:epsilon=0.25"))
SOLVERS = (
    "gauss-seidel",
    "lbfgs",
    "proximal-gradient",
    "coordinate-descent",
    "conjugate-gradient",
    "maximal-violating-pair",
    "primal-gradient",
)
EPOCHS = 4


def data(kind):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 5))
    z = X @ [1.0, -1.0, 0.5, 0.0, 0.0] + 0.3 * rng.normal(size=40)
    return X, np.sign(z) if kind == "margin" else z


def solved(problem, solver):
    """The run after some epochs, or the refusal without the problem's own spelling."""
    try:
        run = wb.Run(problem, solvers.REGISTRY[solver](), seed=0)
    except InputError as error:
        return None, str(error)
    run.epoch(EPOCHS)
    return run, None


@pytest.mark.parametrize(("text", "kind", "name"), LOSSES)
def test_the_facts_of_a_loss(text, kind, name):
    own, built_in = losses.custom(text, kind=kind), losses.get(name)
    assert own.facts().keys() == built_in.facts().keys()
    for fact, value in built_in.facts().items():
        own_value, expected = np.array(own.facts()[fact]), np.array(value)
        assert own_value.shape == expected.shape, fact
        assert own_value == pytest.approx(expected, rel=1e-12, abs=1e-15), fact
    for fact in ("kink", "hinge", "lipschitz", "monotone", "is_straight", "interval", "start"):
        assert getattr(own, fact) == getattr(built_in, fact), fact


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("text", "kind", "name"), LOSSES)
def test_a_loss_takes_the_same_steps_and_certificates(text, kind, name, bias):
    X, y = data(kind)
    for regularizer in ("squared-l2",) if bias else ("squared-l2", "elastic-net:epsilon=0.1", "l1"):
        own, built_in = (
            wb.Problem(X, y, loss, regularizer, lam=0.03, bias=bias)
            for loss in (losses.custom(text, kind=kind), name)
        )
        for solver in SOLVERS:
            (mine, refused), (theirs, why) = solved(own, solver), solved(built_in, solver)
            assert (refused is None) == (why is None), (regularizer, solver, refused, why)
            if why is None:
                same(mine, theirs, own, built_in)


def same(mine, theirs, own, built_in):
    """The same steps, and the same certificate for the same weights."""
    assert mine.steps == theirs.steps
    ours, reference = mine.certificate(), theirs.certificate()
    assert ours.w == pytest.approx(reference.w, rel=1e-9, abs=1e-11)
    assert ours.gap == pytest.approx(reference.gap, abs=GAP)
    at = [
        wb.certificate(p, w=reference.w, b=reference.b if p.free_bias else None).gap for p in (own, built_in)
    ]
    assert at[0] == pytest.approx(at[1], abs=GAP)


@pytest.mark.parametrize(("text", "name"), REGULARIZERS)
def test_a_regularizer_takes_the_same_steps_and_certificates(text, name):
    for loss, kind in (("hinge", "margin"), ("squared", "residual"), ("logistic", "margin")):
        X, y = data(kind)
        own, built_in = (
            wb.Problem(X, y, loss, regularizer, lam=0.03) for regularizer in (regularizers.custom(text), name)
        )
        assert own.regularizer.facts() == built_in.regularizer.facts()
        for solver in SOLVERS:
            (mine, refused), (theirs, why) = solved(own, solver), solved(built_in, solver)
            assert (refused is None) == (why is None), (solver, refused, why)
            if why is None:
                same(mine, theirs, own, built_in)


def test_a_kernel_with_a_bias_takes_a_hinge_in_any_spelling():
    X, y = data("margin")
    solutions = [
        wb.solve(
            wb.Problem(X, y, loss, lam=0.03, bias=True, kernel="rbf:gamma=0.5"), "maximal-violating-pair"
        )
        for loss in ("hinge", losses.custom("max(0, 1 - u)", kind="margin"))
    ]
    assert solutions[0].gap == pytest.approx(solutions[1].gap, abs=GAP)
    assert (solutions[0].alpha == solutions[1].alpha).all()


def test_a_scaled_and_shifted_hinge_has_a_dual_of_boxes():
    X, y = data("margin")
    own = wb.Problem(X, y, losses.custom("max(0, 6 - 3*u)", kind="margin"), lam=0.03, bias=True)
    assert own.loss.hinge == (3.0, 2.0)
    solution = wb.solve(own, solvers.MaximalViolatingPair(tol=1e-8), tol=1e-9)
    reference = wb.solve(own, "augmented-lagrangian", tol=1e-4, max_epochs=3000)
    assert solution.relative_gap <= 1e-6
    assert solution.dual <= reference.primal * (1.0 + 1e-12)
    assert solution.primal == pytest.approx(reference.primal, rel=1e-3)
    fallen = wb.Problem(X, y, losses.custom("max(0, -u)", kind="margin"), lam=0.03, bias=True)
    with pytest.raises(InputError, match=r"s max\(0, b - yz\), b > 0"):
        wb.solve(fallen, "maximal-violating-pair")


@pytest.mark.parametrize(
    ("text", "kind", "parabola"),
    [("(1 - u)**2", "margin", (2.0, -2.0, 1.0)), ("3*u**2/2 + u + 1", "residual", (3.0, 1.0, 1.0))],
)
def test_every_parabola_is_least_squares(text, kind, parabola):
    X, y = data(kind)
    loss = losses.custom(text, kind=kind)
    assert loss.parabola == pytest.approx(parabola)
    p = wb.Problem(X, y, loss, lam=0.05)
    for solver in ("conjugate-gradient", "coordinate-descent"):
        assert wb.solve(p, solver, tol=1e-9).status == "converged"
    lasso = wb.solve(wb.Problem(X, y, loss, "l1", lam=0.05), "coordinate-descent", tol=1e-7)
    assert lasso.status == "converged"


def test_kinks_of_a_conjugate_anywhere():
    loss = losses.custom("max(-u/2, u/4, 2*u - 7)", kind="residual")
    assert loss.conjugate_kinks == pytest.approx(np.array([[0.25, 0.0, 4.0]]))
    assert loss.kink == (0.0, 0.0)
    flat = losses.custom("max(0, u - 2, -u - 1)", kind="residual")
    assert flat.conjugate_form == (0.0, 0.5, 1.5)
    assert flat.kink == (0.5, 1.5)
    X, y = data("residual")
    p = wb.Problem(X, 5.0 * y, flat, lam=0.05)
    for update in ("exact", "gradient"):
        run = wb.Run(p, solvers.GaussSeidel(update=update, eta=0.05), seed=0)
        run.epoch(300)
        assert run.certificate().relative_gap <= 1e-3, update
