"""The gauge and the fold below it, as one part of the page that the browser draws."""

from pathlib import Path

import panel as pn
import param

from workbench.pages.dual_lab import breakdown, gauge


class Certainty(pn.custom.JSComponent):
    """The interval that holds the optimum, and why that is certain.

    Parameters
    ----------
    look : theme.Look
    """

    gauge = param.Dict({}, doc="what `gauge.shown` gives; empty before the first certificate")
    terms = param.String("", doc="the HTML of `breakdown.table`")
    _esm = "\n".join(
        Path(__file__).with_name(f"{name}.js").read_text("utf-8") for name in ("certainty", "certainty_page")
    )

    def __init__(self, look, **params):
        super().__init__(stylesheets=[look.css, css(look)], sizing_mode="stretch_width", **params)

    def show(self, frame):
        """Show a snapshot of a lab."""
        shown = gauge.shown(gauge.measure(frame["curves"]))
        if frame["other"] is not None:
            shown["sentence"] = "A: " + shown["sentence"]
        self.param.update(gauge=shown, terms=breakdown.table(frame["breakdown"]))


def css(look):
    """The style of the gauge and the fold, for a component of a page or for a file."""
    px, box = look.px, ".wb-certainty"
    return f"""
:host {{ height: max-content !important; }}
{box} {{
  background: {look.paper}; border: 1px solid {look.rule}; border-radius: 8px; padding: 8px 14px;
  margin: 0 0 12px; font-size: {px(13)}; line-height: 1.4; font-variant-numeric: tabular-nums;
}}
{box} p {{ margin: 0 0 6px; }}
{box} .ends {{
  display: flex; justify-content: space-between; gap: 0 10px; font-size: {px(12)}; color: {look.muted};
}}
{box} .ends b {{ color: {look.ink}; white-space: nowrap; }}
{box} .ends span {{ text-align: center; }}
{box} .track {{ position: relative; height: {px(16)}; background: {look.ground}; }}
{box} .fog {{
  position: absolute; top: 0; bottom: 0; min-width: 1px;
  background:
    radial-gradient(closest-side, {look.muted}70, transparent) 0 0 / {px(46)} {px(22)},
    radial-gradient(closest-side, {look.muted}50, transparent) {px(13)} {px(7)} / {px(64)} {px(26)},
    {look.muted}58;
}}
{box} .end {{ position: absolute; top: 0; bottom: 0; width: 0; }}
{box} .end.dual {{ border-left: 3px dotted {look.green}; margin-left: -3px; }}
{box} .end.primal {{ border-left: 3px solid {look.blue}; }}
{box} .fog, {box} .end {{ transition: left 0.3s, width 0.3s; }}
{box} svg {{ display: block; width: 100%; height: {px(12)}; fill: {look.rule}; opacity: 0.6; }}
{box} summary {{ color: {look.blue}; cursor: pointer; width: max-content; padding: 4px 0 0; }}
{box} details > div {{ padding-top: 6px; color: {look.muted}; }}
{box} .wb-scroll {{ overflow-x: auto; max-width: 620px; margin: 0 0 8px; color: {look.ink}; }}
{box} tr[data-sample]:hover, {box} .lit {{ background: {look.blue}33; }}
{box} .wb-sum th, {box} .wb-sum td {{ font-weight: 600; }}
"""
