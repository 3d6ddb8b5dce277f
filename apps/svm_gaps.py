"""SVM gaps: pairs that violate, and how much each bound promises of the optimum."""

import panel as pn

from workbench.pages.svm_gaps.model import SvmGaps
from workbench.pages.svm_gaps.page import SvmGapsPage

pn.extension("katex", notifications=False)
SvmGapsPage(SvmGaps()).servable()
