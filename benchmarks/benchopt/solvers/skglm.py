"""skglm."""

import skglm
from benchmark_utils.timed import EstimatorSolver


class Solver(EstimatorSolver):
    """skglm: working sets and Anderson's acceleration."""

    name = "skglm"
    estimators = {  # noqa: RUF012
        ("squared", "l1"): (skglm.Lasso, {}),
        ("squared", "elastic-net"): (skglm.ElasticNet, {"max_iter": 1000}),
    }
