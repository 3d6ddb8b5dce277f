"""The drawing of the page of screening: marks that cross themselves out, the ball, gaps, the path."""

import numpy as np
from bokeh.models import FixedTicker, Range1d, Span
from bokeh.transform import factor_cmap, factor_mark

from workbench.pages.drawing import Drawing
from workbench.pages.played import Picture
from workbench.pages.ranges import thinned
from workbench.pages.screening.model import DRAWN
from workbench.pages.theme import stroke

COLUMNS = {
    "marks": ("x", "y", "name", "bound", "kind", "since", "says"),
    "bounds": ("place", "bound", "name", "kind", "says"),
    "disc": ("x", "y"),
    "shadow": ("x", "y"),
    "first": ("x", "y"),
    "second": ("x", "y"),
    "points": ("x", "y", "says"),
    "window": ("x", "y"),
    "both": ("epoch", "left", "gap"),
    "plain": ("epoch", "left", "gap"),
    "unscreened": ("epoch", "left", "gap"),
    "path": ("ratio", "zero", "before", "solved"),
}
# What a block is: its colour, its marker and what is said of it.
KINDS = {
    "discarded": ("muted", "x", "discarded: zero at every optimum"),
    "open": ("blue", "circle", "undecided, its weight is zero now"),
    "nonzero": ("vermillion", "diamond", "undecided, its weight is not zero now"),
    "kept": ("green", "square", "kept: not zero at the optimum"),
}
SHAPES = ("×", "○", "◇", "□")
WORDS = {"discarded": "discarded", "kept": "certain to be nonzero"}
ROW = 20
LEAST_BOUND, MOST_BOUND = 0.05, 1e4
# The points in the plane: their colours and markers.
POINTS = {"dual point, the centre": ("blue", "circle"), "dual optimum": ("ink", "star")}
RING = np.linspace(0.0, 2.0 * np.pi, 361)
TALL = (280, 20, 360)


