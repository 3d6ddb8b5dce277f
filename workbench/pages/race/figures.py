"""The drawing of the race: seconds of a fit against what its weights are certified to."""

from bokeh.models import ColumnDataSource, HoverTool, Range1d, Span

from workbench.pages.browser import plot
from workbench.pages.race.model import MARKS
from workbench.pages.ranges import set_range
from workbench.pages.theme import FONT, stroke

COLUMNS = ("seconds", "relative", "setting")
STAIRS = ("within", "best")
# Ours are solid and filled, peers dashed and open; colour and marker tell each from the others.
COLOURS = ("blue", "green", "purple", "orange", "vermillion")
MARKERS = ("circle", "square", "triangle", "diamond", "inverted_triangle")
SHAPES = dict(zip(MARKERS, "●■▲◆▼", strict=True))
# Below this a certificate of a primal alone is rounding.
FLOOR = 1e-9
OURS = "workbench "
WAITING = "Empty until the first fit of a race: press start, or the space bar."


class RaceFigure:
    """One figure with a source a contestant, which events fill in place.

    Attributes
    ----------
    figures : dict of str to figure
    """

    def __init__(self, look):
        self.look = look
        self.figure = plot(
            "race",
            "seconds of one fit from scratch",
            "certified suboptimality",
            look,
            heights=(260, 24, 460),
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(1e-3, 1.0),
            y_range=Range1d(1e-7, 1.0),
        )
        self.figures = {"race": self.figure}
        self.figure.title.update(text_color=look.ink, text_font=FONT, text_font_size="12px")
        for mark in MARKS:
            self.figure.add_layout(
                Span(location=mark, dimension="width", line_color=look.muted, line_width=1)
            )
        self.sources = [ColumnDataSource({name: [] for name in COLUMNS}) for _ in range(2 * len(COLOURS))]
        self.stairs = [ColumnDataSource({name: [] for name in STAIRS}) for _ in self.sources]
        self.hover = HoverTool(
            tooltips=[
                ("setting", "@setting"),
                ("seconds", "@seconds"),
                ("certified", "@relative{0.0e+0}"),
            ],
            visible=False,
            renderers=[],
        )
        for place in range(len(self.sources)):
            self._draw(place, *self._style(place))
        self.figure.add_tools(self.hover)
        self.places = {}

    def _style(self, place):
        colour = getattr(self.look, COLOURS[place % len(COLOURS)])
        return colour, MARKERS[place % len(MARKERS)], place < len(COLOURS)

    def _draw(self, place, colour, marker, solid):
        style = {"marker": marker, "line_color": colour, "fill_color": colour if solid else self.look.paper}
        # All fits faintly, so that they do not hide the line of the best ones, which has the full markers.
        every = self.figure.scatter(
            "seconds",
            "relative",
            source=self.sources[place],
            size=5,
            alpha=0.3,
            level="underlay",
            **style,
        )
        self.figure.step(
            "within",
            "best",
            source=self.stairs[place],
            mode="after",
            color=colour,
            width=self.look.line,
            line_dash="solid" if solid else "dashed",
        )
        self.figure.scatter("within", "best", source=self.stairs[place], size=9, line_width=2, **style)
        self.hover.renderers = [*self.hover.renderers, every]

    def start(self, names):
        """Begin a race of these contestants; ours have the first places, peers those of the second half."""
        ours = [name for name in names if name.startswith(OURS)]
        peers = [name for name in names if name not in ours]
        self.places = dict(zip(ours, range(len(COLOURS)), strict=False))
        self.places |= dict(zip(peers, range(len(COLOURS), 2 * len(COLOURS)), strict=False))
        for source in (*self.sources, *self.stairs):
            if any(len(column) for column in source.data.values()):
                source.data = {name: [] for name in source.data}

    def key(self, names):
        """The key of these contestants."""
        self.start(names)
        entries = []
        for name, place in self.places.items():
            colour, marker, solid = self._style(place)
            entries.append(stroke("solid" if solid else "dashed", colour, f"{SHAPES[marker]} {name}"))
        return "".join(entries)

    def show(self, standings):
        """Fill the sources of those who have new points."""
        for name, place in self.places.items():
            fits = standings.fits.get(name, [])
            if len(fits) != len(self.sources[place].data["seconds"]):
                self.sources[place].data = {
                    "seconds": [fit["seconds"] for fit in fits],
                    "relative": [max(fit["relative"], FLOOR) for fit in fits],
                    "setting": [f"{fit['setting']:.2g}" for fit in fits],
                }
                self.stairs[place].data = stairs(fits)
        drawn = [fit for fits in standings.fits.values() for fit in fits]
        self.figure.title.text = "" if drawn else WAITING
        if drawn:
            seconds = [fit["seconds"] for fit in drawn]
            set_range(self.figure.x_range, 0.7 * min(seconds), 1.4 * max(seconds))
            lowest = min(max(fit["relative"], FLOOR) for fit in drawn)
            set_range(self.figure.y_range, min(0.5 * lowest, 0.3 * MARKS[-1]), 2.0)


def stairs(fits):
    """The best that is certified within so many seconds."""
    steps = {"within": [], "best": []}
    for fit in sorted(fits, key=lambda fit: fit["seconds"]):
        height = max(fit["relative"], FLOOR)
        if not steps["best"] or height < steps["best"][-1]:
            steps["within"].append(fit["seconds"])
            steps["best"].append(height)
    return steps
