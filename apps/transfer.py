"""Transfer functions: from the dual point v to the weights w, and what each regularizer makes of it."""

import panel as pn

from workbench.views.shell import Visit
from workbench.views.transfer import Transfer
from workbench.views.transfer_page import NAMES, TransferPage

pn.extension("katex", notifications=False)
model = Transfer()
TransferPage(model, Visit(model, NAMES)).servable()
