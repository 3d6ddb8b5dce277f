"""The solvers, one algorithm a file."""

from workbench.solvers.gauss_seidel import GaussSeidel
from workbench.solvers.proximal_gradient import ProximalGradient

REGISTRY = {solver.name: solver for solver in (GaussSeidel, ProximalGradient)}

__all__ = ["REGISTRY", "GaussSeidel", "ProximalGradient"]
