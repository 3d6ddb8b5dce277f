"""scikit-learn's own solvers: coordinate descent, and those of logistic regression."""

from benchmark_utils.timed import EstimatorSolver
from sklearn.linear_model import ElasticNet, Lasso, LogisticRegression


class Solver(EstimatorSolver):
    """scikit-learn."""

    name = "scikit-learn"
    parameters = {"solver": ["coordinate-descent", "lbfgs", "newton-cg", "newton-cholesky", "sag"]}  # noqa: RUF012
    parameter_template = "{solver}"

    @property
    def estimators(self):
        """Return the estimators of the solver."""
        if self.solver == "coordinate-descent":
            return {("squared", "l1"): (Lasso, {}), ("squared", "elastic-net"): (ElasticNet, {})}
        takes = LogisticRegression, {"solver": self.solver}
        return {("logistic", "squared-l2"): takes, ("multinomial", "squared-l2"): takes}
