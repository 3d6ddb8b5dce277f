"""Norms: FISTA, the dual ball, and gaps that have to be repaired."""

import panel as pn

from workbench.pages.norms.model import Norms
from workbench.pages.norms.page import NormsPage

pn.extension("katex", notifications=False)
NormsPage(Norms()).servable()
