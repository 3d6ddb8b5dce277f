"""Printers that turn the formulas of `workbench.terms` into `workbench/compiled/formulas.py`.

``python -m workbench.codegen`` writes the file, ``--check`` fails when it is stale.
"""

from workbench.codegen.module import TARGET, generate

__all__ = ["TARGET", "generate"]
