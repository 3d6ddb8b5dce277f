"""Bokeh documents that draw themselves in the browser: figures, sliders, text lines and one script.

A document is pure Bokeh, so a served page shows it in a pane and a file can hold it with nothing beside
it. Its script is an ES module: the functions printed by `workbench.sketches`, then the page's own file
of JavaScript. Colours that CSS can reach are variables; those of a canvas come from the palette.
"""

from pathlib import Path
from typing import NamedTuple

from bokeh.models import (
    Button, Column, CustomJS, Div, GlobalInlineStyleSheet, InlineStyleSheet, Range1d, Row, Slider
)  # fmt: skip
from bokeh.plotting import figure

from workbench.views import theme

FOLDER = Path(__file__).parent
# Narrower than this a figure takes a row of its own.
CARD = 380


class Palette(NamedTuple):
    """What a canvas needs to know of the page's look."""

    ink: str
    muted: str
    rule: str
    paper: str
    blue: str
    vermillion: str
    green: str
    purple: str
    # Factor of type and strokes: a projector is seen from far.
    scale: float = 1.0

    def size(self, pixels):
        return f"{round(self.scale * pixels)}px"


LIGHT = Palette(
    theme.INK, theme.MUTED, theme.RULE, theme.PAPER,
    theme.BLUE, theme.VERMILLION, theme.GREEN, theme.PURPLE,
)  # fmt: skip
# Okabe and Ito's sky blue and lighter neighbours: their dark blue is lost on a dark ground.
DARK = Palette("#e8edf3", "#a9b4c2", "#3a4553", "#1b232d", "#56B4E9", "#F0874A", "#2CC79B", "#E2A5C6")


def palette(dark=False, projector=False):
    chosen = DARK if dark else LIGHT
    return chosen._replace(scale=1.35) if projector else chosen


class BrowserDocument:
    """One drawing: what it is made of, ready for a page or for a file.

    Attributes
    ----------
    figures : dict of str to figure
    controls : dict of str to Slider or other widget
    lines : dict of str to Div
        The sentence under each figure, written by the script.
    code : Div
        The Python that gives the present numbers, written by the script.
    script : str
        The printed functions; `draw` runs them.
    """

    def __init__(self, figures, controls, titles, colours):
        self.figures, self.controls, self.titles, self.colours = figures, controls, titles, colours
        self.lines = {name: text_line(colours) for name in figures}
        self.code = Div(text="", stylesheets=[sheet(colours)], sizing_mode="stretch_width", margin=0)
        self.draw = None

    def connect(self, program, printed, names, arguments):
        """Run the file `program`.js whenever something moves.

        Parameters
        ----------
        program : str
            The stem of the file of JavaScript in this folder.
        printed : str
            The functions that `workbench.sketches` printed.
        names : sequence of str
            Those of them that the program calls, as properties of `printed`.
        arguments : dict
            Models and plain values that the program finds in `args`.
        """
        own = (FOLDER / f"{program}.js").read_text(encoding="utf-8")
        shared = (FOLDER / "browser.js").read_text(encoding="utf-8")
        # In a scope of their own, since a parameter may have the name of anything.
        scope = f"const printed = (() => {{\n{printed}\nreturn {{{', '.join(names)}}};\n}})();\n"
        self.draw = CustomJS(
            args=arguments | {
                "figures": self.figures, "controls": self.controls, "lines": self.lines, "code": self.code,
            },
            code=scope + shared + own,
            module=True,
        )  # fmt: skip
        for control in self.controls.values():
            control.js_on_change("active" if hasattr(control, "active") else "value", self.draw)
        for plot in self.figures.values():
            # The first width is the moment at which the figure stands on the page.
            plot.js_on_change("inner_width", self.draw)
            for event in ("pan", "tap", "panstart"):
                plot.js_on_event(event, self.draw)
        return self

    def cards(self):
        """The figures as cards in a grid that folds on a narrow screen."""
        cards = [
            card(self.titles[name], [plot, self.lines[name]], self.colours)
            for name, plot in self.figures.items()
        ]
        return Column(
            *cards,
            sizing_mode="stretch_width",
            styles={
                "display": "grid",
                "grid-template-columns": f"repeat(auto-fit, minmax(min(100%, {CARD}px), 1fr))",
                "gap": "12px",
            },
        )

    def downloads(self):
        """Buttons that save the numbers and the pictures, all made in the browser."""
        code = (FOLDER / "browser_save.js").read_text(encoding="utf-8")
        buttons = []
        for kind in ("CSV", "PNG", "SVG"):
            button = Button(label=kind, stylesheets=[sheet(self.colours)], width=64, height=30, margin=(0, 6, 0, 0))
            button.js_on_click(
                CustomJS(args={"figures": self.figures, "kind": kind.lower()}, code=code, module=True)
            )
            buttons.append(button)
        return Row(*buttons, sizing_mode="stretch_width")

    def sidebar(self):
        return Column(*self.controls.values(), sizing_mode="stretch_width")

    def layout(self):
        """Everything as one layout, for a file that stands alone."""
        ground = GlobalInlineStyleSheet(css=f"body {{ background: {self.colours.paper}; }}")
        return Column(
            self.sidebar(), self.cards(), self.code, self.downloads(),
            sizing_mode="stretch_width", stylesheets=[ground],
        )  # fmt: skip


