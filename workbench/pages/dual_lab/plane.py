"""Points in the plane in the Dual lab: what is drawn of a run, and the figure."""

import numpy as np
from bokeh.models import Arrow, HoverTool, NormalHead

from workbench.data.examples.plane import HALF_WIDTH
from workbench.pages import theme
from workbench.pages.drawing import Drawing
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.captions import said
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
CORNERS = HALF_WIDTH * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
# Sizes in pixels: of a sample with alpha = 0, what the largest |alpha| adds, and of the ring.
LEAST, LARGEST, RING = 7.0, 13.0, 28.0
# In the plane's units; a longer w is drawn no longer.
LONGEST = 2.5
HEIGHTS = (400, 14, 300)
# A bias of a smaller share of |w| is zero to rounding.
ROUNDING = 1e-12


def picture(lab):
    """What the plane shows of a lab; None where its samples are no points in the plane.

    Returns
    -------
    dict
        X (n, 2), y, alpha, value = w.x + b (n,); w (2,), b; `sample` of the last step or None; `margin`,
        whether the loss is one of margins; `other`, the w and b of the second configuration or None.
    """
    if lab.settings.get("source") != dual_lab.PLANE:
        return None
    found, run = dual_lab.dataset(lab.settings), lab.run
    w, b = run.problem.split(run.last.w)
    event = run.last_event
    return {
        "X": found.X, "y": found.y, "alpha": run.last.alpha, "value": found.X @ w + b, "w": w, "b": b,
        "sample": None if event is None else event.index, "margin": run.problem.loss.kind == "margin",
        "other": lab.other and lab.other.run.problem.split(lab.other.run.last.w),
    }  # fmt: skip


def cut(w, b):
    """The corners of the part of the square with w.x + b >= 0, and where w.x + b = 0 meets its edges."""
    values = CORNERS @ w + b
    corners, crossings = [], []
    for k, value in enumerate(values):
        after = values[(k + 1) % 4]
        if value >= 0.0:
            corners.append(CORNERS[k])
        if (value >= 0.0) != (after >= 0.0):
            crossing = CORNERS[k] + value / (value - after) * (CORNERS[(k + 1) % 4] - CORNERS[k])
            corners.append(crossing)
            crossings.append(crossing)
    return np.reshape(corners, (-1, 2)), np.reshape(crossings, (-1, 2))


