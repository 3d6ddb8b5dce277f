"""Each loss's and regularizer's formula, stated once, in SymPy.

Nearly half of the lines derive from a row what printers, solvers and certificates need of it.
"""

from workbench.conjugates.terms.losses import LOSSES, LossTerm
from workbench.conjugates.terms.regularizers import REGULARIZERS, RegularizerTerm

__all__ = ["LOSSES", "REGULARIZERS", "LossTerm", "RegularizerTerm"]
