"""Points in the plane in the Dual lab: the figure."""

from bokeh.models import Arrow, HoverTool, NormalHead

from workbench.data.examples.plane import HALF_WIDTH, MOST_POINTS, SOURCES, write_points
from workbench.pages import theme
from workbench.pages.browser import HANDLE
from workbench.pages.drawing import Drawing
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.dual_lab.model import NAMES, PLANE
from workbench.pages.plane import MARKERS
from workbench.pages.theme import stroke

COLUMNS = {
    "window": ("x", "y"),
    "sides": ("xs", "ys", "fill"),
    "lines": ("xs", "ys", "width", "dash", "colour"),
    "arrow": ("x0", "y0", "x1", "y1"),
    "visited": ("x", "y"),
    "points": ("x", "y", "label", "alpha", "value", "sample", "size", "fill", "edge", "marker"),
}
# Sizes in pixels: of a sample with alpha = 0, what the largest |alpha| adds, and of the ring.
LEAST, LARGEST, RING = 7.0, 13.0, 28.0
# In the plane's units; a longer w is drawn no longer.
LONGEST = 2.5
HEIGHTS = (400, 14, 300)
# A bias of a smaller share of |w| is zero to rounding.
ROUNDING = 1e-12


class PlaneFigure(Drawing):
    """The figure of the plane.

    Parameters
    ----------
    look : theme.Look
    linked : DualLabFigures, optional
        What lights a sample in these figures lights it in the plane too.
    """

    columns, heights = COLUMNS, HEIGHTS

    def __init__(self, look=theme.LIGHT, linked=None):
        self.linked = linked
        super().__init__(look)

    def _titles(self):
        look = self.look
        key = (
            stroke("solid", look.ink, "w·x + b = 0")
            + stroke("dashed", look.ink, "±1")
            + stroke("solid", look.green, "w")
            + stroke("solid", look.vermillion, "○ last sample")
        )
        return {"plane": ("The plane", key)}

    def _plane(self):
        drawn, look = self._square("plane", "x₁", "x₂"), self.look
        drawn.ygrid.grid_line_color = None
        self._look_at(*2 * [(-HALF_WIDTH, HALF_WIDTH)])
        drawn.patches(
            "xs", "ys", source=self.sources["sides"], fill_color="fill", fill_alpha=0.13, line_width=0
        )
        drawn.multi_line(
            "xs", "ys", source=self.sources["lines"], color="colour", line_width="width", line_dash="dash"
        )
        head = NormalHead(size=9, fill_color=look.green, line_color=look.green)
        drawn.add_layout(
            Arrow(
                x_start="x0",
                y_start="y0",
                x_end="x1",
                y_end="y1",
                source=self.sources["arrow"],
                end=head,
                line_color=look.green,
                line_width=1.3 * look.line,
            )
        )
        self.points = drawn.scatter(
            "x",
            "y",
            source=self.sources["points"],
            size="size",
            marker="marker",
            fill_color="fill",
            line_color="edge",
            line_width=1.8,
            fill_alpha=0.6,
            tags=HANDLE,
        )
        drawn.scatter(
            "x",
            "y",
            source=self.sources["visited"],
            size=RING,
            marker="circle",
            fill_color=None,
            line_color=look.vermillion,
            line_width=2.6,
        )
        tips = [("sample", "@sample"), ("y", "@label"), ("α", "@alpha{0.0000}"), ("w·x + b", "@value{0.000}")]
        hover = HoverTool(tooltips=tips, renderers=[self.points], visible=False)
        drawn.add_tools(hover)
        if self.linked is not None:
            self.linked.light_in(drawn, hover, self.sources["points"])
        return drawn

    def facts(self):
        """What the page's script draws points with."""
        look = self.look
        return {
            "name": PLANE,
            "plot": self.figures["plane"].id,
            "most": MOST_POINTS,
            "names": list(NAMES),
            "cloud": next(iter(SOURCES)),
            "ids": {"sources": {name: source.id for name, source in self.sources.items()}},
            "clouds": {name: write_points(*made()) for name, made in SOURCES.items()},
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
    figures.figures |= figures.plane.figures
    figures.models["figures"] |= figures.plane.figures
    return figures
