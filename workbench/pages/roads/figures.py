"""The drawing of the page of roads: paths over the saddle, certified gaps, both errors, the table."""

import html

import numpy as np
from bokeh.models import CustomJS, FixedTicker, LinearColorMapper, Range1d
from bokeh.transform import factor_cmap

from workbench.pages import theme
from workbench.pages.browser import FOLDER, HANDLE
from workbench.pages.drawing import Drawing
from workbench.pages.numerals import numerals
from workbench.pages.played import Picture
from workbench.pages.ranges import bands, positive, thinned
from workbench.pages.roads.model import CELLS, COMPARED, MARKS, METHODS, NAMES
from workbench.pages.theme import stroke

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
ENDS = ("place", "height", "marker", "name", "passes", "value")
# Where a logarithmic axis of passes has its start.
START = 0.5
# The saddle's colours stay light, so that paths are seen on them.
PALE = 2.5
TALL = (250, 19, 400)
LISTED = "How soon each gap is certified"
HOLDS = {("alpha",): "keeps α", ("w",): "keeps w", ("w", "alpha"): "keeps w and α"}


class RoadsDrawing(Drawing):
    """The figures of the page and their sources."""

    columns = (
        {name: ("place", "passes", *CURVES.values()) for name in NAMES}
        | {PATH + name: ("weight", "dual", "passes", "name") for name in NAMES}
        | {f"ends of {name}": ENDS for name in CURVES}
        | {
            "surface": ("image", "x", "y", "dw", "dh"),
            "valley": ("weight", "dual", "least"),
            "ridge": ("weight", "dual", "most"),
            "star": ("weight", "dual"),
            "hand": ("weight", "dual"),
            "best": ("weight", "dual"),
        }
    )

    def __init__(self, look=theme.LIGHT):
        super().__init__(look)
        self._blank(CELLS)

    def _more(self):
        return {"mappers": {"bands": self.bands}}

    def _titles(self):
        return _titles(self.look)

    def _saddle(self):
        drawn = self._plot(
            "saddle",
            "weight",
            "dual variable",
            [("", "@name"), ("after", "@passes"), ("at", "(@weight{0.00000}, @dual{0.00000})")],
            heights=TALL,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
        )
        look = self.look
        self.bands = LinearColorMapper(palette=bands(look), low=-1, high=1, nan_color=look.ground)
        drawn.image("image", "x", "y", "dw", "dh", source=self.sources["surface"], color_mapper=self.bands)
        lines = {"color": look.muted, "width": 0.8 * look.line}
        drawn.line("weight", "dual", source=self.sources["valley"], **lines)
        drawn.line("weight", "dual", source=self.sources["ridge"], dash="dashed", **lines)
        seen = []
        for name, (colour, dash) in STROKES.items():
            source, colour = self.sources[PATH + name], getattr(look, colour)
            drawn.line("weight", "dual", source=source, color=colour, width=look.line, dash=dash)
            seen.append(
                drawn.scatter(
                    "weight",
                    "dual",
                    source=source,
                    size=5,
                    line_color=colour,
                    line_width=1.4,
                    fill_color=colour if dash == "solid" else look.paper,
                )
            )
        drawn.scatter(
            "weight",
            "dual",
            source=self.sources["star"],
            marker="star",
            size=18,
            fill_color=look.paper,
            line_color=look.ink,
            line_width=2.0,
        )
        drawn.line(
            "weight", "dual", source=self.sources["best"], color=look.ink, width=look.line, dash="dotted"
        )
        drawn.scatter(
            "weight",
            "dual",
            source=self.sources["hand"],
            marker="diamond",
            size=16,
            tags=HANDLE,
            fill_color=look.ink,
            line_color=look.paper,
        )
        named = ("surface", "valley", "ridge", "star", "hand", "best")
        moved = CustomJS(
            args={"plot": drawn} | {name: self.sources[name] for name in named},
            code=FOLDER.joinpath("roads", "weak_duality.js").read_text("utf-8"),
        )
        for event in ("tap", "panstart", "pan"):
            drawn.js_on_event(event, moved)
        # Filled last of those that it reads.
        self.sources["ridge"].js_on_change("data", moved)
        drawn.title.update(
            text="P(w) ≥ R(w, α) ≥ −D(α)", text_color=look.ink, text_font=theme.FONT, text_font_size="12px"
        )
        drawn.hover.renderers = seen
        drawn.ygrid.grid_line_color = None
        return drawn

    def _gaps(self):
        return self._curves("gaps", "certified relative gap")

    def _above(self):
        return self._curves("above", "P(w) above the optimum")

    def _below(self):
        return self._curves("below", "dual value below the optimum")

    def _curves(self, name, label):
        drawn = self._plot(
            name,
            COMPARED[METHODS].axis,
            label,
            [("", "@name"), ("after", "@passes"), ("", "@value{0.00e+0}")],
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(0.8 * START, 10),
            y_range=Range1d(1e-6, 1),
        )
        drawn.xaxis.ticker = FixedTicker(ticks=[START, 1, 10, 100, 1000, 10_000])
        drawn.xaxis.major_label_overrides = {START: "0", 1: "1", 10: "10", 100: "100", 1000: "1,000"}
        for road, (colour, dash) in STROKES.items():
            drawn.line(
                "place",
                CURVES[name],
                source=self.sources[road],
                color=getattr(self.look, colour),
                width=self.look.line,
                dash=dash,
            )
        ends = drawn.scatter(
            "place",
            "height",
            source=self.sources[f"ends of {name}"],
            size=8,
            marker="marker",
            line_width=2.0,
            fill_color=self.look.paper,
            line_color=factor_cmap(
                "name", [getattr(self.look, colour) for colour, _ in STROKES.values()], list(STROKES)
            ),
        )
        drawn.hover.renderers = [ends]
        return drawn


