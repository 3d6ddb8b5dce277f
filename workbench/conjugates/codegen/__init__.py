"""Printers that turn the formulas of `workbench.conjugates.terms` into `workbench/kernels/formulas.py`.

``python -m workbench.conjugates.codegen`` writes the file, ``--check`` fails when it is stale.
"""

from workbench.conjugates.codegen.module import TARGET, generate

__all__ = ["TARGET", "generate"]
