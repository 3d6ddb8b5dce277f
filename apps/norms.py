"""Norms: FISTA, the dual ball, and gaps that have to be repaired."""

import panel as pn

from workbench.pages.norms.model import Norms
from workbench.pages.norms.page import NAMES, NormsPage
from workbench.pages.shell import Visit

pn.extension("katex", notifications=False)
model = Norms()
NormsPage(model, Visit(model, NAMES)).servable()
