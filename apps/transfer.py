"""Transfer functions: from the dual point v to the weights w, and what each regularizer makes of it."""

import panel as pn

from workbench.views.shell import Visit, shell
from workbench.views.transfer import Transfer
from workbench.views.transfer_page import HELP, NAMES, TransferPage

pn.extension("katex", notifications=False)
model = Transfer()
visit = Visit(model, NAMES)
page = TransferPage(model, visit)
pn.state.onload(page.begin)
pn.state.on_session_destroyed(lambda context, close=page.close: close())
shell(
    "Transfer", visit, sidebar=page.sidebar(), main=page.main(), aside=page.aside(),
    actions=page.actions, help=HELP,
).servable()  # fmt: skip
