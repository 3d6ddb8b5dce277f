"""Roads: several solvers on one problem, over its saddle and to one certificate."""

import panel as pn

from workbench.pages.roads.model import RoadsModel
from workbench.pages.roads.page import RoadsPage

pn.extension("katex", notifications=False)
RoadsPage(RoadsModel()).servable()
