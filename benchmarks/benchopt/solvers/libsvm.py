"""libsvm, by scikit-learn: the hinge loss with a free bias."""

import numpy as np
from benchmark_utils.timed import TimedSolver
from scipy import sparse
from sklearn.svm import SVC


class Solver(TimedSolver):
    """libsvm."""

    name = "libsvm"

    def skip(self, X, y, terms):
        """Leave out other losses, and a machine without a bias."""
        takes = (terms["loss"], terms["regularizer"], terms["bias"]) == ("hinge", "squared-l2", True)
        return not takes, "not the hinge loss with a free bias"

    def fit(self, tol):
        """Fit; returns the alpha of a kernel machine, else (w, b)."""
        kernel, _, gamma = (self.terms["kernel"] or "linear").partition(":gamma=")
        options = {"gamma": float(gamma)} if gamma else {}
        factor = self.terms["lam"] * self.y.size
        machine = SVC(C=1.0 / factor, tol=tol, kernel=kernel, **options).fit(self.X, self.y)
        if kernel == "linear":
            return np.ravel(machine.coef_), machine.intercept_[0]
        alpha, duals = np.zeros(self.y.size), machine.dual_coef_
        alpha[machine.support_] = np.ravel(duals.toarray() if sparse.issparse(duals) else duals) * factor
        return alpha
