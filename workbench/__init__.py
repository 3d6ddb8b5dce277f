"""Duality Workbench: the duality of regularized linear learning, derived, solved and certified.

``import workbench as wb`` gives the public names below; each is loaded when it is first used.
The rooms beside this module, each of which may import those before it: `_support`, `conjugates`, `kernels`,
`problems`, `certificates`, `solvers`, `data`, `estimators`, `studies`, `pages`, `teaching`, `cli`.
"""

import functools
import importlib
import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what is loaded late, for editors and type checkers
    from workbench import data, pages, solvers
    from workbench._support.display.progress import progress
    from workbench._support.errors import (
        ConvergenceWarning,
        ConvexityError,
        DerivationTimeout,
        ExpressionError,
        InfeasibleError,
        InputError,
        MissingExtraError,
        UndecidedError,
    )
    from workbench.certificates import gaps
    from workbench.certificates.screening import screening
    from workbench.conjugates.convex.conjugate import conjugate
    from workbench.conjugates.derivations.appendix import appendix_e
    from workbench.conjugates.errata import errata
    from workbench.data.tables.fitting import fit
    from workbench.data.tables.model import Model
    from workbench.estimators.external import certificate
    from workbench.estimators.models import (
        DualClassifier,
        DualRegressor,
        KernelSVC,
        MultinomialClassifier,
        PrimalGradientClassifier,
    )
    from workbench.pages.dual_lab.live import live
    from workbench.problems import Problem, kernels, losses, regularizers
    from workbench.problems.regularizers import norms
    from workbench.solvers import bounds, iteration
    from workbench.solvers.bounds.stability import stability
    from workbench.solvers.maximum_entropy import maximum_entropy
    from workbench.solvers.path import path
    from workbench.solvers.run import Run
    from workbench.solvers.solution import Solution, solve
    from workbench.studies.distributed import DistributedProblem
    from workbench.studies.scores import break_even
    from workbench.studies.sweep import sweep

__version__ = "0.1.0"

# Public name -> the module that holds it.
_HOMES = {
    "ConvergenceWarning": "_support.errors",
    "ConvexityError": "_support.errors",
    "UndecidedError": "_support.errors",
    "DerivationTimeout": "_support.errors",
    "ExpressionError": "_support.errors",
    "DistributedProblem": "studies.distributed",
    "DualClassifier": "estimators.models",
    "DualRegressor": "estimators.models",
    "InfeasibleError": "_support.errors",
    "InputError": "_support.errors",
    "MissingExtraError": "_support.errors",
    "KernelSVC": "estimators.models",
    "Model": "data.tables.model",
    "MultinomialClassifier": "estimators.models",
    "PrimalGradientClassifier": "estimators.models",
    "Problem": "problems",
    "Run": "solvers.run",
    "Solution": "solvers.solution",
    "appendix_e": "conjugates.derivations.appendix",
    "break_even": "studies.scores",
    "certificate": "estimators.external",
    "conjugate": "conjugates.convex.conjugate",
    "errata": "conjugates.errata",
    "fit": "data.tables.fitting",
    "live": "pages.dual_lab.live",
    "maximum_entropy": "solvers.maximum_entropy",
    "path": "solvers.path",
    "progress": "_support.display.progress",
    "screening": "certificates.screening",
    "solve": "solvers.solution",
    "stability": "solvers.bounds.stability",
    "sweep": "studies.sweep",
}
# Public modules by their public names.
_MODULES = {
    "bounds": "solvers.bounds",
    "data": "data",
    "gaps": "certificates.gaps",
    "iteration": "solvers.iteration",
    "kernels": "problems.kernels",
    "losses": "problems.losses",
    "norms": "problems.regularizers.norms",
    "pages": "pages",
    "regularizers": "problems.regularizers",
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
    "MissingExtraError",
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
    "break_even",
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
    "pages",
    "path",
    "progress",
    "regularizers",
    "screening",
    "solve",
    "solvers",
    "stability",
    "sweep",
]


def _refuse(error: ImportError, *_arguments: object, **_options: object) -> None:
    raise error


def __getattr__(name: str) -> object:
    if name in _MODULES:
        value = importlib.import_module(f"workbench.{_MODULES[name]}")
    elif name in _HOMES:
        try:
            value = getattr(importlib.import_module(f"workbench.{_HOMES[name]}"), name)
        except ImportError as error:
            if not hasattr(error, "extra"):
                raise
            # A search of all modules for a name, as pickle makes one, takes no ImportError: calls raise it.
            return functools.partial(_refuse, error)
    else:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


class _Package(types.ModuleType):
    """The public `kernels` stay those of problems when the room `workbench.kernels` is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, types.ModuleType) and name == "kernels":
            value = importlib.import_module(f"workbench.{_MODULES[name]}")
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
