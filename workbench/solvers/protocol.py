"""What a run asks of a solver beyond `init`, `advance` and `finish`."""

from typing import ClassVar

import numpy as np

from workbench.errors import InputError

# Steps along gradients reach a gap of e within about e^(-2 / (1 + 3 nu)) of them where the slopes have the
# Hölder exponent nu (Nesterov 2015), and with nu near 0 rounding hides the bend before that.
SMOOTH = 0.15


class Solver:
    """A solver without a stopping criterion of its own."""

    # After how many checks without a change of the iterate a run has stalled.
    patience: ClassVar[int] = 1
    # How often to certify, as a share of the steps that are done.
    check_share: ClassVar[float] = 0.1
    # Whether it solves problems with constraints on the dual.
    takes_constraints: ClassVar[bool] = False

    # Whether the method heads for the optimum.
    converges: ClassVar[bool] = True
    # Whether the certified lower bound is the dual objective of the iterate itself, so that one that falls
    # far shows divergence; elsewhere it is that of a point made for the certificate.
    holds_dual: ClassVar[bool] = False
    # Whether a call of few steps costs few steps, so that many may be done in slices.
    resumes: ClassVar[bool] = True
    # What helps where the iterate grows without end.
    mend: ClassVar[str] = "take smaller steps, or scale the features"

    def satisfied(self, state):
        """Whether a criterion of the solver's own holds."""
        return False

    def trouble(self, state):
        """Why the run cannot go well, as a sentence with the mend; None where nothing is seen."""
        return

    def feasibility(self, problem, state):
        """How far the iterate is from meeting the constraints of the dual; 0 where it always does."""
        return 0.0

    def estimate(self, problem, state):
        """The relative gap as the solver sees it; None leaves it to the certificate."""
        return


def check_gradient(name, problem):
    """Refuse a loss that has no gradient somewhere, or no value where all weights are zero."""
    loss = problem.loss
    if loss.kinks.size:
        raise InputError(
            f"{name}: the {loss.name} loss has no gradient at its kinks; use p = 2, another loss such as "
            "smoothed-hinge or huber, or solver='gauss-seidel' with a regularizer that is no norm"
        )
    if loss.smoothness < SMOOTH:
        raise InputError(
            f"{name}: the slope of the {loss.name} loss bends too sharply for gradient steps (its Hölder "
            f"exponent is {loss.smoothness:.3g}, and {SMOOTH:g} is needed); use a larger p, or "
            "solver='gauss-seidel' with a regularizer that is no norm"
        )
    check_everywhere(name, problem)


def check_everywhere(name, problem):
    """Refuse a loss that is infinite at some predictions: a step may lead there."""
    low, high = problem.loss.finite_on
    if low > -np.inf or high < np.inf:
        raise InputError(
            f"{name}: the {problem.loss.name} loss is finite only for predictions in ({low:g}, {high:g}), "
            "and a step may lead out of it; use solver='gauss-seidel' with a regularizer that is no norm"
        )


class DualSolver(Solver):
    """A solver whose state holds the dual variables `alpha` and moves some of them a step."""

    def point(self, state):
        """What `certify` takes of the state: the dual variables alone."""
        return {"alpha": state.alpha}

    def iterate(self, state):
        """The array whose overflow or standstill ends a run."""
        return state.alpha

    def epoch_steps(self, problem):
        """The steps that make n visits of a coordinate."""
        return problem.n_samples
