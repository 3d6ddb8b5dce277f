"""Each loss's and regularizer's formula, stated once, in SymPy."""

from workbench.conjugates.terms.losses import LOSSES, LossTerm
from workbench.conjugates.terms.regularizers import REGULARIZERS, RegularizerTerm

__all__ = ["LOSSES", "REGULARIZERS", "LossTerm", "RegularizerTerm"]
