"""The solvers and what runs them: one algorithm a file in `algorithms`, one contract for all of them.

`contract` says what a solver promises and how to write one, `run` advances a solver, `stopping` ends runs by
certificates alone, `solution` has `solve` and its result, `path` solves for several λ, and `bounds` holds
bounds on mistakes and on leaving a sample out.

Read first: `contract.py`, then `algorithms/gauss_seidel.py`. This room does not know files of data or pages.

>>> import workbench as wb
>>> wb.solvers.get("gauss-seidel").name
'gauss-seidel'
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import typing
from typing import TYPE_CHECKING

from workbench._support.errors import InputError, shown
from workbench._support.names import check_known
from workbench.solvers import algorithms
from workbench.solvers.contract import Solver

if TYPE_CHECKING:
    from collections.abc import Iterator


if typing.TYPE_CHECKING:
    from workbench.solvers.algorithms.augmented_lagrangian import (
        AugmentedLagrangian as AugmentedLagrangian,
    )
    from workbench.solvers.algorithms.augmented_lagrangian import (
        ModifiedAugmentedLagrangian as ModifiedAugmentedLagrangian,
    )
    from workbench.solvers.algorithms.cocoa import CoCoA as CoCoA
    from workbench.solvers.algorithms.conic import Conic as Conic
    from workbench.solvers.algorithms.conjugate_gradient import ConjugateGradient as ConjugateGradient
    from workbench.solvers.algorithms.coordinate_descent import CoordinateDescent as CoordinateDescent
    from workbench.solvers.algorithms.frank_wolfe import FrankWolfe as FrankWolfe
    from workbench.solvers.algorithms.gauss_seidel import GaussSeidel as GaussSeidel
    from workbench.solvers.algorithms.lbfgs import LBFGS as LBFGS
    from workbench.solvers.algorithms.maximal_violating_pair import (
        MaximalViolatingPair as MaximalViolatingPair,
    )
    from workbench.solvers.algorithms.newton import Newton as Newton
    from workbench.solvers.algorithms.online import Perceptron as Perceptron
    from workbench.solvers.algorithms.online import PNorm as PNorm
    from workbench.solvers.algorithms.online import Winnow as Winnow
    from workbench.solvers.algorithms.pdhg import PDHG as PDHG
    from workbench.solvers.algorithms.primal_gradient import PrimalGradient as PrimalGradient
    from workbench.solvers.algorithms.proximal_gradient import ProximalGradient as ProximalGradient
    from workbench.solvers.algorithms.proximal_point import ProximalPoint as ProximalPoint
    from workbench.solvers.algorithms.sdca import SDCA as SDCA

# What stands for the rule of `workbench.solvers.auto`, which needs a problem to choose by.
AUTO = "auto"


def _solvers() -> Iterator[type[Solver]]:
    """Yield each solver that a module of this package defines."""
    for module in pkgutil.iter_modules(algorithms.__path__):
        if not module.name.startswith("_"):
            path = f"{algorithms.__name__}.{module.name}"
            for _, cls in inspect.getmembers(importlib.import_module(path), inspect.isclass):
                if issubclass(cls, Solver) and cls.__module__ == path and hasattr(cls, "name"):
                    yield cls


# A solver is registered by being there: a file of `algorithms` that defines it is enough.
REGISTRY = {cls.name: cls for cls in sorted(_solvers(), key=lambda cls: cls.__name__)}
globals().update({cls.__name__: cls for cls in REGISTRY.values()})

__all__ = ["AUTO", "REGISTRY", "Solver", "get", *(cls.__name__ for cls in REGISTRY.values())]


def __dir__() -> list[str]:
    return __all__


def get(choice: object) -> Solver:
    """Look up the solver of a name; a solver object is returned as it is.

    Raises
    ------
    InputError
        The name is not known, or the object is not a solver.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.solvers.get("gauss-seidel")
    GaussSeidel(update='exact', order='shuffled', scale=1.0, eta=0.01)
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
