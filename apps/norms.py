"""Norms: FISTA, the dual ball, and gaps that have to be repaired."""

import panel as pn

from workbench.views.norms import Norms
from workbench.views.norms_page import NormsPage

pn.extension("katex", notifications=False)
NormsPage(Norms()).servable()
