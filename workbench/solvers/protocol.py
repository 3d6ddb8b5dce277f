"""What a run asks of a solver beyond `init`, `advance` and `finish`, for a solver of the dual."""


class DualSolver:
    """A solver whose state holds the dual variables `alpha` and moves one of them a step."""

    def point(self, state):
        """What `certify` takes of the state: the dual variables alone."""
        return {"alpha": state.alpha}

    def iterate(self, state):
        """The array whose overflow or standstill ends a run."""
        return state.alpha

    def epoch_steps(self, problem):
        """The steps that make n visits of a coordinate."""
        return problem.n_samples
