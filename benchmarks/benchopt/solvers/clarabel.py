"""Clarabel, an interior-point method: the hinge loss as a quadratic program in w, b and the slacks."""

import clarabel
import numpy as np
import scipy.sparse as sp
from benchmark_utils.timed import TimedSolver


class Solver(TimedSolver):
    """Clarabel."""

    name = "clarabel"

    def skip(self, X, y, terms):
        """Leave out other objectives, and kernels."""
        takes = (terms["loss"], terms["regularizer"], terms["kernel"]) == ("hinge", "squared-l2", None)
        return not takes, "not the hinge loss with squared l2"

    def fit(self, tol):
        """Build the program and solve it."""
        (n, d), free = self.X.shape, int(self.terms["bias"])
        curvatures = np.concatenate([np.full(d, self.terms["lam"]), np.zeros(free + n)])
        linear = np.concatenate([np.zeros(d + free), np.full(n, 1.0 / n)])
        margins = sp.csc_array(-self.y[:, None] * np.hstack([self.X, np.ones((n, free))]))
        slack = -sp.eye_array(n)
        matrix = sp.block_array([[margins, slack], [sp.csc_array((n, d + free)), slack]]).tocsc()
        bounds = np.concatenate([-np.ones(n), np.zeros(n)])
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_rel = settings.tol_gap_abs = settings.tol_feas = max(tol, 1e-11)
        quadratic, cones = sp.diags_array(curvatures).tocsc(), [clarabel.NonnegativeConeT(2 * n)]
        solver = clarabel.DefaultSolver(quadratic, linear, matrix, bounds, cones, settings)
        x = np.array(solver.solve().x)
        return x[:d], float(x[d]) if free else 0.0
