"""Duality Workbench: the duality of regularized linear learning, derived, solved and certified.

``import workbench as wb`` gives the public names below; each is loaded when it is first used.
Three fifths of the lines in the modules beside this one are runs, solutions and scikit-learn's estimators.
"""

import importlib
import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what is loaded late, for editors and type checkers
    from workbench import bounds, data, gaps, iteration, losses, regularizers, solvers
    from workbench.bounds.stability import stability
    from workbench.certificates.screening import screening
    from workbench.convex.conjugate import conjugate
    from workbench.derivations.appendix import appendix_e
    from workbench.distributed import DistributedProblem
    from workbench.errors import (
        ConvergenceWarning,
        ConvexityError,
        DerivationTimeout,
        ExpressionError,
        InfeasibleError,
        InputError,
        UndecidedError,
    )
    from workbench.estimators import (
        DualClassifier,
        DualRegressor,
        KernelSVC,
        MultinomialClassifier,
        PrimalGradientClassifier,
    )
    from workbench.experiments.sweep import sweep
    from workbench.foreign import certificate
    from workbench.maximum_entropy import maximum_entropy
    from workbench.misprints import errata
    from workbench.path import path
    from workbench.problem import Problem, kernels
    from workbench.regularizers import norms
    from workbench.run import Run
    from workbench.server.live import live
    from workbench.solution import Solution, solve
    from workbench.tables.fitting import fit
    from workbench.tables.model import Model

__version__ = "0.1.0"

# Public name -> the module that holds it.
_HOMES = {
    "ConvergenceWarning": "errors",
    "ConvexityError": "errors",
    "UndecidedError": "errors",
    "DerivationTimeout": "errors",
    "ExpressionError": "errors",
    "DistributedProblem": "distributed",
    "DualClassifier": "estimators",
    "DualRegressor": "estimators",
    "InfeasibleError": "errors",
    "InputError": "errors",
    "KernelSVC": "estimators",
    "Model": "tables.model",
    "MultinomialClassifier": "estimators",
    "PrimalGradientClassifier": "estimators",
    "Problem": "problem",
    "Run": "run",
    "Solution": "solution",
    "appendix_e": "derivations.appendix",
    "certificate": "foreign",
    "conjugate": "convex.conjugate",
    "errata": "misprints",
    "fit": "tables.fitting",
    "live": "server.live",
    "maximum_entropy": "maximum_entropy",
    "path": "path",
    "screening": "certificates.screening",
    "solve": "solution",
    "stability": "bounds.stability",
    "sweep": "experiments.sweep",
}
# Public modules by their public names.
_MODULES = {
    "bounds": "bounds",
    "data": "data",
    "gaps": "gaps",
    "iteration": "iteration",
    "kernels": "problem.kernels",
    "losses": "losses",
    "norms": "regularizers.norms",
    "regularizers": "regularizers",
    "solvers": "solvers",
}

__all__ = [
    "ConvergenceWarning",
    "ConvexityError",
    "DerivationTimeout",
    "DistributedProblem",
    "DualClassifier",
    "DualRegressor",
    "ExpressionError",
    "InfeasibleError",
    "InputError",
    "KernelSVC",
    "Model",
    "MultinomialClassifier",
    "PrimalGradientClassifier",
    "Problem",
    "Run",
    "Solution",
    "UndecidedError",
    "__version__",
    "appendix_e",
    "bounds",
    "certificate",
    "conjugate",
    "data",
    "errata",
    "fit",
    "gaps",
    "iteration",
    "kernels",
    "live",
    "losses",
    "maximum_entropy",
    "norms",
    "path",
    "regularizers",
    "screening",
    "solve",
    "solvers",
    "stability",
    "sweep",
]


def __getattr__(name):
    if name in _MODULES:
        value = importlib.import_module(f"workbench.{_MODULES[name]}")
    elif name in _HOMES:
        value = getattr(importlib.import_module(f"workbench.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return __all__


class _Package(types.ModuleType):
    """Importing `workbench.path` binds that module to its name; the public name stays the function."""

    def __setattr__(self, name, value):
        if isinstance(value, types.ModuleType) and _HOMES.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
