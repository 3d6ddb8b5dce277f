"""celer."""

import celer
from benchmark_utils.timed import EstimatorSolver


class Solver(EstimatorSolver):
    """Celer: working sets and dual extrapolation."""

    name = "celer"
    estimators = {  # noqa: RUF012
        ("squared", "l1"): (celer.Lasso, {}),
        ("squared", "elastic-net"): (celer.ElasticNet, {}),
        ("logistic", "l1"): (celer.LogisticRegression, {"max_iter": 50}),
    }
