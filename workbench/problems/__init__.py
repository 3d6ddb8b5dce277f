"""The problem: data, loss, regularizer and λ, checked once and never changed.

`problem.py` has the class `Problem`, `design` the matrix by rows and by columns, `kernels` Mercer's kernels,
`constraints` linear constraints on the dual; `losses` and `regularizers` hold a registry each.

Read first: `problem.py`. This room does not know solvers, certificates or SymPy.
"""

from workbench.problems.problem import Problem

__all__ = ["Problem"]
