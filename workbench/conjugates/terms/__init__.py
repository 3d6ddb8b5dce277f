"""Each loss's and regularizer's formula, stated once, in SymPy."""

from workbench._support.system import extras

extras.need("proofs", "deriving and proving")

from workbench.conjugates.terms.losses import LOSSES, LossTerm  # noqa: E402
from workbench.conjugates.terms.regularizers import REGULARIZERS, RegularizerTerm  # noqa: E402

__all__ = ["LOSSES", "REGULARIZERS", "LossTerm", "RegularizerTerm"]
