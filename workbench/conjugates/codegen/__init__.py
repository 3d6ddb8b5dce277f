"""Printers that turn the formulas of `workbench.conjugates.terms` into `workbench/kernels/formulas.py`.

``python -m workbench.conjugates.codegen`` writes the file, ``--check`` fails when it is stale. A quarter of the lines
prints the modules of learners' own functions, and a fifth is the table of functions that keep digits, in
Python and in the JavaScript of pages.
"""

from workbench.conjugates.codegen.module import TARGET, generate

__all__ = ["TARGET", "generate"]
