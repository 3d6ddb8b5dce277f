"""Pictures that need no script and no network: formulas and figures as PNG.

Matplotlib and Bokeh are imported inside the functions, since checkers run without them.
"""

import base64
import html
import io
import re

import numpy as np

# What mathtext calls by another name, or has not.
SPELLED = (
    (r"\\text\{([^{}]*)\}", lambda found: r"\mathrm{" + found[1].replace(" ", r"\ ") + "}"),
    (r"\\operatorname\s*\{(\w+)\}", r"\\mathrm{\1}\\,"),
    (r"\\tfrac\b", r"\\frac"),
    (r"\\[lr]Vert\b", r"\\Vert"),
    (r"\\le\b", r"\\leq"),
    (r"\\ge\b", r"\\geq"),
)
DOTS_PER_INCH = 80
# Enough for lines and their smooth edges; a notebook holds each picture as text.
COLOURS = 48
# Bokeh's pixels in an inch, and its size where a figure fills what there is.
PIXELS, WIDTH, HEIGHT = 100, 620, 360
DASHES = {"dashed": "--", "dotted": ":", "dashdot": "-."}
MARKERS = {"diamond": "D", "square": "s", "triangle": "^", "inverted_triangle": "v", "x": "x", "cross": "+"}


def formula(latex):
    """A formula in LaTeX's math mode, set as a PNG on white.

    Parameters
    ----------
    latex : str
        One line, as `Erratum.printed`.

    Returns
    -------
    bytes
    """
    from matplotlib import mathtext
    from matplotlib.font_manager import FontProperties

    for spelled, replacement in SPELLED:
        latex = re.sub(spelled, replacement, latex)
    buffer = io.BytesIO()
    mathtext.math_to_image(f"${latex}$", buffer, FontProperties(size=12), DOTS_PER_INCH, "png")
    return buffer.getvalue()


def markup(png, alt="figure"):
    """A PNG as HTML that fetches nothing."""
    data = base64.b64encode(png).decode()
    return f"<img alt='{html.escape(alt, quote=True)}' src='data:image/png;base64,{data}'>"


def figure(plot):
    """A Bokeh figure, or a grid of them, as a PNG: lines, markers, bars, areas, spans, titles, axes, legends.

    Parameters
    ----------
    plot : bokeh.plotting.figure or bokeh.models.GridPlot

    Returns
    -------
    bytes
    """
    from bokeh.models import GridPlot
    from matplotlib.figure import Figure
    from PIL import Image

    placed = [child[:3] for child in plot.children] if isinstance(plot, GridPlot) else [(plot, 0, 0)]
    rows, columns = (max(place[k] for place in placed) + 1 for k in (1, 2))
    width = max(each.width or WIDTH for each, _, _ in placed) * columns
    height = max(each.height or HEIGHT for each, _, _ in placed) * rows
    canvas = Figure((width / PIXELS, height / PIXELS), dpi=DOTS_PER_INCH, layout="constrained")
    for each, row, column in placed:
        _draw_figure(canvas.add_subplot(rows, columns, row * columns + column + 1), each)
    buffer = io.BytesIO()
    canvas.savefig(buffer, format="png")
    small = io.BytesIO()
    picture = Image.open(buffer).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(small, "png", optimize=True)
    return small.getvalue()


def plot_of(pane):
    """The Bokeh figure that a pane of Panel shows."""
    import panel as pn

    if isinstance(pane, pn.pane.Bokeh):
        return pane.object
    import holoviews as hv

    return hv.render(pane.object, backend="bokeh")


def _draw_figure(axes, plot):
    from bokeh.models import GlyphRenderer, Span

    labels = _labels(plot)
    for renderer in plot.renderers:
        if isinstance(renderer, GlyphRenderer) and renderer.visible:
            _draw(axes, _Glyph(renderer, plot, labels.get(renderer.id)))
    for span in plot.select({"type": Span}):
        if span.visible and isinstance(span.location, int | float):
            across = axes.axhline if span.dimension == "width" else axes.axvline
            across(span.location, color=span.line_color, lw=span.line_width, ls=_dash(span.line_dash))
    _dress(axes, plot)
    if labels:
        axes.legend(fontsize="small")


