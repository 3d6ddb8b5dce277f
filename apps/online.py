"""Online rules: points arrive, the mirror moves the weights, and mistakes count under their bound."""

import panel as pn

from workbench.pages.online.model import NAMES, Online
from workbench.pages.online.page import OnlinePage
from workbench.pages.shell import Visit

pn.extension("katex", notifications=False)
model = Online()
OnlinePage(model, Visit(model, NAMES)).servable()
