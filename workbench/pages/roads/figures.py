"""The drawing of the page of roads: paths over the saddle, certified gaps, both errors, the table."""

import html
from typing import ClassVar

import numpy as np
from bokeh.models import CustomJS, FixedTicker, LinearColorMapper
from bokeh.transform import factor_cmap

from workbench.pages import theme
from workbench.pages.browser import HANDLE, bundle
from workbench.pages.drawing import Drawing, dots, figure, image, key, line
from workbench.pages.numerals import numerals
from workbench.pages.played import Picture
from workbench.pages.ranges import bands, positive, thinned
from workbench.pages.roads.model import CELLS, COMPARED, MARKS, METHODS, NAMES

# Colour and dash of each road, a colour a family.
STROKES = {
    "Gauss-Seidel": ("blue", "solid"),
    "SDCA": ("blue", "dotted"),
    "Augmented Lagrangian": ("blue", "dashed"),
    "Frank-Wolfe": ("green", "dashed"),
    "PDHG": ("vermillion", "solid"),
    "PDHG, no restarts": ("vermillion", "dotted"),
    "Proximal gradient": ("purple", "dashed"),
    "PGS": ("orange", "solid"),
    "L-BFGS": ("orange", "dashed"),
    "Conjugate gradients": ("green", "solid"),
    "1 part": ("blue", "solid"),
    "2 parts": ("blue", "dashed"),
    "4 parts": ("green", "solid"),
    "8 parts": ("green", "dashed"),
    "16 parts": ("vermillion", "solid"),
    "32 parts": ("vermillion", "dashed"),
}
CURVES = {"gaps": "relative_gap", "above": "above", "below": "below"}
PATH = "path of "
# Where a logarithmic axis of passes has its start.
START = 0.5
# The saddle's colours stay light, so that paths are seen on them.
PALE = 2.5
LISTED = "How soon each gap is certified"
HOLDS = {("alpha",): "keeps α", ("w",): "keeps w", ("w", "alpha"): "keeps w and α"}


def _saddle():
    """Lines through the saddle, the path of each road, its point, and the one that a hand drags."""
    yield image("surface", CELLS, _bands, part="surface")
    yield line("valley", "weight", "dual", "muted", "solid", 0.8, says="valley: best w")
    yield line("ridge", "weight", "dual", "muted", "dashed", 0.8, says="ridge: best α")
    for name, (colour, dash) in STROKES.items():
        source, fill = PATH + name, colour if dash == "solid" else "paper"
        yield line(source, "weight", "dual", colour, dash, says=name)
        yield dots(source, "weight", "dual", 5, line_color=colour, line_width=1.4, fill_color=fill, tip=True)
    open_mark = {"fill_color": "paper", "line_color": "ink", "line_width": 2.0}
    yield dots("star", "weight", "dual", 18, marker="star", **open_mark)
    yield line("best", "weight", "dual", "ink", "dotted")
    edge = {"fill_color": "ink", "line_color": "paper"}
    yield dots("hand", "weight", "dual", 16, marker="diamond", tags=HANDLE, **edge)


def _bands(look):
    return LinearColorMapper(palette=bands(look), low=-1, high=1, nan_color=look.ground)


def _names(look):
    return factor_cmap("name", [getattr(look, colour) for colour, _ in STROKES.values()], list(STROKES))


def _curves(name, title, label):
    """A figure over passes with a curve of each road, and where it ends."""
    ends = {"marker": "marker", "line_width": 2.0, "fill_color": "paper", "line_color": _names}
    return figure(
        title,
        COMPARED[METHODS].axis,
        label,
        [line(road, "place", CURVES[name], *stroke, says=road) for road, stroke in STROKES.items()],
        dots(f"ends of {name}", "place", "height", 8, tip=True, **ends),
        tips=(("", "@name"), ("after", "@passes"), ("", "@value{0.00e+0}")),
        x_axis_type="log",
        y_axis_type="log",
        x_range=(0.8 * START, 10),
        y_range=(1e-6, 1),
    )


TABLE = {
    "saddle": figure(
        "Paths over the saddle R(w, α), to ☆",
        "weight",
        "dual variable",
        list(_saddle()),
        tips=(("", "@name"), ("after", "@passes"), ("at", "(@weight{0.00000}, @dual{0.00000})")),
        heights=(250, 19, 400),
        grid=False,
        x_range=(0, 1),
        y_range=(0, 1),
    ),
    "gaps": _curves("gaps", "Certified relative gap", "certified relative gap"),
    "above": _curves("above", "Primal error", "P(w) above the optimum"),
    "below": _curves("below", "Dual error", "dual value below the optimum"),
}


