"""SVM gaps: pairs that violate, and how much each bound promises of the optimum."""

import panel as pn

from workbench.pages.shell import Visit
from workbench.pages.svm_gaps.model import SvmGaps
from workbench.pages.svm_gaps.page import NAMES, SvmGapsPage

pn.extension("katex", notifications=False)
model = SvmGaps()
SvmGapsPage(model, Visit(model, NAMES)).servable()
