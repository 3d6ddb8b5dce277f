"""Home: every page in one line, with a picture."""

import panel as pn

from workbench.views.home_page import HomePage

pn.extension(notifications=False)
HomePage().servable()
