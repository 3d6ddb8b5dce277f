"""The scrub bar of a served run: where it stands among its places, how fast it goes, and another place."""

import param

from workbench.pages import browser
from workbench.pages.hosts.panel import Component
from workbench.pages.wording import Wording

TEXTS = Wording("").texts


class ScrubBar(Component):
    """The bar of one page."""

    texts = param.Dict({}, doc="what the bar says")
    buttons = param.List([], doc="what each button presses, and its text; the last one runs and pauses")
    _esm = browser.bundle("scrub_bar")

    def __init__(self, look, buttons=()):
        super().__init__(
            texts=TEXTS,
            buttons=[list(pair) for pair in buttons],
            sizing_mode="stretch_width",
            margin=(0, 0, 8, 0),
            stylesheets=[look.css, look.sheet("scrub_bar")],
        )
