"""The solvers, one algorithm a file."""

from workbench.solvers.augmented_lagrangian import AugmentedLagrangian, ModifiedAugmentedLagrangian
from workbench.solvers.conjugate_gradient import ConjugateGradient
from workbench.solvers.coordinate_descent import CoordinateDescent
from workbench.solvers.gauss_seidel import GaussSeidel
from workbench.solvers.lbfgs import LBFGS
from workbench.solvers.maximal_violating_pair import MaximalViolatingPair
from workbench.solvers.online import Perceptron, PNorm, Winnow
from workbench.solvers.primal_gradient import PrimalGradient
from workbench.solvers.proximal_gradient import ProximalGradient

REGISTRY = {
    solver.name: solver
    for solver in (
        AugmentedLagrangian,
        ConjugateGradient,
        CoordinateDescent,
        GaussSeidel,
        LBFGS,
        MaximalViolatingPair,
        ModifiedAugmentedLagrangian,
        PNorm,
        Perceptron,
        PrimalGradient,
        ProximalGradient,
        Winnow,
    )
}

__all__ = ["REGISTRY", *(solver.__name__ for solver in REGISTRY.values())]
