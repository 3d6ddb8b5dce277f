"""What a run asks of a solver beyond `init`, `advance` and `finish`."""

from typing import ClassVar


class Solver:
    """A solver without a stopping criterion of its own."""

    # After how many checks without a change of the iterate a run has stalled.
    patience: ClassVar[int] = 1
    # How often to certify, as a share of the steps that are done.
    check_share: ClassVar[float] = 0.1
    # Whether it solves problems with constraints on the dual.
    takes_constraints: ClassVar[bool] = False

    # Whether the method heads for the optimum, so that a lower bound that falls far shows divergence.
    converges: ClassVar[bool] = True

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
