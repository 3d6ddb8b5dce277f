"""The sentences of the page, which the browser reads too."""

from workbench.pages.wording import Wording

WORDING = Wording("inverse_time")
TEXTS, said = WORDING.texts, WORDING.said
