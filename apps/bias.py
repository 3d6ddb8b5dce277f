"""Bias & multipliers: an intercept without a penalty as a constraint on the dual, and its multiplier."""

import panel as pn

from workbench.views.bias import BiasLab
from workbench.views.bias_page import NAMES, BiasPage
from workbench.views.shell import Visit

pn.extension("katex", notifications=False)
model = BiasLab()
BiasPage(model, Visit(model, NAMES)).servable()
