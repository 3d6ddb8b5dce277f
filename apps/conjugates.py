"""Conjugates: a convex function, its tangents, its conjugate, and the proof that they belong together."""

import panel as pn

from workbench.pages.conjugates.model import Conjugates
from workbench.pages.conjugates.page import NAMES, ConjugatesPage
from workbench.pages.shell import Visit

pn.extension("katex", notifications=False)
model = Conjugates()
ConjugatesPage(model, Visit(model, NAMES)).servable()
