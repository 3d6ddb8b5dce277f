"""The solvers, one algorithm a file."""

from workbench.solvers.gauss_seidel import GaussSeidel
from workbench.solvers.maximal_violating_pair import MaximalViolatingPair

REGISTRY = {solver.name: solver for solver in (GaussSeidel, MaximalViolatingPair)}

__all__ = ["REGISTRY", "GaussSeidel", "MaximalViolatingPair"]
