"""Figures of the page "Dual lab" for lessons: one run after a number of epochs, drawn in Python."""

import math

import numpy as np

from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.dual_lab.model import format_text
from workbench.pages.ranges import positive, set_range, thinned
from workbench.pages.time_marks import WORDING
from workbench.solvers.run import Run

MAX_WEIGHTS, MAX_SAMPLES = 160, 400
# What a figure does not choose, and how tall it is: it stands in no window of four.
BEGUN = {"source": "Breast cancer", "lam": 1e-3, "epsilon": 0.1}
HEIGHT = "clamp(230px, 25vw, 300px)"
# A dual variable this close to an end of its interval is there.
AT_END = 1e-9
# A range that the values fill less than this is drawn closer around them.
LEAST_FILLED = 0.5


def figure_of(which, epochs, choices):
    """Return the figure of a name, and its sentence; `choices` are of a `DualLab`."""
    settings = dual_lab.DualLab(**BEGUN | choices).param.values()
    run = Run(dual_lab.problem(settings), dual_lab.specification(settings)[2], seed=settings["seed"])
    run.record()
    for _ in range(epochs):
        run.epoch()
        run.record()
    figures = DualLabFigures()
    names = [*dual_lab.dataset(settings).feature_names, "(constant)"]
    sentence = DRAWN[which](figures.figures[which], figures.sources, run, names)
    plot = figures.figures[which]
    plot.styles = plot.styles | {"height": HEIGHT}
    return plot, sentence


def _curves(plot, sources, run):
    rows = [run.rows[k] for k in thinned(len(run.rows))]
    names = ("epoch", "primal", "dual", "gap")
    time, primal, dual, gap = (np.array([row[name] for row in rows]) for name in names)
    primal, dual = (np.where(np.isfinite(values), values, np.nan) for values in (primal, dual))
    sources["curves"].data = {"time": time, "primal": primal, "dual": dual, "gap": positive(gap)}
    set_range(plot.x_range, 0.0, 1.01 * time[-1])
    return sources["curves"].data, run.rows[-1]


def _gap(plot, sources, run, _names):
    columns, row = _curves(plot, sources, run)
    decades(plot.y_range, columns["gap"][np.isfinite(columns["gap"])], 12, least=5)
    return format_text(
        "gap", mark="The gap is ", gap=row["gap"], elapsed=WORDING.format_text("epochs", **row)
    )


def _objective(plot, sources, run, _names):
    columns, row = _curves(plot, sources, run)
    objective_range(plot.y_range, columns["primal"], columns["dual"])
    return format_text("objective", **row)


def _weights(plot, sources, run, names):
    w, _ = run.problem.split(run.last.w)
    count = min(MAX_WEIGHTS, w.size)
    features = np.sort(np.argsort(-np.abs(w), kind="stable")[:count])
    zero = w[features] == 0.0
    columns = {
        "place": np.arange(float(count)),
        "weight": w[features],
        "name": np.array([str(names[j]) for j in features]),
        "feature": features,
        "kind": np.where(zero, "zero", "other"),
    }
    sources["weights"].data = columns
    sources["zero_weights"].data = {name: column[zero] for name, column in columns.items()}
    around(plot.y_range, w[features], 0.08, zero=True)
    set_range(plot.x_range, -1.0, float(count))
    return format_text("hollow", zeros=np.count_nonzero(w == 0.0), d=w.size).strip()


def _duals(plot, sources, run, _names):
    problem, alpha = run.problem, run.last.alpha
    margin = problem.loss.kind == "margin"
    value = alpha * problem.y if margin else alpha
    order = np.argsort(-value, kind="stable")
    place = thinned(order.size, MAX_SAMPLES)
    nu, ends = problem.nu(alpha), (problem.loss.entry["lower"], problem.loss.entry["upper"])
    at_end = np.any([np.abs(nu - end) <= AT_END for end in ends], axis=0)
    kind = np.where(alpha == 0.0, "zero", np.where(at_end, "bound", "free"))
    rows = order[place]
    sources["duals"].data = {
        "place": place,
        "value": value[rows],
        "sample": rows,
        "kind": kind[rows].tolist(),
    }
    around(plot.y_range, value[rows], 0.1, zero=True)
    set_range(plot.x_range, -0.02 * alpha.size - 1, 1.02 * alpha.size)
    plot.yaxis[0].axis_label = "α·y" if margin else "α"
    free, bound = (int(np.count_nonzero(kind == name)) for name in ("free", "bound"))
    return format_text("support", support=free + bound, n=alpha.size, bound=bound, free=free)


def objective_range(bounds, primal, dual):
    """Set the range without a first primal far above the rest, which would flatten both curves."""
    if not (np.isfinite(primal).any() and np.isfinite(dual).any()):
        return
    tail = primal[len(primal) // 3 :]
    settled = np.nanmax(tail) if np.isfinite(tail).any() else np.nanmax(primal)
    top = min(np.nanmax(primal), settled + 2.0 * max(settled - np.nanmax(dual), 0.5 * abs(settled)))
    bottom = max(np.nanmin(dual), top - 3.0 * max(top - np.nanmax(dual), abs(top)))
    around(bounds, np.array([bottom, top]), 0.06)


def decades(bounds, values, most, least=0):
    """Return a logarithmic range around positive values, at most some decades below the largest."""
    if values.size:
        low = np.clip(values.min(), values.max() * 10.0**-most, values.max() * 10.0**-least)
        set_range(bounds, 10.0 ** math.floor(math.log10(low)), 2.0 * float(values.max()))


def around(bounds, values, margin, zero=False):
    """Set a range around the values, with zero in it where wanted; one that still fits stands still.

    An axis that jumps with every change hides what has changed, and has the browser lay the figure out anew.
    """
    values = values[np.isfinite(values)]
    if not values.size or (zero and not np.any(values)):
        return
    low, high = float(np.min(values)), float(np.max(values))
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    present = bounds.end - bounds.start
    if bounds.start <= low and high <= bounds.end and high - low >= LEAST_FILLED * present:
        return
    spread = (high - low) or max(abs(high), 1.0)
    set_range(bounds, low - margin * spread, high + margin * spread)


DRAWN = {"gap": _gap, "objective": _objective, "weights": _weights, "duals": _duals}