class PlaneFigure(Drawing):
    """The figure of the plane.

    Parameters
    ----------
    look : theme.Look
    linked : DualLabFigures, optional
        What lights a sample in these figures lights it in the plane too.
    """

    def __init__(self, look=theme.LIGHT, linked=None):
        self.linked = linked
        super().__init__(look)


    columns, heights = COLUMNS, HEIGHTS

    def _titles(self):
        look = self.look
        key = (
            stroke("solid", look.ink, "w·x + b = 0") + stroke("dashed", look.ink, "±1")
            + stroke("solid", look.green, "w") + stroke("solid", look.vermillion, "○ last sample")
        )  # fmt: skip
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
        head = NormalHead(size=9 * look.scale, fill_color=look.green, line_color=look.green)
        drawn.add_layout(Arrow(
            x_start="x0", y_start="y0", x_end="x1", y_end="y1", source=self.sources["arrow"], end=head,
            line_color=look.green, line_width=1.3 * look.line,
        ))  # fmt: skip
        self.points = drawn.scatter(
            "x", "y", source=self.sources["points"], size="size", marker="marker", fill_color="fill",
            line_color="edge", line_width=1.8, fill_alpha=0.6,
        )  # fmt: skip
        drawn.scatter(
            "x", "y", source=self.sources["visited"], size=RING * look.scale, marker="circle",
            fill_color=None, line_color=look.vermillion, line_width=2.6,
        )  # fmt: skip
        tips = [
            ("sample", "@sample"), ("y", "@label"), ("α", "@alpha{0.0000}"), ("w·x + b", "@value{0.000}")
        ]  # fmt: skip
        hover = HoverTool(tooltips=tips, renderers=[self.points], visible=False)
        drawn.add_tools(hover)
        if self.linked is not None:
            self.linked.light_in(drawn, hover, self.sources["points"])
        return drawn

    def show(self, shown):
        """Fill the sources from a `picture` and return the sentence below the figure."""
        look, w, b = self.look, shown["w"], shown["b"]
        moves = bool(np.any(w)) or b != 0.0
        sides = [(cut(w, b)[0], look.orange), (cut(-w, -b)[0], look.blue)] if moves else []
        self.sources["sides"].data = _columns(
            [(corners, {"fill": colour}) for corners, colour in sides if len(corners) > 2], ("fill",)
        )
        self.sources["lines"].data = _columns(_lines(shown, look), ("width", "dash", "colour"))
        self.sources["arrow"].data = _arrow(w, b)
        chosen = [] if shown["sample"] is None else [shown["sample"]]
        self.sources["visited"].data = {"x": shown["X"][chosen, 0], "y": shown["X"][chosen, 1]}
        self._show_points(shown)
        return sentence(shown)

    def _show_points(self, shown):
        look, alpha, y = self.look, np.abs(shown["alpha"]), shown["y"]
        edge = np.where(y > 0.0, look.orange, look.blue)
        share = alpha / max(alpha.max(), np.finfo(float).tiny)
        self.sources["points"].data = {
            "x": shown["X"][:, 0], "y": shown["X"][:, 1], "label": y, "alpha": shown["alpha"],
            "value": shown["value"], "sample": np.arange(y.size),
            "size": look.scale * (LEAST + LARGEST * share),
            "fill": np.where(alpha > 0.0, edge, look.paper).tolist(), "edge": edge.tolist(),
            "marker": [MARKERS[label] for label in y],
        }  # fmt: skip


def _lines(shown, look):
    """The lines w.x + b = 0 and ±1 inside the square, and the boundary of the second configuration."""
    w, b = shown["w"], shown["b"]
    wanted = [(w, b - level, 1.2, "dashed", look.ink) for level in (-1.0, 1.0)]
    wanted.append((w, b, 2.8, "solid", look.ink))
    if shown["other"] is not None:
        wanted.append((*shown["other"], 2.4, "dashed", look.vermillion))
    lines = [
        (cut(normal, offset)[1], {"width": width * look.scale, "dash": dash, "colour": colour})
        for normal, offset, width, dash, colour in wanted
    ]
    return [(ends, style) for ends, style in lines if len(ends) == 2]


def _columns(pieces, styles):
    """The columns of paths (k, 2), each with what it looks like."""
    return {
        "xs": [path[:, 0].tolist() for path, _ in pieces], "ys": [path[:, 1].tolist() for path, _ in pieces],
    } | {name: [style[name] for _, style in pieces] for name in styles}  # fmt: skip


def _arrow(w, b):
    """w from the place of the boundary nearest to the origin, as long as it is, up to a length.

    Where the boundary is out of sight w begins at the origin.
    """
    length = float(np.hypot(*w))
    if length == 0.0:
        return {name: [] for name in COLUMNS["arrow"]}
    start = -b * w / length**2
    if np.abs(start).max() > HALF_WIDTH:
        start = np.zeros(2)
    end = start + w * min(1.0, LONGEST / length)
    return {"x0": start[:1], "y0": start[1:], "x1": end[:1], "y1": end[1:]}


def sentence(shown):
    """What the picture shows, in numbers."""
    norm, wrong = float(np.hypot(*shown["w"])), int((shown["y"] * shown["value"] <= 0.0).sum())
    kind = "plane_margin" if shown["margin"] else "plane_target"
    if norm > 0.0 and not len(cut(shown["w"], shown["b"])[1]):
        kind = "plane_outside"
    b = shown["b"] if abs(shown["b"]) > ROUNDING * norm else 0.0
    return said("plane", norm=norm, b=b, wrong=wrong, n=shown["y"].size, lines=said(kind))
