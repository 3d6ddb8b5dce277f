"""Roads: several solvers on one problem, over its saddle and to one certificate."""

import panel as pn

from workbench.views.roads import RoadsModel
from workbench.views.roads_page import RoadsPage

pn.extension("katex", notifications=False)
RoadsPage(RoadsModel()).servable()
