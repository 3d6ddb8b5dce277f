"""The drawing of the race: seconds of a fit against what its weights are certified to."""

from typing import ClassVar

from workbench.pages.drawing import Drawing, dots, figure, line, rule
from workbench.pages.race.model import MARKS
from workbench.pages.ranges import set_range
from workbench.pages.theme import FONT, stroke

# Ours are solid and filled, peers dashed and open; colour and marker tell each from the others.
COLOURS = ("blue", "green", "purple", "orange", "vermillion")
MARKERS = ("circle", "square", "triangle", "diamond", "inverted_triangle")
SHAPES = dict(zip(MARKERS, "●■▲◆▼", strict=True))
# Below this a certificate of a primal alone is rounding.
FLOOR = 1e-9
OURS = "workbench "
WAITING = "Empty until the first fit of a race: press start, or the space bar."


def _style(place):
    return COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)], place < len(COLOURS)


def _contestant(place):
    colour, marker, solid = _style(place)
    style = {"marker": marker, "line_color": colour, "fill_color": colour if solid else "paper"}
    fits, stairs, dash = f"fits {place}", f"stairs {place}", "solid" if solid else "dashed"
    # All fits faintly, so that they do not hide the line of the best ones, which has the full markers.
    yield dots(fits, "seconds", "relative", 5, alpha=0.3, level="underlay", tip=True, **style)
    yield line(stairs, "within", "best", colour, dash, kind="step", mode="after")
    yield dots(stairs, "within", "best", 9, line_width=2, **style)


PLACES = range(2 * len(COLOURS))
TABLE = {
    "race": figure(
        "Time against certified suboptimality",
        "seconds of one fit from scratch",
        "certified suboptimality",
        [rule("width", "muted", location=mark) for mark in MARKS],
        [each for place in PLACES for each in _contestant(place)],
        tips=(("setting", "@setting"), ("seconds", "@seconds"), ("certified", "@relative{0.0e+0}")),
        x_axis_type="log",
        y_axis_type="log",
        x_range=(1e-3, 1.0),
        y_range=(1e-7, 1.0),
    )
}


class RaceFigure(Drawing):
    """One figure with sources of each contestant, which events fill in place."""

    table, heights = TABLE, (260, 24, 460)
    columns: ClassVar = {f"fits {place}": ("setting",) for place in PLACES}

    def __init__(self, look):
        super().__init__(look)
        self.figure, self.places = self.figures["race"], {}
        style = {"text_color": look.ink, "text_font": FONT, "text_font_size": "12px"}
        self.figure.title.update(text=WAITING, **style)

    def start(self, names):
        """Begin a race of these contestants; ours have the first places, peers those of the second half."""
        ours = [name for name in names if name.startswith(OURS)]
        peers = [name for name in names if name not in ours]
        self.places = dict(zip(ours, range(len(COLOURS)), strict=False))
        self.places |= dict(zip(peers, range(len(COLOURS), 2 * len(COLOURS)), strict=False))
        for source in self.sources.values():
            if any(len(column) for column in source.data.values()):
                source.data = {name: [] for name in source.data}

    def key(self, names):
        """The key of these contestants."""
        self.start(names)
        entries = []
        for name, place in self.places.items():
            colour, marker, solid = _style(place)
            dash, colour = "solid" if solid else "dashed", getattr(self.look, colour)
            entries.append(stroke(dash, colour, f"{SHAPES[marker]} {name}"))
        return "".join(entries)

    def show(self, standings):
        """Fill the sources of those who have new points."""
        for name, place in self.places.items():
            fits = standings.fits.get(name, [])
            source = self.sources[f"fits {place}"]
            if len(fits) != len(source.data["seconds"]):
                source.data = {
                    "seconds": [fit["seconds"] for fit in fits],
                    "relative": [max(fit["relative"], FLOOR) for fit in fits],
                    "setting": [f"{fit['setting']:.2g}" for fit in fits],
                }
                self.sources[f"stairs {place}"].data = stairs(fits)
        runs = [fit for fits in standings.fits.values() for fit in fits]
        self.figure.title.visible = not runs
        if runs:
            seconds = [fit["seconds"] for fit in runs]
            set_range(self.figure.x_range, 0.7 * min(seconds), 1.4 * max(seconds))
            lowest = min(max(fit["relative"], FLOOR) for fit in runs)
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
