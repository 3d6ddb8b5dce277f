"""Transfer functions: from the dual point v to the weights w, and what each regularizer makes of it."""

import panel as pn

from workbench.pages.shell import Visit
from workbench.pages.transfer.model import Transfer
from workbench.pages.transfer.page import NAMES, TransferPage

pn.extension("katex", notifications=False)
model = Transfer()
TransferPage(model, Visit(model, NAMES)).servable()
