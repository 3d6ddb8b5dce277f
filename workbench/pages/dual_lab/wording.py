"""The sentences of the Dual lab."""

from workbench.pages.wording import Wording

WORDING = Wording("dual_lab")
TEXTS, said = WORDING.texts, WORDING.said
