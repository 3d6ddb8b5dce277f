"""The solvers, one algorithm a file; `contract` says what each of them promises, and how to write one.

>>> import workbench as wb
>>> wb.solvers.get("gauss-seidel").name
'gauss-seidel'
"""

from workbench.errors import InputError, shown
from workbench.names import check_known
from workbench.solvers.augmented_lagrangian import AugmentedLagrangian, ModifiedAugmentedLagrangian
from workbench.solvers.conjugate_gradient import ConjugateGradient
from workbench.solvers.contract import Solver
from workbench.solvers.coordinate_descent import CoordinateDescent
from workbench.solvers.frank_wolfe import FrankWolfe
from workbench.solvers.gauss_seidel import GaussSeidel
from workbench.solvers.lbfgs import LBFGS
from workbench.solvers.maximal_violating_pair import MaximalViolatingPair
from workbench.solvers.newton import Newton
from workbench.solvers.online import Perceptron, PNorm, Winnow
from workbench.solvers.pdhg import PDHG
from workbench.solvers.primal_gradient import PrimalGradient
from workbench.solvers.proximal_gradient import ProximalGradient
from workbench.solvers.proximal_point import ProximalPoint
from workbench.solvers.sdca import SDCA

REGISTRY = {
    solver.name: solver
    for solver in (
        AugmentedLagrangian,
        ConjugateGradient,
        CoordinateDescent,
        FrankWolfe,
        GaussSeidel,
        LBFGS,
        MaximalViolatingPair,
        ModifiedAugmentedLagrangian,
        Newton,
        PDHG,
        PNorm,
        Perceptron,
        PrimalGradient,
        ProximalGradient,
        ProximalPoint,
        SDCA,
        Winnow,
    )
}
# What stands for the rule of `workbench.solvers.auto`, which needs a problem to choose by.
AUTO = "auto"

__all__ = [
    "AUTO",
    "LBFGS",
    "PDHG",
    "REGISTRY",
    "SDCA",
    "AugmentedLagrangian",
    "ConjugateGradient",
    "CoordinateDescent",
    "FrankWolfe",
    "GaussSeidel",
    "MaximalViolatingPair",
    "ModifiedAugmentedLagrangian",
    "Newton",
    "PNorm",
    "Perceptron",
    "PrimalGradient",
    "ProximalGradient",
    "ProximalPoint",
    "Solver",
    "Winnow",
    "get",
]  # fmt: skip


def __dir__():
    return __all__


def get(choice):
    """The solver that a name stands for; an object is passed on.

    Raises
    ------
    InputError
        The name is not known, or the object is no solver.
    """
    if isinstance(choice, Solver):
        return choice
    if isinstance(choice, str):
        name = check_known("solver", {**REGISTRY, AUTO: None}, choice.strip())
        if name == AUTO:
            known = ", ".join(REGISTRY)
            raise InputError(f"solver: {AUTO!r} chooses by the problem; name one of {known} here")
        return REGISTRY[name].by_name()
    if isinstance(choice, type) and issubclass(choice, Solver):
        raise InputError(f"solver: {choice.__name__} is a class; make an object of it: {choice.__name__}()")
    raise InputError(
        f"solver: {shown(choice)} is neither a name nor a solver; pass an object of workbench.solvers, or "
        f"one of {', '.join((AUTO, *REGISTRY))}"
    )
