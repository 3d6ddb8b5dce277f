"""L-BFGS as a solver: the optima of the others, steps that are one run, refusals."""

import numpy as np
import pytest
import scipy.optimize

import workbench as wb
from tests.helpers.cases import samples
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.solvers import LBFGS
from workbench.solvers.algorithms.lbfgs import _objective

X, LABELS, TARGETS = samples(n=40, d=6, seed=4)
CLASSES = np.arange(40) % 3
SMOOTH = {
    "squared": TARGETS,
    "huber": TARGETS,
    "epsilon-insensitive:epsilon=0.3,p=2": TARGETS,
    "squared-hinge": LABELS,
    "smoothed-hinge": LABELS,
    "logistic": LABELS,
    "multinomial": CLASSES,
}
REGULARIZERS = ("squared-l2", "q-norm:q=1.5", "q-norm:q=3,power=2")
WEIGHT = np.linspace(0.3, 2.0, 40)
# Central differences of a smooth function with steps of 1e-6.
DIFFERENCES = 1e-6


def problem(loss, regularizer="squared-l2", bias=False, **options):
    return Problem(X, SMOOTH[loss], loss, regularizer, lam=0.02, bias=bias, **options)


@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize("loss", SMOOTH)
def test_the_gradient_is_that_of_differences(loss, regularizer):
    p = problem(loss, regularizer, bias=True, sample_weight=WEIGHT)
    size = 7 * (3 if loss == "multinomial" else 1)
    x = np.random.default_rng(1).normal(size=size)
    differences = scipy.optimize.approx_fprime(x, lambda x: _objective(p, x)[0], 1e-7)
    np.testing.assert_allclose(_objective(p, x)[1], differences, atol=DIFFERENCES)


def test_the_objective_is_the_certificates_primal():
    p = problem("logistic", "q-norm:q=3,power=2", bias="constant")
    x = np.random.default_rng(1).normal(size=7)
    assert _objective(p, x)[0] == pytest.approx(wb.certificate(p, w=x[:6], b=x[6]).primal, rel=1e-12)


def test_it_is_scipys_own_path():
    p = problem("logistic")
    run = wb.Run(p, LBFGS(memory=5))
    assert run.last_event is None
    run.step(4)
    theirs = scipy.optimize.minimize(
        lambda x: _objective(p, x),
        np.zeros(6),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 4, "maxcor": 5, "ftol": 0.0, "gtol": 0.0},
    )
    np.testing.assert_array_equal(run.state.w, theirs.x)
    value, change = run.last_event
    assert value == theirs.fun
    assert change > 0.0


def test_the_end_of_the_road_is_stalled_and_not_a_lack_of_epochs():
    run = wb.Run(problem("squared"), LBFGS())
    assert run.until(gap=0.0, max_epochs=10_000) in ("stalled", "converged")
    assert run.epochs < 1000
    assert run.last.relative_gap < 1e-12


def test_bad_parameters():
    with pytest.raises(InputError, match=r"memory = 2\.5 is not a whole number"):
        LBFGS(memory=2.5)
    with pytest.raises(InputError, match="memory = 0 is not a whole number, 1 or more"):
        LBFGS(memory=0)
    with pytest.raises(InputError, match=r"warm_start has shape \(2,\) where \(6,\)"):
        wb.Run(problem("logistic"), LBFGS(), warm_start=[0.0, 1.0])