def sheet(colours):
    """The style of texts, sliders and buttons; a page's variables go before the palette's colours."""
    ink, muted, rule, paper = (
        f"var(--wb-{name}, {getattr(colours, name)})" for name in ("ink", "muted", "rule", "paper")
    )
    return InlineStyleSheet(css=f"""
:host {{ font-family: {theme.FONT}; color: {ink}; --background-color: {paper}; }}
.bk-slider-title {{
  display: flex; justify-content: space-between; font-size: {colours.size(13.5)}; color: {ink};
  padding-bottom: 7px;
}}
.bk-slider-value {{ font-weight: 600; font-variant-numeric: tabular-nums; }}
.noUi-target {{ height: 4px; border: 0; border-radius: 2px; box-shadow: none; background: {rule}; }}
.noUi-connects {{ border-radius: 2px; }}
.noUi-horizontal .noUi-handle {{
  width: 18px; height: 18px; top: -7px; right: -9px; border-radius: 9px; box-shadow: none;
  background: {paper}; border: 3px solid {colours.blue};
}}
.noUi-handle:focus-visible {{ outline: 3px solid {colours.blue}55; outline-offset: 1px; }}
.noUi-handle::before, .noUi-handle::after {{ display: none; }}
.bk-btn {{
  background: {paper}; color: {ink}; border: 1px solid {muted}; border-radius: 6px;
  font-size: {colours.size(13)};
}}
.bk-btn.bk-active, .bk-btn:hover {{ border-color: {colours.blue}; color: {colours.blue}; background: {paper}; }}
.title {{ font-size: {colours.size(14)}; font-weight: 600; padding: 10px 12px 2px; }}
.key {{ font-size: {colours.size(12)}; font-weight: 400; color: {muted}; white-space: nowrap; }}
.key i {{ display: inline-block; width: 20px; vertical-align: middle; margin: 0 5px 3px 12px; }}
.line {{
  font-size: {colours.size(12.5)}; color: {muted}; padding: 0 12px 10px; min-height: {colours.size(36)};
  line-height: 1.4; font-variant-numeric: tabular-nums;
}}
.bad {{ color: {colours.vermillion}; font-weight: 600; }}
.good {{ color: {colours.green}; font-weight: 600; }}
pre {{
  background: #1f2933; color: #f3f5f8; border-radius: 6px; padding: 12px; margin: 0; overflow-x: auto;
  font: {colours.size(12)}/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; white-space: pre-wrap;
}}
""")


def text_line(colours):
    return Div(text="", stylesheets=[sheet(colours)], sizing_mode="stretch_width", margin=0)


def key(stroke, colour, text):
    """An entry of a figure's key: a stroke as it is drawn, and what it means."""
    return f"<span class='key'><i style='border-top: 3px {stroke} {colour}'></i>{text}</span>"


def card(title, content, colours):
    """A titled box around a figure and its sentence."""
    heading = Div(
        text=f"<div class='title'>{title}</div>", stylesheets=[sheet(colours)],
        sizing_mode="stretch_width", margin=0,
    )  # fmt: skip
    return Column(
        heading,
        *content,
        sizing_mode="stretch_width",
        styles={
            "background": f"var(--wb-paper, {colours.paper})",
            "border": f"1px solid var(--wb-rule, {colours.rule})",
            "border-radius": "8px",
            "overflow": "hidden",
        },
    )


def slider(title, low, high, value, colours, step=0.01):
    """A slider that follows the hand in the browser; the page's script may set its ends."""
    return Slider(
        title=title, start=low, end=high, value=value, step=step, bar_color=colours.blue,
        stylesheets=[sheet(colours)], sizing_mode="stretch_width", margin=(6, 12, 14, 2),
    )  # fmt: skip


def plot(name, x_label, y_label, colours, height=250, square=False):
    """A quiet figure that the script fills; it can be dragged."""
    drawn = figure(
        name=name, height=round(height * (1.15 if colours.scale > 1 else 1)), sizing_mode="stretch_width",
        tools="", toolbar_location=None,
        x_axis_label=x_label, y_axis_label=y_label, x_range=Range1d(-1, 1), y_range=Range1d(-1, 1),
        min_border_right=14, match_aspect=False, background_fill_color=None, border_fill_color=None,
    )  # fmt: skip
    drawn.outline_line_color = None
    drawn.grid.grid_line_color = colours.rule
    drawn.grid.grid_line_alpha = 0.7
    for axis in drawn.axis:
        axis.axis_label_text_font = axis.major_label_text_font = theme.FONT
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = axis.major_label_text_font_size = colours.size(12)
        axis.axis_label_text_color = axis.major_label_text_color = colours.muted
        axis.axis_line_color = colours.rule
        axis.major_tick_line_color = axis.minor_tick_line_color = None
        axis.axis_label_standoff = 4
        axis.ticker.desired_num_ticks = 5
    if square:
        drawn.yaxis.ticker.desired_num_ticks = 6
    return drawn
