"""Conjugates: a convex function, its tangents, its conjugate, and the proof that they belong together."""

import panel as pn

from workbench.views.conjugates import Conjugates
from workbench.views.conjugates_page import NAMES, ConjugatesPage
from workbench.views.shell import Visit

pn.extension("katex", notifications=False)
model = Conjugates()
ConjugatesPage(model, Visit(model, NAMES)).servable()
