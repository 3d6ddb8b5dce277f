"""Race: our solvers and installed peers on one problem, each point held to the same certificate."""

import panel as pn

from workbench.pages.race.model import RaceModel
from workbench.pages.race.page import RacePage

pn.extension(notifications=False)
RacePage(RaceModel()).servable()
