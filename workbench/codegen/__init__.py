"""Printers that turn the formulas of `workbench.terms` into `workbench/compiled/formulas.py`.

``python -m workbench.codegen`` writes the file, ``--check`` fails when it is stale. A quarter of the lines prints
the modules of learners' own functions, and a fifth finds forms that keep their digits; the same formulas go to
pages as JavaScript.
"""

from workbench.codegen.module import TARGET, generate

__all__ = ["TARGET", "generate"]
