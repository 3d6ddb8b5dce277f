"""Ours, stopped by its certificates, or by libsvm's rule on kernels with "maximal-violating-pair"."""

from benchmark_utils.timed import MAX_EPOCHS, TimedSolver

from workbench import Problem
from workbench.kernels import compilation
from workbench.problems import kernels
from workbench.solvers import MaximalViolatingPair
from workbench.solvers.solution import attempt

compilation.patience = 0.0  # the loose fit compiles, off the clock


class Solver(TimedSolver):
    """The workbench."""

    name = "workbench"
    parameters = {"solver": ["auto"]}  # noqa: RUF012
    parameter_template = "{solver}"

    def fit(self, tol):
        """Build the problem and solve it; returns (w, b), or the alpha of a kernel machine."""
        kernels.CHECKED.clear()  # else the check of a kernel's matrix would be off the clock
        problem = Problem(self.X, self.y, **self.terms)
        if problem.kernel is not None:
            return attempt(problem, MaximalViolatingPair(tol), tol=0.0, max_epochs=10_000).alpha
        solution = attempt(problem, self.solver, tol=tol, max_epochs=MAX_EPOCHS)
        return solution.w, solution.b