def picture(frame, look):
    """What the figures show of a frame, with the sentence and the key of each."""
    made = Picture()
    _show_saddle(made, frame)
    _show_curves(made, frame)
    made.keys |= {name: key for name, (_, key) in _titles(look, frame["curves"]).items()}
    made.captions |= {
        "saddle": _place(frame),
        "gaps": _certified(frame),
        "above": _primal(frame),
        "below": _dual(frame),
    }
    return made


def _show_saddle(made, frame):
    seen, star = frame["saddle"], frame["star"]
    weight, dual, surface = seen["weight"], seen["dual"], seen["surface"]
    made.fill(
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
    made.set("mappers", "bands", low=-height or -1.0, high=height or 1.0)
    made.fill("star", {"weight": [star[0]], "dual": [star[1]]})
    made.fill("valley", {"weight": seen["valley"], "dual": dual, "least": seen["least"]})
    made.fill("ridge", {"weight": weight, "dual": seen["ridge"], "most": seen["most"]})
    for name in NAMES:
        path = frame["paths"].get(name, np.empty((0, 2)))
        kept = thinned(len(path))
        made.fill(
            PATH + name,
            {
                "weight": path[kept, 0],
                "dual": path[kept, 1],
                "passes": kept,
                "name": [name] * kept.size,
            },
        )
    sample, feature = frame["plane"]
    made.range("saddle_x", weight[0], weight[-1])
    made.range("saddle_y", dual[0], dual[-1])
    made.set("axes", "saddle_x", axis_label=f"weight {feature + 1}")
    made.set("axes", "saddle_y", axis_label=f"α of sample {sample + 1}")


def _show_curves(made, frame):
    curves = frame["curves"]
    longest = max(float(curve["epoch"][-1]) for curve in curves.values())
    for figure, key in CURVES.items():
        made.set("axes", f"{figure}_x", axis_label=frame["words"].axis)
        made.range(f"{figure}_x", 0.8 * START, max(10.0, 1.3 * longest))
        values = np.concatenate([curve[key] for curve in curves.values()])
        made.decades(f"{figure}_y", values[np.isfinite(values) & (values > 0.0)], 10, 2)
        lowest = made.models["ranges"].get(f"{figure}_y", {"start": 0.0})["start"]
        _show_ends(made, figure, key, curves, frame["at"], 1.5 * lowest)
    for name in NAMES:
        columns = {key: [] for key in RoadsDrawing.columns[name]}
        if name in curves:
            curve, kept = curves[name], thinned(curves[name]["epoch"].size)
            columns = {key: positive(curve[key][kept]) for key in CURVES.values()}
            columns["passes"] = curve["epoch"][kept]
            columns["place"] = np.maximum(columns["passes"], START)
        made.fill(name, columns)


def _show_ends(made, figure, key, curves, at, edge):
    """Where each road is now; one that no logarithm reaches stands as a triangle at the lower edge."""
    values = [float(curve[key][at[name]]) for name, curve in curves.items()]
    passes = [float(curve["epoch"][at[name]]) for name, curve in curves.items()]
    made.fill(
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


def _titles(look, drawn=tuple(STROKES)):
    """Titles and keys of the figures, with the methods that are drawn."""
    key = "".join(
        stroke(dash, getattr(look, colour), name) for name, (colour, dash) in STROKES.items() if name in drawn
    )
    lines = stroke("solid", look.muted, "valley: best w") + stroke("dashed", look.muted, "ridge: best α")
    return {
        "saddle": ("Paths over the saddle R(w, α), to ☆", lines + key),
        "gaps": ("Certified relative gap", key),
        "above": ("Primal error", key),
        "below": ("Dual error", key),
    }


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
    done = sum(row.first[-1] is not None for row in rows)
    return (
        f"After {frame['passes']:g} {words.units}: {best.name} has the smallest gap, "
        f"{best.relative_gap:.1e}; {done} of {len(rows)} {words.many} have certified {MARKS[-1]:g}. ▽ at the "
        f"lower edge: the gap is zero.{frame['cost']}"
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
    found = {name: float(np.nanmin(curve[key][: at[name] + 1])) for name, curve in curves.items()}
    name = min(found, key=found.get)
    return name, max(found[name], 0.0)


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
