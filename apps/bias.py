"""Bias & multipliers: an intercept without a penalty as a constraint on the dual, and its multiplier."""

import panel as pn

from workbench.pages.bias.model import BiasLab
from workbench.pages.bias.page import NAMES, BiasPage
from workbench.pages.shell import Visit

pn.extension("katex", notifications=False)
model = BiasLab()
BiasPage(model, Visit(model, NAMES)).servable()
