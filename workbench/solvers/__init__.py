"""The solvers, one algorithm a file."""

from workbench.solvers.gauss_seidel import GaussSeidel

REGISTRY = {GaussSeidel.name: GaussSeidel}

__all__ = ["REGISTRY", "GaussSeidel"]
