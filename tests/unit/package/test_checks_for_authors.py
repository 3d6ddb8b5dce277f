"""All that there is passes the checks that authors of their own are given; what is wrong fails."""

import dataclasses

import numpy as np
import pytest

import workbench as wb
from workbench import losses, regularizers, solvers
from workbench._support.errors import InputError
from workbench.pages import registry
from workbench.problems.regularizers.base import Transfer
from workbench.teaching.testing import (
    check_loss,
    check_regularizer,
    check_solver,
    checks_of,
    parametrize_with_checks,
)

LOSSES = [losses.get(name) for name, kind in losses.REGISTRY.items() if not kind.inequality]
OWN = [
    losses.custom("sqrt(1 + u**2) - 1", kind="residual"),
    losses.custom("max(0, 1 - u)**3", kind="margin"),
    losses.get("hinge:p=1.05"),
    losses.get("epsilon-insensitive:epsilon=0.2,p=7.5"),
    regularizers.custom("cosh(u) - 1"),
    regularizers.custom("abs(u)/4 + 3*u**2"),
    regularizers.custom("u**4/4 + u**2/2"),
    regularizers.custom("abs(u)**(3/2)"),
    regularizers.get("entropy:mu=0.3"),
    regularizers.get("q-norm:q=3,power=1.5"),
    regularizers.get("p-norm:p=1.8,ball=0.5"),
]
SMOOTH = [regularizers.get(name) for name, kind in regularizers.REGISTRY.items() if not kind.is_norm]


# Solvers have a file of their own, with their promises.
@parametrize_with_checks([*LOSSES, *SMOOTH, *OWN, *registry.pages().values()])
def test_every_registered_term_and_solver_passes(check):
    check()


def changed(part, change):
    """The hinge loss with one of its printed functions changed."""

    class Changed(losses.Hinge):
        def scalar(self, name):
            original = super().scalar(name)
            return (lambda x, theta: change(original(x, theta), x)) if name == part else original

    return Changed(p=2.0)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("conjugate", lambda q, v: q - 1e-6),
        ("conjugate", lambda q, v: 1.01 * q),
        ("value", lambda p, u: p + 1e-9),
        ("slope", lambda s, u: 0.999 * s),
        ("slope", lambda s, u: -s),
        ("value", lambda p, u: -p),
    ],
)
def test_a_wrong_loss_fails(part, change):
    wrong = changed(part, change)
    with pytest.raises(AssertionError):
        check_loss(wrong)


@dataclasses.dataclass(frozen=True)
class Bent(regularizers.SquaredL2):
    """Its map is not the gradient of h."""

    def at(self, size, columns=1):
        class Moved(Transfer):
            def map(self, v):
                h, w = super().map(v)
                return h, 1.001 * w

        return Moved(self, size)


def test_a_wrong_regularizer_fails():
    with pytest.raises(AssertionError, match="the curvature"):
        check_regularizer(Bent())


@dataclasses.dataclass(frozen=True)
class Forgetful(solvers.ConjugateGradient):
    """Its steps depend on how many are asked for at once."""

    def advance(self, problem, state, n_steps):
        done = super().advance(problem, state, n_steps)
        state.alpha[:] *= 1.0 + 1e-9
        return done


def test_a_wrong_solver_fails():
    with pytest.raises(AssertionError):
        check_solver(Forgetful())


def test_other_objects_are_refused():
    with pytest.raises(InputError, match="is not a loss of one prediction"):
        checks_of(np.ones(3))
    assert len(checks_of(wb.losses.get("squared"))) == 6
