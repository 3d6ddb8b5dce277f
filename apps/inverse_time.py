"""Inverse time: more training data, less training time, and the theorem that says why."""

import panel as pn

from workbench.pages.inverse_time.model import InverseTime
from workbench.pages.inverse_time.page import NAMES, InverseTimePage
from workbench.pages.shell import Visit

pn.extension(notifications=False)
model = InverseTime()
InverseTimePage(model, Visit(model, NAMES)).servable()
