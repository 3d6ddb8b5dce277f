"""Figures as tables: what each shows of which source in which colour, and the one class that draws them.

Without Panel, since notebooks draw these figures as well.
"""

import dataclasses
from typing import ClassVar

import numpy as np
from bokeh.models import ColumnDataSource, DataRange1d, HoverTool, Range1d, Span

from workbench.pages import theme
from workbench.pages.browser import HANDLE, plot

PLACES = ("x", "y")
WINDOW = "window"


@dataclasses.dataclass(frozen=True)
class Glyph:
    """One glyph of a figure, or an entry of its key.

    Attributes
    ----------
    kind : str
        The method of a Bokeh figure, "span", or "" for an entry of the key alone.
    source : str
        Empty where the columns are given as lists.
    columns : tuple of str
        What the method takes first.
    style : dict
        Its keywords; a colour is the name of one of the look's, and a function is called with the look.
    says : str or tuple of str
        What the key says of it, after a stroke in its colour and dash; perhaps with a source.
    z : int
        Those of a higher number are drawn later; the key has the order of the table.
    part : str
        The name of the renderer in `Drawing.parts`.
    tip : bool
        Whether the pointer reads this one; all glyphs of the figure where none says so.
    """

    kind: str
    source: str
    columns: tuple
    style: dict
    says: str | tuple = ""
    z: int = 0
    part: str = ""
    tip: bool = False


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure: its title, its labels, its glyphs and what the pointer reads.

    `note` is HTML behind its key. A circle is one at any width where it is `square`, and then it shows all of
    the source "window". Of `options`, those of a Bokeh figure, a range is its two ends, behind the name of
    the range where several figures share it.
    """

    title: str
    x: str
    y: str
    glyphs: tuple
    tips: tuple
    note: str
    heights: tuple
    square: bool
    grid: bool
    options: dict


def figure(title, x, y, *glyphs, tips=(), note="", heights=None, square=False, grid=True, **options):
    """A row of a table of figures; some glyphs may stand in lists."""
    flat = tuple(
        glyph for group in glyphs for glyph in (group if isinstance(group, list | tuple) else [group])
    )
    return Figure(title, x, y, flat, tips, note, heights, square, grid, options)


def glyph(kind, source, *columns, says="", z=0, part="", tip=False, **style):
    """Any glyph of Bokeh's."""
    return Glyph(kind, source, columns, style, says, z, part, tip)


def line(source, x, y, colour, dash="solid", width=1.0, kind="line", **more):
    """A series; `width` is a multiple of that of series."""
    return glyph(kind, source, x, y, color=colour, width=width * theme.Look.line, dash=dash, **more)


def dots(source, x, y, size, **more):
    """Marks, by any style."""
    return glyph("scatter", source, x, y, size=size, **more)


def point(source, x, y, edge="vermillion", size=11, width=1.0, handle=False, **more):
    """An open mark, which may be the one to drag."""
    tags = {"tags": HANDLE} if handle else {}
    width *= theme.Look.line
    return dots(source, x, y, size, fill_color="paper", line_color=edge, line_width=width, **tags, **more)


def ring(source, x, y, size, edge, width, **more):
    """A circle around a mark; `width` in pixels."""
    return dots(source, x, y, size, fill_color=None, line_color=edge, line_width=width, **more)


def image(source, side, mapper, dtype=np.float32, **more):
    """A picture of side × side numbers, which the browser fills in place; `mapper(look)` has its colours."""
    columns, blank = ("image", *PLACES, "dw", "dh"), np.zeros((side, side), dtype=dtype)
    return glyph("image", source, *columns, color_mapper=mapper, blank=blank, **more)


def entry(dash, colour, *says):
    """An entry of the key alone."""
    return glyph("", "", says=says, color=colour, dash=dash)


def rule(dimension, colour, width=1, location=0, **more):
    """A straight line through the figure."""
    style = {"dimension": dimension, "location": location, "line_color": colour, "line_width": width}
    return glyph("span", "", **style, **more)


def walls(source):
    """Hatched areas in which a function is infinite."""
    style = {"fill_color": None, "line_color": None, "hatch_color": "muted", "hatch_alpha": 0.5}
    sides = ("left", "right", "top", "bottom")
    return glyph("quad", source, *sides, hatch_pattern="right_diagonal_line", **style)


AXES = tuple(rule(dimension, "muted", line_alpha=0.6) for dimension in ("width", "height"))


def key(row, look, includes=lambda glyph: True):
    """The HTML of a figure's key, of those glyphs that are kept."""
    strokes = (_stroke(glyph, look) for glyph in row.glyphs if glyph.says and includes(glyph))
    return "".join(strokes) + row.note