class ScreeningDrawing(Drawing):
    """The figures of the page and their sources."""

    columns = COLUMNS

    def _more(self):
        return {"glyphs": {"dots": self.dots.glyph}}

    def _titles(self):
        look = self.look
        kinds = (
            f"<span style='color: {getattr(look, colour)}'>{shape}</span> {says}"
            for shape, (colour, _, _), says in zip(
                SHAPES, KINDS.values(), ("discarded", "undecided", "undecided, w ≠ 0", "kept"), strict=True
            )
        )
        return {
            "marks": ("Features still in the problem", "".join(f"<span>{each}</span>" for each in kinds)),
            "ball": (
                "The ball that contains the dual optimum\u00a0☆",
                stroke("solid", look.blue, "its projection")
                + stroke("dashed", look.purple, "without extrapolation")
                + stroke("solid", look.vermillion, "edge of the first")
                + stroke("dotted", look.green, "of the second"),
            ),
            "bounds": ("A bound for each feature; below 1 it is discarded", ""),
            "epochs": (
                "Gap: with and without extrapolation",
                stroke("solid", look.blue, "with")
                + stroke("dashed", look.purple, "without")
                + stroke("dotted", look.vermillion, "without screening"),
            ),
            "left": (
                "Left in the solver: with and without screening",
                stroke("solid", look.blue, "with both")
                + stroke("dotted", look.vermillion, "without screening")
                + stroke("dashed", look.purple, "without extrapolation"),
            ),
            "path": (
                "Along the path, down to this λ",
                stroke("solid", look.blue, "by its solution")
                + stroke("dashed", look.green, "by the λ before")
                + stroke("dotted", look.vermillion, "by w = 0"),
            ),
        }

    def _marks(self):
        drawn = self._plot(
            "marks",
            "",
            "",
            [("", "@name"), ("", "@says @since"), ("bound", "@bound{0.000}")],
            x_range=Range1d(-1, ROW),
            y_range=Range1d(-1, 1),
            heights=TALL,
        )
        self.dots = self._scatter(drawn, "marks", "x", "y", 11)
        drawn.axis.visible = False
        drawn.grid.grid_line_color = None
        return drawn

    def _bounds(self):
        drawn = self._plot(
            "bounds",
            "rank by correlation at λ_max",
            "bound over the threshold",
            [("", "@name"), ("", "@says"), ("bound", "@bound{0.000}")],
            x_range=Range1d(-2, 10),
            y_range=Range1d(0.1, 10),
            y_axis_type="log",
        )
        drawn.add_layout(Span(location=1.0, dimension="width", line_color=self.look.ink, line_width=1.5))
        self._scatter(drawn, "bounds", "place", "bound", 7)
        return drawn

    def _scatter(self, drawn, source, x, y, size):
        look = self.look
        colours, markers, _ = zip(*KINDS.values(), strict=True)
        colour = factor_cmap("kind", [getattr(look, name) for name in colours], list(KINDS))
        return drawn.scatter(
            x,
            y,
            source=self.sources[source],
            size=size,
            line_color=colour,
            line_width=2.0,
            fill_color=look.paper,
            marker=factor_mark("kind", list(markers), list(KINDS)),
        )

    def _ball(self):
        drawn = self._square(
            "ball",
            "along the first",
            "across, to the second",
            [("", "@says"), ("at", "(@x{0.0000}, @y{0.0000})")],
            heights=TALL,
        )
        look = self.look
        drawn.patch("x", "y", source=self.sources["disc"], color=look.blue, alpha=0.16, line_alpha=0.0)
        drawn.line("x", "y", source=self.sources["disc"], color=look.blue, width=look.line)
        drawn.line(
            "x", "y", source=self.sources["shadow"], color=look.purple, width=0.8 * look.line, dash="dashed"
        )
        drawn.line("x", "y", source=self.sources["first"], color=look.vermillion, width=look.line)
        drawn.line("x", "y", source=self.sources["second"], color=look.green, width=look.line, dash="dotted")
        colours, markers = zip(*POINTS.values(), strict=True)
        points = drawn.scatter(
            "x",
            "y",
            source=self.sources["points"],
            size=10,
            marker=factor_mark("says", list(markers), list(POINTS)),
            fill_color=look.paper,
            line_color=factor_cmap("says", [getattr(look, name) for name in colours], list(POINTS)),
            line_width=2.2,
        )
        drawn.hover.renderers = [points]
        return drawn

    def _epochs(self):
        drawn = self._plot(
            "epochs",
            "epoch",
            "certified gap",
            [("gap", "@gap{0.00e+0}")],
            x_range=Range1d(0, 1),
            y_range=Range1d(1e-6, 1),
            y_axis_type="log",
        )
        return self._runs(drawn, "gap")

    def _left(self):
        drawn = self._plot(
            "left",
            "epoch",
            "left in the solver",
            [("epoch", "@epoch{0.0}"), ("left", "@left")],
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
        )
        return self._runs(drawn, "left")

    def _runs(self, drawn, column):
        look = self.look
        strokes = {"unscreened": (look.vermillion, "dotted"), "plain": (look.purple, "dashed")}
        for source, (colour, dash) in (*strokes.items(), ("both", (look.blue, "solid"))):
            drawn.line("epoch", column, source=self.sources[source], color=colour, width=look.line, dash=dash)
        return drawn

    def _path(self):
        drawn = self._plot(
            "path",
            "λ / λ_max",
            "discarded",
            [
                ("λ / λ_max", "@ratio{0.000}"),
                ("by w = 0", "@zero"),
                ("by the λ before", "@before"),
                ("by its solution", "@solved"),
            ],
            x_range=Range1d(1.05, 0.5),
            y_range=Range1d(0, 1),
            x_axis_type="log",
        )
        drawn.xaxis.ticker = FixedTicker(ticks=[1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01])
        look, source = self.look, self.sources["path"]
        for column, colour, dash, marker in (
            ("solved", look.blue, "solid", "circle"),
            ("before", look.green, "dashed", "square"),
            ("zero", look.vermillion, "dotted", "triangle"),
        ):
            drawn.line("ratio", column, source=source, color=colour, width=look.line, dash=dash)
            drawn.scatter(
                "ratio",
                column,
                source=source,
                color=colour,
                fill_color=look.paper,
                marker=marker,
                size=6,
            )
        return drawn


def picture(frame):
    """What the figures show of a frame, with the sentence of each."""
    made = Picture()
    _show_marks(made, frame["marks"])
    _show_ball(made, frame["plane"])
    _show_runs(made, frame["curves"], frame["marks"]["total"])
    _show_path(made, frame)
    made.captions |= {
        "marks": _counted(frame),
        "ball": _reached(frame),
        "bounds": _bound(frame),
        "epochs": _with_and_without(frame["curves"]),
        "left": _left(frame),
        "path": _path(frame),
    }
    return made


