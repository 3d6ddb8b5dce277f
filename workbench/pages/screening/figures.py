"""The drawing of the page of screening: marks that cross themselves out, the ball, gaps, the path."""

from typing import ClassVar

import numpy as np
from bokeh.models import FixedTicker
from bokeh.transform import factor_cmap, factor_mark

from workbench.pages.drawing import Drawing, dots, figure, glyph, line, rule
from workbench.pages.played import Picture
from workbench.pages.ranges import thinned
from workbench.pages.screening.model import DRAWN
from workbench.pages.theme import LIGHT

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
MIN_BOUND, MAX_BOUND = 0.05, 1e4
# The points in the plane: their colours and markers.
POINTS = {"dual point, the centre": ("blue", "circle"), "dual optimum": ("ink", "star")}
RING = np.linspace(0.0, 2.0 * np.pi, 361)
TALL = (280, 20, 360)


def _by(column, table, look):
    """Colours of the look by a column, for a table whose entries begin with their names."""
    return factor_cmap(column, [getattr(look, colour) for colour, *_ in table.values()], list(table))


def _marked(source, x, y, size, column, table, width, **more):
    """Open marks whose colour and marker a column decides."""
    return dots(
        source,
        x,
        y,
        size,
        line_color=lambda look: _by(column, table, look),
        line_width=width,
        fill_color="paper",
        marker=lambda look: factor_mark(column, [each[1] for each in table.values()], list(table)),
        **more,
    )


def _runs(column, *says):
    """A curve of each run; what the key says of them in its order."""
    strokes = {
        "both": ("blue", "solid", 1),
        "plain": ("purple", "dashed", 0),
        "unscreened": ("vermillion", "dotted", -1),
    }
    return [
        line(each, "epoch", column, *strokes[each][:2], says=text, z=strokes[each][2]) for each, text in says
    ]


def _path(column, colour, dash, marker, says):
    mark = dots("path", "ratio", column, 6, color=colour, fill_color="paper", marker=marker)
    return line("path", "ratio", column, colour, dash, says=says), mark


TABLE = {
    "marks": figure(
        "Features still in the problem",
        "",
        "",
        _marked("marks", "x", "y", 11, "kind", KINDS, 2.0, part="dots"),
        tips=(("", "@name"), ("", "@says @since"), ("bound", "@bound{0.000}")),
        heights=TALL,
        x_range=(-1, ROW),
        y_range=(-1, 1),
    ),
    "ball": figure(
        "The ball that contains the dual optimum\u00a0☆",
        "along the first",
        "across, to the second",
        glyph("patch", "disc", "x", "y", color="blue", alpha=0.16, line_alpha=0.0),
        line("disc", "x", "y", "blue", says="its projection"),
        line("shadow", "x", "y", "purple", "dashed", 0.8, says="without extrapolation"),
        line("first", "x", "y", "vermillion", says="edge of the first"),
        line("second", "x", "y", "green", "dotted", says="of the second"),
        _marked("points", "x", "y", 10, "says", POINTS, 2.2, tip=True),
        tips=(("", "@says"), ("at", "(@x{0.0000}, @y{0.0000})")),
        heights=TALL,
        square=True,
    ),
    "bounds": figure(
        "A bound for each feature; below 1 it is discarded",
        "rank by correlation at λ_max",
        "bound over the threshold",
        rule("width", "ink", 1.5, location=1.0),
        _marked("bounds", "place", "bound", 7, "kind", KINDS, 2.0),
        tips=(("", "@name"), ("", "@says"), ("bound", "@bound{0.000}")),
        x_range=(-2, 10),
        y_range=(0.1, 10),
        y_axis_type="log",
    ),
    "epochs": figure(
        "Gap: with and without extrapolation",
        "epoch",
        "certified gap",
        _runs("gap", ("both", "with"), ("plain", "without"), ("unscreened", "without screening")),
        tips=(("gap", "@gap{0.00e+0}"),),
        x_range=(0, 1),
        y_range=(1e-6, 1),
        y_axis_type="log",
    ),
    "left": figure(
        "Left in the solver: with and without screening",
        "epoch",
        "left in the solver",
        _runs(
            "left",
            ("both", "with both"),
            ("unscreened", "without screening"),
            ("plain", "without extrapolation"),
        ),
        tips=(("epoch", "@epoch{0.0}"), ("left", "@left")),
        x_range=(0, 1),
        y_range=(0, 1),
    ),
    "path": figure(
        "Along the path, down to this λ",
        "λ / λ_max",
        "discarded",
        _path("solved", "blue", "solid", "circle", "by its solution"),
        _path("before", "green", "dashed", "square", "by the λ before"),
        _path("zero", "vermillion", "dotted", "triangle", "by w = 0"),
        tips=(
            ("λ / λ_max", "@ratio{0.000}"),
            ("by w = 0", "@zero"),
            ("by the λ before", "@before"),
            ("by its solution", "@solved"),
        ),
        x_range=(1.05, 0.5),
        y_range=(0, 1),
        x_axis_type="log",
    ),
}


class ScreeningDrawing(Drawing):
    """The figures of the page and their sources."""

    table = TABLE
    columns: ClassVar = {
        "marks": ("name", "bound", "kind", "since", "says"),
        "bounds": ("name", "kind", "says"),
        "points": ("says",),
    }

    def __init__(self, look=LIGHT):
        super().__init__(look)
        marks = self.figures["marks"]
        marks.axis.visible = False
        marks.grid.grid_line_color = None
        self.figures["path"].xaxis.ticker = FixedTicker(ticks=[1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01])
        texts = zip(
            SHAPES, KINDS.values(), ("discarded", "undecided", "undecided, w ≠ 0", "kept"), strict=True
        )
        kinds = (
            f"<span><span style='color: {getattr(look, colour)}'>{shape}</span> {says}</span>"
            for shape, (colour, _, _), says in texts
        )
        self.titles["marks"] = (TABLE["marks"].title, "".join(kinds))

    def _more(self):
        return {"glyphs": {"dots": self.parts["dots"].glyph}}


