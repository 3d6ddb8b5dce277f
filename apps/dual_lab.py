"""Dual lab: a solver on real data, its certificate, and why each step is what it is."""

import panel as pn

from workbench.views.dual_lab import DualLab
from workbench.views.dual_lab_page import DualLabPage

pn.extension("katex", notifications=False)
DualLabPage(DualLab()).servable()
