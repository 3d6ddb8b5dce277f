"""Screening: what a gap discards, and the ball that does it."""

import panel as pn

from workbench.pages.screening.model import ScreeningModel
from workbench.pages.screening.page import ScreeningPage

pn.extension("katex", notifications=False)
ScreeningPage(ScreeningModel()).servable()
