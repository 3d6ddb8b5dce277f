"""Screening: what a gap discards, and the ball that does it."""

import panel as pn

from workbench.views.screening import ScreeningModel
from workbench.views.screening_page import ScreeningPage

pn.extension("katex", notifications=False)
ScreeningPage(ScreeningModel()).servable()