def picture(frame):
    """What the figures show of a frame, with the sentence of each."""
    picture = Picture()
    _show_marks(picture, frame["marks"])
    _show_ball(picture, frame["plane"])
    _show_runs(picture, frame["curves"], frame["marks"]["total"])
    _show_path(picture, frame)
    picture.captions |= {
        "marks": _counted(frame),
        "ball": _reached(frame),
        "bounds": _bound(frame),
        "epochs": _with_and_without(frame["curves"]),
        "left": _undecided(frame),
        "path": _path(frame),
    }
    return picture


def _show_marks(picture, marks):
    place, count = marks["place"], marks["place"].size
    says = [KINDS[kind][2] for kind in marks["kind"]]
    rows = -(-count // ROW)
    picture.fill(
        "marks",
        {
            "x": place % ROW,
            "y": -(place // ROW).astype(float),
            "says": says,
        }
        | {name: marks[name] for name in ("name", "bound", "kind", "since")},
    )
    # Few rows stand close together.
    picture.range("marks_y", -0.5 - max(rows - 0.5, 3.0), max(0.7, (4.0 - rows) / 2.0))
    picture.set("glyphs", "dots", size=11.0 if rows <= 12 else 9.0)
    bound = np.clip(marks["bound"], MIN_BOUND, MAX_BOUND)
    picture.fill(
        "bounds",
        {
            "place": place + 1.0,
            "bound": bound,
            "name": marks["name"],
            "kind": marks["kind"],
            "says": says,
        },
    )
    picture.range("bounds_x", 1.0 - 0.03 * count, 1.03 * count + 1.0)
    picture.range("bounds_y", min(0.2, 0.6 * float(bound.min())), max(2.0, 1.6 * float(bound.max())))


def _show_ball(picture, plane):
    middle, half = plane["window"]
    for source, name in (("disc", "both"), ("shadow", "plain")):
        at, radius = plane["balls"][name]
        picture.fill(source, {"x": at[0] + radius * np.cos(RING), "y": at[1] + radius * np.sin(RING)})
    for source, edge in zip(("first", "second"), plane["edges"], strict=True):
        picture.fill(source, {"x": edge[:, 0], "y": edge[:, 1]})
    points = [plane["balls"]["both"][0], *([] if plane["optimum"] is None else [plane["optimum"]])]
    x, y = np.transpose(points)
    picture.fill("points", {"x": x, "y": y, "says": list(POINTS)[: len(points)]})
    picture.fill("window", {axis: [at - half, at + half] for axis, at in zip("xy", middle, strict=True)})


def _show_runs(picture, curves, total):
    for name, curve in curves.items():
        at = thinned(curve["gap"].size)
        gap = np.where(curve["gap"] > 0.0, curve["gap"], np.nan)
        picture.fill(name, {"epoch": curve["epoch"][at], "left": curve["left"][at], "gap": gap[at]})
    gaps = np.concatenate([curve["gap"] for curve in curves.values()])
    longest = 1.02 * max(curve["epoch"][-1] for curve in curves.values()) or 1.0
    for name in ("epochs", "left"):
        picture.range(f"{name}_x", 0.0, longest)
    picture.decades("epochs_y", gaps[gaps > 0.0], 12, 4)
    picture.range("left_y", 0.0, 1.06 * total)


def _show_path(picture, frame):
    path = frame["path"]
    picture.fill(
        "path", {name: [] if path is None else path[name] for name in ScreeningDrawing.columns["path"]}
    )
    if path is not None:
        total = frame["marks"]["total"]
        picture.range("path_x", 1.1, min(0.5, 0.9 * frame["ratio"]))
        picture.range("path_y", -0.04 * total, 1.06 * total)


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
    count = marks["total"] - marks["discarded"] - marks["kept"]
    note = (
        f" {marks['kept']:,} are certain to be nonzero."
        if marks["kept"]
        else " Without a ridge term none can be certified to be nonzero."
        if not frame["ridge"]
        else ""
    )
    return f"The ball leaves {count:,} undecided at radius {frame['plane']['balls']['both'][1]:.3g}.{note}"


def _reached(frame):
    plane = frame["plane"]
    radius, other = (plane["balls"][name][1] for name in ("both", "plain"))
    parts = []
    for name, away, kind in zip(plane["names"], plane["distances"], plane["kinds"], strict=True):
        if not np.isfinite(away):
            parts.append(f"{name} is never reached here")
            continue
        verdict = WORDS.get(kind, "may be nonzero" if away <= radius else "not reached, yet not ruled out")
        parts.append(f"the edge of {name} is {away:.3g} away: {verdict}")
    return f"Radius {radius:.3g} ({other:.3g} without extrapolation); {'; '.join(parts)}."


def _with_and_without(curves):
    parts = []
    for name, word in (("both", "With"), ("plain", "without")):
        curve = curves[name]
        gap, after = (curve[key][curve["at"]] for key in ("gap", "epoch"))
        parts.append(f"{word} extrapolation {gap:.2e} after {after:.3g} epochs")
    return f"{'; '.join(parts)}."


def _undecided(frame):
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
