"""Inverse time: more training data, less training time, and the theorem that says why."""

import panel as pn

from workbench.pages.inverse_time.model import InverseTime
from workbench.pages.inverse_time.page import InverseTimePage

pn.extension(notifications=False)
InverseTimePage(InverseTime()).servable()
