"""liblinear, by scikit-learn."""

from benchmark_utils.timed import EstimatorSolver
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC


class Solver(EstimatorSolver):
    """liblinear; with a bias it minimizes another objective, in which the bias is regularized."""

    name = "liblinear"
    estimators = {  # noqa: RUF012
        ("hinge", "squared-l2"): (LinearSVC, {"loss": "hinge", "dual": True}),
        ("squared-hinge", "squared-l2"): (LinearSVC, {"loss": "squared_hinge", "dual": True}),
        ("logistic", "squared-l2"): (LogisticRegression, {"solver": "liblinear"}),
        ("logistic", "l1"): (LogisticRegression, {"solver": "liblinear", "penalty": "l1", "l1_ratio": 1.0}),
    }

    def skip(self, X, y, terms):
        """Leave out a free bias as well."""
        return (True, "its bias is regularized") if terms["bias"] else super().skip(X, y, terms)
