"""The scrub bar of a served run: where it stands among its places, how fast it goes, and another place."""

import param

from workbench.pages import browser
from workbench.pages.component import Component
from workbench.pages.wording import Wording

TEXTS = Wording("").texts


class ScrubBar(Component):
    """The bar of one page."""

    texts = param.Dict({}, doc="what the bar says")
    _esm = browser.joined(("bundles/wording", "bundles/numerals", "scrub_bar"))

    def __init__(self, look):
        super().__init__(
            texts=TEXTS, sizing_mode="stretch_width", margin=(0, 0, 8, 0), stylesheets=[look.css, _css(look)]
        )


def _css(look):
    return f"""
.bar {{ display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px; font-size: {look.px(13)}; }}
.bar button, .bar select {{
  font: inherit; color: {look.ink}; background: {look.paper}; border: 1px solid {look.rule};
  border-radius: 6px; min-height: 36px; min-width: 40px; cursor: pointer;
}}
.bar button[aria-disabled=true] {{ color: {look.muted}; opacity: 0.6; cursor: default; }}
.bar input {{ flex: 1 1 140px; height: 36px; min-width: 100px; margin: 0; accent-color: {look.blue}; }}
.bar output {{ flex: 0 0 auto; min-width: 10.5em; font-variant-numeric: tabular-nums; }}
.bar label {{ color: {look.muted}; white-space: nowrap; }}
.bar select {{ padding: 0 6px; }}
"""