def _stroke(glyph, look):
    says = (glyph.says,) if isinstance(glyph.says, str) else glyph.says
    return theme.stroke(glyph.style.get("dash", "solid"), getattr(look, glyph.style["color"]), *says)


class Drawing:
    """Figures and their sources.

    A drawing sets `table`, perhaps `heights`, and `columns`: those of a source beside what its glyphs take.

    Attributes
    ----------
    figures : dict of str to figure
    titles : dict of str to (str, str)
        The title of each and its key.
    parts : dict of str to renderer
        Those that have a name.
    models : dict of str to dict of str to model
        What a frame fills, by kind and name: "sources", "figures", "axes" and "ranges", of these such as
        "gap_x" by figure and side, and what `_more()` gives.
    """

    table: ClassVar[dict] = {}
    columns: ClassVar[dict] = {}
    heights: ClassVar[tuple] = (230, 14, 300)

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        rows = cls.table.values()
        uses = [(glyph.source, glyph.columns) for row in rows for glyph in row.glyphs if glyph.source]
        uses += [(WINDOW, PLACES) for row in rows if row.square]
        table = {}
        for source, columns in (*uses, *cls.columns.items()):
            table[source] = tuple(dict.fromkeys((*table.get(source, ()), *columns)))
        cls.columns = table

    def __init__(self, look=theme.LIGHT):
        self.look, self.parts, self.ranges = look, {}, {}
        self.sources = {
            name: ColumnDataSource({column: [] for column in columns})
            for name, columns in self.columns.items()
        }
        self.titles = {name: (row.title, key(row, look)) for name, row in self.table.items()}
        self.figures = {name: self._draw(name, row) for name, row in self.table.items()}
        sides = [(name, side) for name in self.figures for side in "xy"]
        ranges = {f"{name}_{side}": getattr(self.figures[name], f"{side}_range") for name, side in sides}
        self.models = {
            "sources": self.sources,
            "figures": dict(self.figures),
            # Bokeh finds the other ranges by itself.
            "ranges": {name: bounds for name, bounds in ranges.items() if isinstance(bounds, Range1d)},
            "axes": {f"{name}_{side}": getattr(self.figures[name], f"{side}axis")[0] for name, side in sides},
        } | self._more()

    def _more(self):
        return {}

    def ids(self):
        """The ids of the models, by kind and name."""
        return {
            kind: {name: model.id for name, model in models.items()} for kind, models in self.models.items()
        }

    def _draw(self, name, row):
        options = {
            key: self._range(*option) if isinstance(option, tuple) else option
            for key, option in row.options.items()
        }
        if row.square:
            options |= {
                "match_aspect": True,
                "x_range": DataRange1d(range_padding=0.0),
                "y_range": DataRange1d(range_padding=0.0),
            }
        chart = plot(name, row.x, row.y, self.look, row.heights or self.heights, **options)
        if row.square:
            self._look_at([-1.0, 1.0], [-1.0, 1.0])
            # The corners of the window alone decide what is seen.
            corners = chart.scatter(*PLACES, source=self.sources[WINDOW], alpha=0.0, size=1)
            chart.x_range.renderers = chart.y_range.renderers = [corners]
        pairs = [
            (glyph, self._add(chart, glyph))
            for glyph in sorted(row.glyphs, key=lambda glyph: glyph.z)
            if glyph.kind
        ]
        if row.tips:
            hover = HoverTool(tooltips=list(row.tips), mode="mouse", visible=False)
            chart.add_tools(hover)
            if tipped := [renderer for glyph, renderer in pairs if glyph.tip]:
                hover.renderers = tipped
        if not row.grid:
            chart.ygrid.grid_line_color = None
        return chart

    def _range(self, *arguments):
        *name, start, end = arguments
        if not name:
            return Range1d(start, end)
        return self.ranges.setdefault(name[0], Range1d(start, end))

    def _add(self, chart, glyph):
        """Draw a glyph into a figure."""
        look, style = self.look, {}
        for name, value in glyph.style.items():
            if callable(value):
                style[name] = value(look)
            elif name.endswith("color") and isinstance(value, str) and hasattr(look, value):
                style[name] = getattr(look, value)
            else:
                style[name] = value
        if glyph.kind == "span":
            return chart.add_layout(Span(**style))
        if glyph.kind == "image":
            data = {"image": [style.pop("blank").copy()], "x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0]}
            self.sources[glyph.source].data = data
        if glyph.source:
            style["source"] = self.sources[glyph.source]
        renderer = getattr(chart, glyph.kind)(*glyph.columns, **style)
        if glyph.part:
            self.parts[glyph.part] = renderer
        return renderer

    def _look_at(self, x, y):
        """Show these two intervals, and more of the wider one's other axis."""
        window = {"x": [float(end) for end in x], "y": [float(end) for end in y]}
        if self.sources[WINDOW].data != window:
            self.sources[WINDOW].data = window
