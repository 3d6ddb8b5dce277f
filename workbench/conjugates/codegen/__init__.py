"""Printers that turn the formulas of `workbench.conjugates.terms` into `workbench/kernels/formulas.py`.

``python -m workbench.conjugates.codegen`` writes the file, ``--check`` fails when it is stale.
"""

from workbench._support.system import extras

extras.need("proofs", "deriving and proving")

from workbench.conjugates.codegen.module import TARGET, generate  # noqa: E402

__all__ = ["TARGET", "generate"]
