"""Each loss's and regularizer's formula, stated once, in SymPy."""

from workbench.terms.losses import LOSSES, LossTerm
from workbench.terms.regularizers import REGULARIZERS, RegularizerTerm

__all__ = ["LOSSES", "REGULARIZERS", "LossTerm", "RegularizerTerm"]
