"""The ladder of tolerances and the processor's clock that the solvers of the race share."""

import time
import warnings
from math import log10

import numpy as np
from benchopt import BaseSolver
from benchopt.stopping_criterion import StoppingCriterion

MAX_EPOCHS = 100_000
# No closer fit is asked of a solver whose last one took longer.
MAX_SECONDS = 60.0
warnings.simplefilter("ignore")  # a fit that ends early is measured as any other


class Arrived(StoppingCriterion):
    """Stop at a tenth of the mark, or after a fit of `MAX_SECONDS`."""

    def check_convergence(self, objective_list):
        last = objective_list[-1]
        return bool(last["objective_arrived"] or last["objective_seconds"] > MAX_SECONDS), 0.0


class TimedSolver(BaseSolver):
    """A solver whose `fit(tol)` returns (w, b), or the alpha of a kernel machine."""

    def set_objective(self, X, y, terms):
        """Compile and import by a loose fit, off the clock."""
        self.X, self.y, self.terms = X, y, terms
        start = time.perf_counter()
        self.fit(1.0)
        self.preparation = time.perf_counter() - start

    def run(self, tol):
        """Measure the seconds of the processor, in which building the problem is included."""
        start = time.process_time()
        self.point = self.fit(min(tol, 1.0))
        self.seconds = time.process_time() - start

    def get_next(self, tol):
        """Return the next tolerance of the ladder 1, 10^-0.5, 10^-1, ..."""
        return 10.0 ** ((round(2 * log10(min(tol, 1.0))) - 1) / 2)

    def get_result(self):
        """Return the last point, its seconds and those of the preparation."""
        return {"point": self.point, "seconds": self.seconds, "preparation": self.preparation}


class EstimatorSolver(TimedSolver):
    """An estimator with scikit-learn's interface.

    Attributes
    ----------
    estimators : dict
        (class, options) by the names of a loss and a regularizer.
    """

    def skip(self, X, y, terms):
        """Leave out what no estimator minimizes."""
        known = (terms["loss"], terms["regularizer"].partition(":")[0]) in self.estimators
        return not known or terms["kernel"] is not None, "the objective of none of its estimators"

    def fit(self, tol):
        """Fit the estimator; scikit-learn's squared loss is half of ours, its squared hinge twice."""
        loss, (regularizer, _, epsilon) = self.terms["loss"], self.terms["regularizer"].partition(":")
        estimator, options = self.estimators[loss, regularizer]
        lam, epsilon = self.terms["lam"], float(epsilon.partition("=")[2] or 0.0)
        # Fewer passes over much data, whose closest fits would take hours.
        most = {"max_iter": min(MAX_EPOCHS, int(2e10 / self.X.size)), "fit_intercept": self.terms["bias"]}
        if loss == "squared":
            weight = {"alpha": lam * (1.0 + epsilon) / 2.0}
            weight |= {"l1_ratio": epsilon / (1.0 + epsilon)} if epsilon else {}
        else:
            weight = {"C": 1.0 / (lam * self.y.size) / (2.0 if loss == "squared-hinge" else 1.0)}
        model = estimator(tol=tol, **most | weight | options).fit(self.X, self.y)
        coef = np.atleast_2d(model.coef_)
        return coef[0] if len(coef) == 1 else coef.T, float(np.ravel(model.intercept_)[0])