class RoadsDrawing(Drawing):
    """The figures of the page and their sources."""

    table = TABLE
    columns: ClassVar = (
        dict.fromkeys(NAMES, ("passes",))
        | {PATH + name: ("passes", "name") for name in NAMES}
        | {f"ends of {name}": ("marker", "name", "passes", "value") for name in CURVES}
        | {"valley": ("least",), "ridge": ("most",)}
    )

    def __init__(self, look=theme.LIGHT):
        super().__init__(look)
        saddle = self.figures["saddle"]
        names = ("surface", "valley", "ridge", "star", "hand", "best")
        callback = CustomJS(
            args={"plot": saddle} | {name: self.sources[name] for name in names},
            code=bundle("roads"),
            module=True,
        )
        for event in ("tap", "panstart", "pan"):
            saddle.js_on_event(event, callback)
        # Filled last of those that it reads.
        self.sources["ridge"].js_on_change("data", callback)
        saddle.title.update(
            text="P(w) ≥ R(w, α) ≥ −D(α)", text_color=look.ink, text_font=theme.FONT, text_font_size="12px"
        )
        for name in CURVES:
            axis = self.figures[name].xaxis
            axis.ticker = FixedTicker(ticks=[START, 1, 10, 100, 1000, 10_000])
            axis.major_label_overrides = {START: "0", 1: "1", 10: "10", 100: "100", 1000: "1,000"}

    def _more(self):
        return {"mappers": {"bands": self.parts["surface"].glyph.color_mapper}}


def keys(look, curves):
    """The keys of the figures, with the roads that are drawn."""
    names = set(STROKES) - set(curves)
    return {name: key(row, look, lambda each: each.says not in names) for name, row in TABLE.items()}


def picture(frame, look):
    """What the figures show of a frame, with the sentence and the key of each."""
    picture = Picture()
    _show_saddle(picture, frame)
    _show_curves(picture, frame)
    picture.keys |= keys(look, frame["curves"])
    picture.captions |= {
        "saddle": _place(frame),
        "gaps": _certified(frame),
        "above": _primal(frame),
        "below": _dual(frame),
    }
    return picture


def _show_saddle(picture, frame):
    grid, star = frame["saddle"], frame["star"]
    weight, dual, surface = grid["weight"], grid["dual"], grid["surface"]
    picture.fill(
        "surface",
        {
            "image": surface.ravel(),
            "x": [weight[0]],
            "y": [dual[0]],
            "dw": [weight[-1] - weight[0]],
            "dh": [dual[-1] - dual[0]],
        },
    )
    finite = np.abs(surface[np.isfinite(surface)])
    height = PALE * float(np.quantile(finite, 0.8)) if finite.size else 1.0
    picture.set("mappers", "bands", low=-height or -1.0, high=height or 1.0)
    picture.fill("star", {"weight": [star[0]], "dual": [star[1]]})
    picture.fill("valley", {"weight": grid["valley"], "dual": dual, "least": grid["least"]})
    picture.fill("ridge", {"weight": weight, "dual": grid["ridge"], "most": grid["most"]})
    for name in NAMES:
        path = frame["paths"].get(name, np.empty((0, 2)))
        places = thinned(len(path))
        picture.fill(
            PATH + name,
            {
                "weight": path[places, 0],
                "dual": path[places, 1],
                "passes": places,
                "name": [name] * places.size,
            },
        )
    sample, feature = frame["plane"]
    picture.range("saddle_x", weight[0], weight[-1])
    picture.range("saddle_y", dual[0], dual[-1])
    picture.set("axes", "saddle_x", axis_label=f"weight {feature + 1}")
    picture.set("axes", "saddle_y", axis_label=f"α of sample {sample + 1}")


def _show_curves(picture, frame):
    curves = frame["curves"]
    longest = max(float(curve["epoch"][-1]) for curve in curves.values())
    for name, column in CURVES.items():
        picture.set("axes", f"{name}_x", axis_label=frame["words"].axis)
        picture.range(f"{name}_x", 0.8 * START, max(10.0, 1.3 * longest))
        values = np.concatenate([curve[column] for curve in curves.values()])
        picture.decades(f"{name}_y", values[np.isfinite(values) & (values > 0.0)], 10, 2)
        lowest = picture.models["ranges"].get(f"{name}_y", {"start": 0.0})["start"]
        _show_ends(picture, name, column, curves, frame["at"], 1.5 * lowest)
    for name in NAMES:
        columns = {each: [] for each in RoadsDrawing.columns[name]}
        if name in curves:
            curve, places = curves[name], thinned(curves[name]["epoch"].size)
            columns = {each: positive(curve[each][places]) for each in CURVES.values()}
            columns["passes"] = curve["epoch"][places]
            columns["place"] = np.maximum(columns["passes"], START)
        picture.fill(name, columns)


