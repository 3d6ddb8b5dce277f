"""Bokeh documents that draw themselves in the browser: figures, sliders, text lines and one script.

A document is pure Bokeh, so a served page shows it in a pane and a file can hold it with nothing beside
it. Its script is an ES module: the bundle of the page, then the functions printed by
`derivations.sketches`. The buttons that save a figure ask the shell of the page.
"""

import functools
from pathlib import Path

from bokeh.models import (
    Column,
    CustomJS,
    Div,
    InlineStyleSheet,
    LinearColorMapper,
    Range1d,
    Slider,
    Toggle,
)
from bokeh.palettes import interp_palette
from bokeh.plotting import figure

from workbench.pages import theme

FOLDER = Path(__file__).parent
# Of a figure: the least in pixels, in hundredths of the window's width, and the most in pixels.
HEIGHTS = (200, 16, 330)
# Narrower than this a figure takes a row of its own.
CARD = 300
# Near 0 as the paper, and of one hue, so that it reads without colour.
LIGHT_MAP = interp_palette(["#fdfdfd", "#b9d3e6", "#5d94be", "#17436a"], 64)
DARK_MAP = interp_palette(["#0f1720", "#1f4c6e", "#3f8bb4", "#c4e3f2"], 64)

# The tag of the glyph that a pointer drags, or the arrow keys.
HANDLE = ["handle"]


@functools.cache
def bundle(name):
    """Return the ES module `bundles/NAME.js`; a line that is added may use what it exports."""
    return (FOLDER / "bundles" / f"{name}.js").read_text("utf-8")


class BrowserDocument:
    """One `Drawing` with its controls, ready for a page or for a file.

    Attributes
    ----------
    figures, titles, sources : dict
        The drawing's.
    controls : dict of str to Slider or other widget
    lines : dict of str to Div
        The sentence under each figure, written by the script.
    banner : Div or None
        A sentence above all figures, written by the script, where a page has one.
    code : Div
        The Python that gives the present numbers, written by the script.
    toggle : Toggle or None
        The control that a file's space bar turns, in place of the answer to a question.
    """

    def __init__(self, drawing, controls):
        self.figures, self.titles, self.sources = drawing.figures, drawing.titles, drawing.sources
        self.controls, self.look = controls, drawing.look
        self.lines = {name: text_line(self.look) for name in self.figures}
        self.code = Div(text="", stylesheets=[sheet(self.look)], sizing_mode="stretch_width", margin=0)
        self.draw = self.banner = self.toggle = None

    def connect(self, name, printed, names, arguments):
        """Run the script of a page whenever something moves.

        Parameters
        ----------
        name : str
            The bundle, which exports `drawing`.
        printed : str
            The functions that `workbench.conjugates.derivations.sketches` printed.
        names : sequence of str
            Those of them that the script calls.
        arguments : dict
            Models and plain values that the script finds in `args`.
        """
        # In a scope of their own, since a parameter may have the name of anything.
        functions = f"(() => {{\n{printed}\nreturn {{{', '.join(names)}}};\n}})()"
        self.draw = CustomJS(
            args=arguments
            | {
                "sources": self.sources,
                "figures": self.figures,
                "controls": self.controls,
                "lines": self.lines,
                "code": self.code,
            },
            code=bundle(name) + f"export default drawing({functions});\n",
            module=True,
        )
        for control in self.controls.values():
            control.js_on_change("active" if hasattr(control, "active") else "value", self.draw)
        for plot in self.figures.values():
            # The first width is the moment at which the figure stands on the page.
            plot.js_on_change("inner_width", self.draw)
            if any("handle" in each.glyph.tags for each in plot.renderers):
                for event in ("pan", "tap", "panstart"):
                    plot.js_on_event(event, self.draw)
        return self

    def cards(self):
        """The figures as cards in a grid that folds on a narrow screen."""
        # Two beside each other at the most, so that linked figures stand in a square.
        least = f"min(100%, max({CARD:g}px, 40%))"
        columns = f"repeat(auto-fit, minmax({least}, 1fr))"
        cards = [
            card(name, *self.titles[name], [plot, self.lines[name]], self.look)
            for name, plot in self.figures.items()
        ]
        if len(cards) % 2:
            cards[-1].styles = cards[-1].styles | {"grid-column": "1 / -1"}
        if self.banner is not None:
            above = boxed(self.banner, look=self.look)
            above.styles = above.styles | {"grid-column": "1 / -1", "height": "auto"}
            cards = [above, *cards]
        return Column(
            *cards,
            sizing_mode="stretch_width",
            styles={"display": "grid", "grid-template-columns": columns, "gap": "12px"},
        )

    def sidebar(self):
        return Column(*self.controls.values(), sizing_mode="stretch_width")


def sheet(look):
    """The style of texts, sliders and toggles: the shell's, and what only Bokeh's widgets need."""
    return InlineStyleSheet(css=look.css + "\n" + look.sheet("widgets"))


def text_line(look):
    """The sentence under a figure, which the script writes."""
    return Div(text="", stylesheets=[sheet(look)], sizing_mode="stretch_width", margin=0)


def card(name, title, strokes, content, look):
    """A titled box around a figure, with the buttons that the shell answers."""
    text = theme.head(title, strokes, name)
    heading = Div(text=text, stylesheets=[sheet(look)], sizing_mode="stretch_width", margin=0)
    return boxed(heading, *content, look=look)


def boxed(*content, look):
    """A box in the grid of cards."""
    styles = {
        "background": look.paper,
        "border": f"1px solid {look.rule}",
        "border-radius": "8px",
        "min-width": "0",
        "height": "100%",
        "box-sizing": "border-box",
        "overflow": "hidden",
        "contain": "content",
    }
    return Column(*content, sizing_mode="stretch_width", styles=styles)


def slider(title, low, high, value, look, step=0.01):
    """A slider that follows the pointer in the browser; the page's script may set its ends."""
    return Slider(
        title=title,
        start=low,
        end=high,
        value=value,
        step=step,
        bar_color=look.blue,
        stylesheets=[sheet(look)],
        sizing_mode="stretch_width",
        margin=(5, 10, 14, 2),
    )


def toggle(label, active, look):
    """A button that stays down."""
    return Toggle(
        label=label,
        active=active,
        stylesheets=[sheet(look)],
        sizing_mode="stretch_width",
        margin=(2, 0, 8, 0),
    )


def palette(look):
    """The colours of a map of numbers, from low to high."""
    return DARK_MAP if look.dark else LIGHT_MAP


def colour_map(look):
    """The colours of a map of numbers, whose ends the script sets."""
    return LinearColorMapper(
        palette=palette(look),
        low=0,
        high=1,
        nan_color="rgba(127, 127, 127, 0.25)",
    )


def plot(name, x_label, y_label, look, heights=HEIGHTS, **options):
    """A quiet figure that the script fills and a person drags.

    `heights` are as `HEIGHTS`, `options` those of a Bokeh figure.
    """
    ranges = {"x_range": Range1d(-1, 1), "y_range": Range1d(-1, 1)} | options
    chart = figure(
        name=name,
        height=heights[0],
        sizing_mode="stretch_width",
        styles={"height": f"clamp({heights[0]}px, {heights[1]}vw, {heights[2]}px)"},
        tools="",
        toolbar_location=None,
        x_axis_label=x_label,
        y_axis_label=y_label,
        min_border_right=14,
        **ranges,
    )
    theme.style_figure(chart, look)
    return chart
