"""The solvers, one algorithm a file."""

from workbench.solvers.conjugate_gradient import ConjugateGradient
from workbench.solvers.gauss_seidel import GaussSeidel
from workbench.solvers.lbfgs import LBFGS
from workbench.solvers.maximal_violating_pair import MaximalViolatingPair
from workbench.solvers.online import Perceptron, PNorm, Winnow
from workbench.solvers.proximal_gradient import ProximalGradient

REGISTRY = {
    solver.name: solver
    for solver in (
        GaussSeidel,
        MaximalViolatingPair,
        ConjugateGradient,
        LBFGS,
        Perceptron,
        PNorm,
        ProximalGradient,
        Winnow,
    )
}

__all__ = [
    "LBFGS",
    "REGISTRY",
    "ConjugateGradient",
    "GaussSeidel",
    "MaximalViolatingPair",
    "PNorm",
    "Perceptron",
    "ProximalGradient",
    "Winnow",
]
