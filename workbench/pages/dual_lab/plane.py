"""Points in the plane in the Dual lab: the figure."""

from typing import ClassVar

from bokeh.models import Arrow, NormalHead

from workbench.data.examples.plane import HALF_WIDTH, MAX_POINTS, SOURCES, write_points
from workbench.pages import theme
from workbench.pages.browser import HANDLE
from workbench.pages.drawing import Drawing, dots, entry, figure, glyph, ring
from workbench.pages.dual_lab.figures import HEIGHT, DualLabFigures
from workbench.pages.dual_lab.model import NAMES, PLANE
from workbench.pages.plane import MARKERS

# Sizes in pixels: of a sample with alpha = 0, what the largest |alpha| adds, and of the ring.
LEAST, LARGEST, RING = 7.0, 13.0, 28.0
# In the plane's units; a longer w is drawn no longer.
LONGEST = 2.5
# A bias of a smaller share of |w| is zero to rounding.
ROUNDING = 1e-12

TABLE = {
    "plane": figure(
        "The plane",
        "x₁",
        "x₂",
        entry("solid", "ink", "w·x + b = 0"),
        entry("dashed", "ink", "±1"),
        entry("solid", "green", "w"),
        entry("solid", "vermillion", "○ last sample"),
        glyph("patches", "sides", "xs", "ys", fill_color="fill", fill_alpha=0.13, line_width=0),
        glyph("multi_line", "lines", "xs", "ys", color="colour", line_width="width", line_dash="dash"),
        dots(
            "points",
            "x",
            "y",
            "size",
            marker="marker",
            fill_color="fill",
            line_color="edge",
            line_width=1.8,
            fill_alpha=0.6,
            tags=HANDLE,
            part="points",
            tip=True,
        ),
        ring("visited", "x", "y", RING, "vermillion", 2.6, marker="circle"),
        tips=(("sample", "@sample"), ("y", "@label"), ("α", "@alpha{0.0000}"), ("w·x + b", "@value{0.000}")),
        square=True,
        grid=False,
    )
}


class PlaneFigure(Drawing):
    """The figure of the plane.

    Parameters
    ----------
    look : theme.Look
    linked : DualLabFigures, optional
        What lights a sample in these figures lights it in the plane too.
    """

    table, heights = TABLE, (400, 14, 300)
    columns: ClassVar = {
        "sides": ("fill",),
        "lines": ("width", "dash", "colour"),
        "arrow": ("x0", "y0", "x1", "y1"),
        "points": ("label", "alpha", "value", "sample", "size", "fill", "edge", "marker"),
    }

    def __init__(self, look=theme.LIGHT, linked=None):
        super().__init__(look)
        self.points, plane = self.parts["points"], self.figures["plane"]
        self._look_at(*2 * [(-HALF_WIDTH, HALF_WIDTH)])
        plane.add_layout(
            Arrow(
                x_start="x0",
                y_start="y0",
                x_end="x1",
                y_end="y1",
                source=self.sources["arrow"],
                end=NormalHead(size=9, fill_color=look.green, line_color=look.green),
                line_color=look.green,
                line_width=1.3 * look.line,
            )
        )
        if linked is not None:
            linked.light_in(plane, self.sources["points"])

    def facts(self):
        """What the page's script draws points with."""
        look = self.look
        return {
            "name": PLANE,
            "plot": self.figures["plane"].id,
            "most": MAX_POINTS,
            "names": list(NAMES),
            "cloud": next(iter(SOURCES)),
            "ids": {"sources": {name: source.id for name, source in self.sources.items()}},
            "clouds": {name: write_points(*make()) for name, make in SOURCES.items()},
            "looks": {
                "half_width": HALF_WIDTH,
                "up": look.orange,
                "down": look.blue,
                "ink": look.ink,
                "second": look.vermillion,
                "paper": look.paper,
                "least": LEAST,
                "largest": LARGEST,
                "longest": LONGEST,
                "rounding": ROUNDING,
                "markers": {"up": MARKERS[1.0], "down": MARKERS[-1.0]},
            },
        }


def with_plane(look):
    """The figures of the page with that of the plane."""
    figures = DualLabFigures(look)
    figures.plane = PlaneFigure(look, figures)
    for plot in figures.plane.figures.values():
        plot.styles = plot.styles | {"height": HEIGHT}
    figures.figures |= figures.plane.figures
    figures.models["figures"] |= figures.plane.figures
    return figures
