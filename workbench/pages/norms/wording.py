"""The sentences of the page, which the browser reads too."""

from workbench.pages.wording import Wording

WORDING = Wording("norms")
TEXTS, said = WORDING.texts, WORDING.said
