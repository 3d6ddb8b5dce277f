"""SVM gaps: pairs that violate, and how much each bound promises of the optimum."""

import panel as pn

from workbench.views.svm_gaps import SvmGaps
from workbench.views.svm_gaps_page import SvmGapsPage

pn.extension("katex", notifications=False)
SvmGapsPage(SvmGaps()).servable()
