"""Home: every page in one line, with a picture."""

import panel as pn

from workbench.pages.home.page import HomePage

pn.extension("katex", notifications=False)
HomePage().servable()