def _show_ends(picture, figure, key, curves, at, edge):
    """Where each road is now; one that no logarithm reaches stands as a triangle at the lower edge."""
    values = [float(curve[key][at[name]]) for name, curve in curves.items()]
    passes = [float(curve["epoch"][at[name]]) for name, curve in curves.items()]
    picture.fill(
        f"ends of {figure}",
        {
            "place": [max(each, START) for each in passes],
            "height": [max(each, edge) for each in values],
            "marker": ["circle" if each > edge else "inverted_triangle" for each in values],
            "name": list(curves),
            "passes": passes,
            "value": values,
        },
    )


def _place(frame):
    sample, feature = frame["plane"]
    closer = f", magnified {frame['zoom']} times" if frame["zoom"] > 1 else ""
    return (
        f"R over weight {feature + 1} and α of sample {sample + 1}, all else at the optimum{closer}. ☆ is "
        f"the saddle point ({frame['star'][0]:.5g}, {frame['star'][1]:.5g}); R is higher "
        "where it is orange, lower where blue, and minus infinity beyond the domain of k. Drag ◆: whatever w "
        "and α are, P(w) ≥ R(w, α) ≥ −D(α)."
    )


def _certified(frame):
    rows, words = frame["table"], frame["words"]
    best = min(rows, key=lambda row: row.relative_gap)
    count = sum(row.first[-1] is not None for row in rows)
    return (
        f"After {frame['passes']:g} {words.units}: {best.name} has the smallest gap, "
        f"{best.relative_gap:.1e}; {count} of {len(rows)} {words.many} have certified {MARKS[-1]:g}. ▽ at "
        f"the lower edge: the gap is zero.{frame['cost']}"
    )


def _primal(frame):
    low, high = frame["bracket"]
    name, value = _least(frame, "above")
    return (
        f"The optimum lies between {low:.8g} and {high:.8g}, {max(high - low, 0.0):.0e} apart, certified "
        f"by an accurate solve and the runs. The least P(w) so far is {name}'s, at most {value:.1e} above it."
    )


def _dual(frame):
    name, value = _least(frame, "below")
    return f"Each value is a certified lower bound. The best so far is {name}'s, at most {value:.1e} below."


def _least(frame, key):
    at, curves = frame["at"], frame["curves"]
    values = {name: float(np.nanmin(curve[key][: at[name] + 1])) for name, curve in curves.items()}
    name = min(values, key=values.get)
    return name, max(values[name], 0.0)


def table(rows, refused, look, units="passes"):
    """HTML of who certifies what when: the passes to each mark, and who cannot start, with the reason."""
    body = "".join(_row(row, look) for row in rows)
    body += "".join(
        f"<tr><th scope='row'>{html.escape(name)}</th>"
        f"<td class='wb-why' colspan='{len(MARKS) + 1}'>{html.escape(_why(reason))}</td></tr>"
        for name, reason in refused.items()
    )
    marks = "".join(f"<th scope='col'>{_power(mark)}</th>" for mark in MARKS)
    return (
        "<div class='wb-note' style='overflow-x: auto' tabindex='0' role='region' "
        f"aria-label='{LISTED}'><table class='wb-table'><thead><tr>"
        f"<th scope='col'>{units} to</th>{marks}<th scope='col'>now</th></tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _row(row, look):
    colour, dash = STROKES[row.name]
    swatch = f"<i style='border-top: 3px {dash} {getattr(look, colour)}'></i>"
    passes = "".join(f"<td>{'–' if first is None else f'{first:g}'}</td>" for first in row.first)
    return (
        f"<tr><th scope='row'>{swatch}{html.escape(row.name)}<br><span class='wb-source'>"
        f"{HOLDS[row.holds]}</span></th>{passes}<td>{numerals(f'{row.relative_gap:.1e}')}</td></tr>"
    )


def _power(mark):
    return f"10<sup>{round(np.log10(mark))}</sup>"


def _why(refusal):
    """The reason of a refusal, without the solver's name before it and the advice behind."""
    reason = refusal.split(": ", 1)[-1].split("; ", 1)[0]
    return f"not applicable: {reason}"
