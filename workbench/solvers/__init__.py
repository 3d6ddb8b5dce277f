"""The solvers, one algorithm a file."""

from workbench.solvers.gauss_seidel import GaussSeidel
from workbench.solvers.maximal_violating_pair import MaximalViolatingPair
from workbench.solvers.primal_gradient import PrimalGradient
from workbench.solvers.proximal_gradient import ProximalGradient

REGISTRY = {
    solver.name: solver for solver in (GaussSeidel, MaximalViolatingPair, PrimalGradient, ProximalGradient)
}

__all__ = ["REGISTRY", "GaussSeidel", "MaximalViolatingPair", "PrimalGradient", "ProximalGradient"]
