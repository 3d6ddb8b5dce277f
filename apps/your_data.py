"""Your data: a table or a LIBSVM file of one's own, solved and certified."""

import panel as pn

from workbench.pages.your_data.model import YourData
from workbench.pages.your_data.page import YourDataPage

pn.extension("katex", notifications=False)
YourDataPage(YourData()).servable()
