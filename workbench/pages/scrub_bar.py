"""The scrub bar of a served run: where it stands among its places, how fast it goes, and another place."""

from pathlib import Path

import param

from workbench.pages.component import Component
from workbench.pages.wording import Wording

HERE = Path(__file__).parent
TEXTS = Wording("").texts
UNITS = ("step", "epoch", "pass")


class ScrubBar(Component):
    """The bar of one page.

    Parameters
    ----------
    look : theme.Look
    seek, step, pace : callable, optional
        Called with the place, an integer, that a visitor asks for; where a step is asked for at the last
        place; with whether the run is to go slowly. A page that is drawn in the browser needs none of them.
    """

    texts = param.Dict({}, doc="what the bar says")
    state = param.Dict({}, doc="where the run stands: at, places, unit, now and last")
    _esm = "\n".join(
        (HERE / name).read_text("utf-8")
        for name in ("bundles/wording.js", "bundles/numerals.js", "scrub_bar.js")
    )

    def __init__(self, look, seek=lambda place: None, step=lambda: None, pace=lambda slow: None):
        super().__init__(
            texts=TEXTS, sizing_mode="stretch_width", margin=(0, 0, 8, 0), stylesheets=[look.css, _css(look)]
        )
        self._seek, self._step, self._pace, self._told = seek, step, pace, 0

    def _handle_msg(self, message):
        if not isinstance(message, dict):
            return
        place, slow = message.get("place"), message.get("slow")
        if isinstance(place, int) and not isinstance(place, bool) and place >= 0:
            self._seek(place)
        elif isinstance(slow, bool):
            self._pace(slow)
        elif message.get("step") is True:
            self._step()

    def stand(self, run, unit):
        """Say where a run stands, in steps, epochs or passes."""
        entries = run.along(run.traces[0])
        now, last = entries[run.at], entries[-1]
        if unit == "epoch" and run.epochs_of(last) < 1.0:
            unit = "step"
        value = run.step_of if unit == "step" else run.epochs_of
        # The browser may have shown other places meanwhile, so that the same state is news as well.
        self._told += 1
        self.state = {
            "at": run.at, "places": len(entries), "unit": unit, "now": value(now), "last": value(last),
            "told": self._told,
        }  # fmt: skip


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
