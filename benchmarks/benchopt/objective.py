"""The race's objective: P(w, b) of everyone's point by our certificate, or -D(alpha) of a kernel machine."""

from benchmark_utils.timed import MAX_EPOCHS, Arrived
from benchopt import BaseObjective

from workbench import InputError, Problem, certificate
from workbench.certificates.gaps.norm_gap import largest_lam
from workbench.solvers.solution import attempt


class Objective(BaseObjective):
    """A regularized linear problem, or a kernel machine if the data name a kernel.

    `lam` is a number, or "max/10" for a tenth of the least lambda at which all weights vanish. `mark` is the
    closest relative distance to the best value that counts.
    """

    name = "race"
    sampling_strategy = "tolerance"
    stopping_criterion = Arrived()
    parameters = {  # noqa: RUF012
        "loss": ["logistic"],
        "regularizer": ["squared-l2"],
        "lam": [1e-3],
        "bias": [False],
        "mark": [1e-6],
    }

    def _problem(self, X, y, kernel):
        terms = {"loss": self.loss, "regularizer": self.regularizer, "bias": self.bias, "kernel": kernel}
        if not isinstance(self.lam, str):
            return Problem(X, y, lam=self.lam, **terms)
        share = float(self.lam.removeprefix("max/"))
        return Problem(X, y, lam=largest_lam(Problem(X, y, lam=1.0, **terms)) / share, **terms)

    def skip(self, X, y, kernel=None):
        """Leave out data that the terms refuse."""
        try:
            self._problem(X, y, kernel)
        except InputError as error:
            return True, str(error)
        return False, None

    def set_data(self, X, y, kernel=None):
        """Solve a thousand times more closely than the mark, for the value to reach and a lower bound."""
        self.problem = self._problem(X, y, kernel)
        self.best = attempt(self.problem, tol=1e-3 * self.mark, max_epochs=MAX_EPOCHS)
        terms = {"loss": self.loss, "regularizer": self.regularizer, "lam": self.problem.lam}
        self.given = {"X": X, "y": y, "terms": terms | {"bias": self.bias, "kernel": kernel}}

    def get_objective(self):
        """Return the arrays and the terms; everyone builds a problem of its own on the clock."""
        return self.given

    def evaluate_result(self, point, seconds, preparation):
        """Certify a point, (w, b) or the alpha of a kernel machine, off the clock."""
        if self.problem.kernel is None:
            value, best, bound = certificate(self.problem, *point).primal, self.best.primal, self.best.dual
        else:
            from_alpha = certificate(self.problem, alpha=point)
            value, best, bound = -from_alpha.dual, -self.best.dual, -self.best.primal
        return {
            "value": value,
            "best": min(value, best),
            "bound": bound,
            "arrived": value <= best + 0.1 * self.mark * abs(best),
            "seconds": seconds,
            "preparation": preparation,
        }
