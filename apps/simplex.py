"""Fenchel-Young losses: three scores, the prediction in a triangle, and the loss as a gap."""

import panel as pn

from workbench.views.shell import Visit
from workbench.views.simplex import Simplex
from workbench.views.simplex_page import NAMES, SimplexPage

pn.extension("katex", notifications=False)
model = Simplex()
SimplexPage(model, Visit(model, NAMES)).servable()
