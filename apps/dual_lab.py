"""Dual lab: a solver on real data, its certificate, and why each step is what it is."""

import panel as pn

from workbench.pages.dual_lab.model import DualLab
from workbench.pages.dual_lab.page import DualLabPage

pn.extension("katex", notifications=False)
DualLabPage(DualLab()).servable()