def _show_marks(made, marks):
    place, count = marks["place"], marks["place"].size
    says = [KINDS[kind][2] for kind in marks["kind"]]
    rows = -(-count // ROW)
    made.fill(
        "marks",
        {
            "x": place % ROW,
            "y": -(place // ROW).astype(float),
            "says": says,
        }
        | {name: marks[name] for name in ("name", "bound", "kind", "since")},
    )
    # Few rows stand close together.
    made.range("marks_y", -0.5 - max(rows - 0.5, 3.0), max(0.7, (4.0 - rows) / 2.0))
    made.set("glyphs", "dots", size=11.0 if rows <= 12 else 9.0)
    bound = np.clip(marks["bound"], LEAST_BOUND, MOST_BOUND)
    made.fill(
        "bounds",
        {
            "place": place + 1.0,
            "bound": bound,
            "name": marks["name"],
            "kind": marks["kind"],
            "says": says,
        },
    )
    made.range("bounds_x", 1.0 - 0.03 * count, 1.03 * count + 1.0)
    made.range("bounds_y", min(0.2, 0.6 * float(bound.min())), max(2.0, 1.6 * float(bound.max())))


def _show_ball(made, plane):
    middle, half = plane["window"]
    for source, name in (("disc", "both"), ("shadow", "plain")):
        at, radius = plane["balls"][name]
        made.fill(source, {"x": at[0] + radius * np.cos(RING), "y": at[1] + radius * np.sin(RING)})
    for source, line in zip(("first", "second"), plane["edges"], strict=True):
        made.fill(source, {"x": line[:, 0], "y": line[:, 1]})
    points = [plane["balls"]["both"][0], *([] if plane["optimum"] is None else [plane["optimum"]])]
    x, y = np.transpose(points)
    made.fill("points", {"x": x, "y": y, "says": list(POINTS)[: len(points)]})
    made.fill("window", {axis: [at - half, at + half] for axis, at in zip("xy", middle, strict=True)})


def _show_runs(made, curves, total):
    for name, curve in curves.items():
        kept = thinned(curve["gap"].size)
        gap = np.where(curve["gap"] > 0.0, curve["gap"], np.nan)
        made.fill(name, {"epoch": curve["epoch"][kept], "left": curve["left"][kept], "gap": gap[kept]})
    gaps = np.concatenate([curve["gap"] for curve in curves.values()])
    longest = 1.02 * max(curve["epoch"][-1] for curve in curves.values()) or 1.0
    for name in ("epochs", "left"):
        made.range(f"{name}_x", 0.0, longest)
    made.decades("epochs_y", gaps[gaps > 0.0], 12, 4)
    made.range("left_y", 0.0, 1.06 * total)


def _show_path(made, frame):
    path = frame["path"]
    made.fill("path", {name: [] if path is None else path[name] for name in COLUMNS["path"]})
    if path is not None:
        total = frame["marks"]["total"]
        made.range("path_x", 1.1, min(0.5, 0.9 * frame["ratio"]))
        made.range("path_y", -0.04 * total, 1.06 * total)


def _things(frame):
    return "groups" if frame["grouped"] else "features"


def _counted(frame):
    marks = frame["marks"]
    cut = f" The {DRAWN} with the largest correlations at λ_max are drawn." if marks["total"] > DRAWN else ""
    return (
        f"{marks['discarded']:,} of {marks['total']:,} {_things(frame)} are discarded, {marks['first']:,} of "
        f"them before the solve; {marks['nonzero']:,} have weights that are not zero now.{cut}"
    )


def _bound(frame):
    marks = frame["marks"]
    left = marks["total"] - marks["discarded"] - marks["kept"]
    kept = (
        f" {marks['kept']:,} are certain to be nonzero."
        if marks["kept"]
        else " Without a ridge term none can be certified to be nonzero."
        if not frame["ridge"]
        else ""
    )
    return f"The ball leaves {left:,} undecided at radius {frame['plane']['balls']['both'][1]:.3g}.{kept}"


def _reached(frame):
    plane = frame["plane"]
    radius, other = (plane["balls"][name][1] for name in ("both", "plain"))
    said = []
    for name, away, kind in zip(plane["names"], plane["distances"], plane["kinds"], strict=True):
        if not np.isfinite(away):
            said.append(f"{name} is never reached here")
            continue
        verdict = WORDS.get(kind, "may be nonzero" if away <= radius else "not reached, yet not ruled out")
        said.append(f"the edge of {name} is {away:.3g} away: {verdict}")
    return f"Radius {radius:.3g} ({other:.3g} without extrapolation); {'; '.join(said)}."


def _with_and_without(curves):
    said = []
    for name, word in (("both", "With"), ("plain", "without")):
        curve = curves[name]
        gap, after = (curve[key][curve["at"]] for key in ("gap", "epoch"))
        said.append(f"{word} extrapolation {gap:.2e} after {after:.3g} epochs")
    return f"{'; '.join(said)}."


def _left(frame):
    left, all_of_them = (frame["curves"][name] for name in ("both", "unscreened"))
    return (
        f"After {left['epoch'][left['at']]:.3g} epochs the solver with screening reads "
        f"{left['left'][left['at']]:,} of {all_of_them['left'][0]:,} {_things(frame)} when it looks for what "
        "to change next; without screening it reads all of them, each time."
    )


def _path(frame):
    path = frame["path"]
    if path is None:
        return "Computed when the runs have ended, one λ after the other from λ_max down."
    return (
        f"At {path['ratio'][-1]:.2g} λ_max w = 0 discards {path['zero'][-1]:,}, the solution at the λ before "
        f"{path['before'][-1]:,}, and the solution itself {path['solved'][-1]:,}; "
        f"{path['nonzero'][-1]:,} are not zero."
    )
