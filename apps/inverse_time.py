"""Inverse time: more training data, less training time, and the theorem that says why."""

import panel as pn

from workbench.views.inverse_time import InverseTime
from workbench.views.inverse_time_page import InverseTimePage

pn.extension(notifications=False)
InverseTimePage(InverseTime()).servable()