class _Glyph:
    """What one renderer draws, with the numbers of its source."""

    def __init__(self, renderer, plot, label):
        self.kind = type(renderer.glyph).__name__
        self.glyph, self.data, self.label = renderer.glyph, renderer.data_source.data, label
        self.axes = {"x": plot.x_range, "y": plot.y_range}

    def numbers(self, name):
        """The values of a property; where the axis has factors, their places."""
        from bokeh.models import FactorRange

        values = self.of(name)
        axis = self.axes["y" if name in ("y", "y0", "y1", "y2", "top", "bottom", "ys") else "x"]
        if isinstance(axis, FactorRange) and np.size(values) and isinstance(np.ravel(values)[0], str):
            places = {factor: k + 0.5 for k, factor in enumerate(axis.factors)}
            return np.array([places[value] for value in np.ravel(values)])
        return np.asarray(values, dtype=float)

    def of(self, name):
        spec = getattr(self.glyph, name)
        field = spec if isinstance(spec, str) else getattr(spec, "field", None)
        if field is not None and field in self.data:
            return self.data[field]
        return getattr(spec, "value", spec)

    def style(self, name, other):
        """A colour or a width, if the whole glyph has one."""
        value = self.of(name) if hasattr(self.glyph, name) else None
        return value if isinstance(value, str | int | float) else other


def _draw(axes, glyph):
    colour = glyph.style("line_color", "#0072B2")
    line = {"color": colour, "lw": glyph.style("line_width", 1.5), "label": glyph.label}
    if hasattr(glyph.glyph, "line_dash"):
        line["ls"] = _dash(glyph.of("line_dash"))
    fill = {"color": glyph.style("fill_color", colour), "alpha": glyph.style("fill_alpha", 1.0)}
    if glyph.kind == "Line":
        axes.plot(glyph.numbers("x"), glyph.numbers("y"), **line)
    elif glyph.kind == "Step":
        where = {"before": "pre", "after": "post", "center": "mid"}[glyph.glyph.mode]
        axes.step(glyph.numbers("x"), glyph.numbers("y"), where=where, **line)
    elif glyph.kind == "Segment":
        (x0, y0, x1, y1) = (glyph.numbers(name) for name in ("x0", "y0", "x1", "y1"))
        axes.plot(np.stack([x0, x1]), np.stack([y0, y1]), **{**line, "label": None})
    elif glyph.kind in ("Scatter", "Circle"):
        mark = MARKERS.get(glyph.style("marker", "circle") if glyph.kind == "Scatter" else "circle", "o")
        area = float(glyph.style("size", 6)) ** 2 / 2
        place = glyph.numbers("x"), glyph.numbers("y")
        filled = glyph.style("fill_color", colour)
        axes.scatter(*place, area, filled, marker=mark, label=glyph.label, zorder=3)
    elif glyph.kind == "VBar":
        top, bottom = glyph.numbers("top"), glyph.numbers("bottom")
        axes.bar(glyph.numbers("x"), top - bottom, glyph.numbers("width"), bottom, label=glyph.label, **fill)
    elif glyph.kind == "VArea":
        axes.fill_between(glyph.numbers("x"), glyph.numbers("y1"), glyph.numbers("y2"), lw=0, **fill)
    elif glyph.kind in ("VSpan", "HSpan"):
        across, name = (axes.axvline, "x") if glyph.kind == "VSpan" else (axes.axhline, "y")
        for place in np.atleast_1d(glyph.numbers(name)):
            across(place, **{**line, "label": None})
    else:
        raise NotImplementedError(f"a picture of {glyph.kind}")


def _dash(dash):
    return DASHES.get(dash, "-") if isinstance(dash, str) else ("--" if dash else "-")


def _labels(plot):
    """The legend's text of each renderer."""
    items = [item for legend in plot.legend if legend.visible for item in legend.items]
    texts = ((item, getattr(item.label, "value", None)) for item in items)
    return {renderer.id: text for item, text in texts if text for renderer in item.renderers}


def _dress(axes, plot):
    from bokeh.models import FactorRange, LogScale

    for name, axis, scale, bounds in (
        ("x", plot.xaxis, plot.x_scale, plot.x_range),
        ("y", plot.yaxis, plot.y_scale, plot.y_range),
    ):
        if axis and axis[0].axis_label:
            getattr(axes, f"set_{name}label")(axis[0].axis_label)
        if isinstance(scale, LogScale):
            getattr(axes, f"set_{name}scale")("log")
        if isinstance(bounds, FactorRange):
            places = [k + 0.5 for k in range(len(bounds.factors))]
            getattr(axes, f"set_{name}ticks")(places, bounds.factors)
        elif all(isinstance(end, int | float) and np.isfinite(end) for end in (bounds.start, bounds.end)):
            getattr(axes, f"set_{name}lim")(bounds.start, bounds.end)
    if plot.title and plot.title.text:
        axes.set_title(plot.title.text, fontsize="medium")
