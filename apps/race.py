"""Race: our solvers and installed peers on one problem, each point held to the same certificate."""

import panel as pn

from workbench.views.race import RaceModel
from workbench.views.race_page import RacePage

pn.extension(notifications=False)
RacePage(RaceModel()).servable()
