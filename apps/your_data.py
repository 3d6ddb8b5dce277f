"""Your data: a table or a LIBSVM file of one's own, solved and certified."""

import panel as pn

from workbench.views.your_data import YourData
from workbench.views.your_data_page import YourDataPage

pn.extension("katex", notifications=False)
YourDataPage(YourData()).servable()
