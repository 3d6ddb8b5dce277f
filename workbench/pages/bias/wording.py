"""The sentences of the page, which the browser reads too."""

from workbench.pages.wording import Wording

WORDING = Wording("bias")
TEXTS, said = WORDING.texts, WORDING.said
