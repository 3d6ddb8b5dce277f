"""Fenchel-Young losses: three scores, the prediction in a triangle, and the loss as a gap."""

import panel as pn

from workbench.pages.shell import Visit
from workbench.pages.simplex.model import Simplex
from workbench.pages.simplex.page import NAMES, SimplexPage

pn.extension("katex", notifications=False)
model = Simplex()
SimplexPage(model, Visit(model, NAMES)).servable()
