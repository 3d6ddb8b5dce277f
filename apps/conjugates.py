"""Conjugates: a convex function, its tangents, its conjugate, and the proof that they belong together."""

import panel as pn

from workbench.views.conjugates import Conjugates
from workbench.views.conjugates_page import HELP, NAMES, ConjugatesPage
from workbench.views.shell import Visit, shell

pn.extension("katex", notifications=False)
model = Conjugates()
visit = Visit(model, NAMES)
page = ConjugatesPage(model, visit)
pn.state.onload(page.begin)
pn.state.on_session_destroyed(lambda context, close=page.close: close())
shell(
    "Conjugates", visit, sidebar=page.sidebar(), main=page.main(), aside=page.aside(),
    actions=page.actions, help=HELP,
).servable()  # fmt: skip
