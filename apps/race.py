"""Race: our solvers and installed peers on one problem, each point held to the same certificate."""

import panel as pn

from workbench.views.race import COURSE, RaceModel
from workbench.views.race_page import HELP, RacePage
from workbench.views.shell import Visit, shell

pn.extension(notifications=False)
model = RaceModel()
visit = Visit(model, COURSE)
page = RacePage(model, visit)
pn.state.onload(page.begin)
pn.state.on_session_destroyed(lambda context, close=page.close: close())
shell(
    "Race",
    visit,
    sidebar=page.sidebar(),
    main=page.main(),
    aside=page.aside(),
    actions=page.actions,
    help=HELP,
).servable()
