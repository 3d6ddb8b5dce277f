"""Duality Workbench: the duality of regularized linear learning, derived, solved and certified.

``import workbench as wb`` gives the public names below; each is loaded when it is first used.
"""

import importlib
import sys
import types

__version__ = "0.1.0"

# Public name -> the module that holds it; a module's own name stands for the module.
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
    "certificate": "certificate",
    "conjugate": "convex.conjugate",
    "data": "",
    "errata": "convex.errata",
    "gaps": "",
    "iteration": "",
    "kernels": "",
    "losses": "",
    "maximum_entropy": "maximum_entropy",
    "norms": "",
    "path": "path",
    "regularizers": "",
    "solve": "solution",
    "solvers": "",
    "sweep": "experiments.sweep",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    home = _HOMES[name]
    module = importlib.import_module(f"workbench.{home or name}")
    value = getattr(module, name) if home else module
    globals()[name] = value
    return value


def __dir__():
    return __all__


class _Package(types.ModuleType):
    """Importing `workbench.certificate` binds that module to its name; the public name stays the function."""

    def __setattr__(self, name, value):
        if isinstance(value, types.ModuleType) and _HOMES.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
