"""Duality Workbench: the duality of regularized linear learning, derived, solved and certified.

``import workbench as wb`` gives the public names below; each is loaded when it is first used.
"""

import importlib
import sys
import types

__version__ = "0.1.0"

# Public name -> the module that holds it.
_HOMES = {
    "ConvexityError": "errors",
    "DerivationTimeout": "errors",
    "ExpressionError": "errors",
    "DualClassifier": "estimators",
    "DualRegressor": "estimators",
    "InfeasibleError": "errors",
    "InputError": "errors",
    "KernelSVC": "estimators",
    "MultinomialClassifier": "estimators",
    "PrimalGradientClassifier": "estimators",
    "Problem": "problem",
    "Run": "run",
    "Solution": "solution",
    "appendix_e": "convex.appendix_e",
    "certificate": "certificates",
    "conjugate": "convex.conjugate",
    "errata": "convex.errata",
    "maximum_entropy": "maximum_entropy",
    "path": "path",
    "solve": "solution",
    "sweep": "experiments.sweep",
}
# Public modules by their public names.
_MODULES = {
    "data": "data",
    "gaps": "gaps",
    "iteration": "iteration",
    "kernels": "problem.kernels",
    "losses": "losses",
    "norms": "regularizers.norms",
    "regularizers": "regularizers",
    "solvers": "solvers",
}

__all__ = ["__version__", *sorted(_HOMES | _MODULES)]


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
