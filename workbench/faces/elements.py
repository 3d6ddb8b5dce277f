"""Figures of HoloViews for Bokeh and Matplotlib: elements, which compose with + and *."""

import importlib.util

import numpy as np

from workbench.errors import InputError
from workbench.system import extras

# Weights of a path, and rows of a race, that are drawn.
MAX_CURVES = 20
POINTS = 400
# Where a function is drawn when its domain has no ends.
WINDOW = 4.0


def holoviews():
    """The library, with the back ends that are installed: options hold for whichever shows the figure."""
    extras.need("lessons", "plot()", "holoviews", "bokeh")
    import holoviews as hv
    import holoviews.plotting.bokeh

    if importlib.util.find_spec("matplotlib") is not None:
        import holoviews.plotting.mpl
    if not hv.Store.current_backend or hv.Store.current_backend not in hv.Store.renderers:
        hv.Store.set_current_backend("bokeh")
    return hv


def styled(element, **options):
    """An element with options for every back end that is loaded."""
    hv = holoviews()
    for backend in hv.Store.renderers:
        element = element.opts(backend=backend, **options)
    return element


def gap_curve(columns, label):
    """The relative gap over the epochs, a Curve."""
    hv = holoviews()
    gaps = np.asarray(columns["relative_gap"], dtype=float)
    shown = np.isfinite(gaps) & (gaps > 0.0)
    points = np.asarray(columns["epoch"], dtype=float)[shown], gaps[shown]
    return styled(hv.Curve(points, "epoch", "relative gap", label=label), logy=True)


def solution(given):
    """The way to a solution."""
    return gap_curve(given.columns, given.description["solver"])


def run(given):
    """The way of a run so far."""
    columns = {name: [row[name] for row in given.rows] for name in ("epoch", "relative_gap")}
    return gap_curve(columns, repr(given.solver))


def path(solutions):
    """The largest weights along lambda, an Overlay of Curves."""
    hv = holoviews()
    ordered = sorted(solutions, key=lambda each: each.description["lam"])
    if any(each.w is None for each in ordered):
        raise InputError("plot: with a kernel there are no weights to draw along λ")
    lams = np.array([each.description["lam"] for each in ordered])
    weights = np.array([np.ravel(each.w) for each in ordered])
    largest = np.sort(np.argsort(-np.abs(weights).max(axis=0), kind="stable")[:MAX_CURVES])
    curves = [hv.Curve((lams, weights[:, j]), "λ", "weight", label=f"w {j}") for j in largest]
    return styled(hv.Overlay([styled(curve, logx=True) for curve in curves]), show_legend=len(curves) <= 8)


def choice(points, chosen):
    """The held-out loss along lambda with its standard errors, and the lambda that was taken."""
    hv = holoviews()
    lams = [point.lam for point in points]
    losses = [point.loss for point in points]
    bars = (lams, losses, [point.loss_error for point in points])
    curve = styled(hv.Curve((lams, losses), "λ", "held-out loss"), logx=True)
    errors = styled(hv.ErrorBars(bars, "λ", ["held-out loss", "standard error"]), logx=True)
    return curve * errors * hv.VLine(chosen)


def race(rows):
    """Seconds of everyone, an Overlay of Scatters over the tasks."""
    hv = holoviews()
    names = list(dict.fromkeys(name for row in rows for name in row.seconds))
    drawn = []
    for name in names:
        found = [(f"{row.task}, {row.mark:g}", row.seconds[name]) for row in rows if name in row.seconds]
        drawn.append(styled(hv.Scatter(found, "task", "seconds", label=name), logy=True))
    return hv.Overlay(drawn)


def screening(given):
    """The bound of each feature or group, coloured by what became of it, an Overlay of Scatters."""
    hv = holoviews()
    drawn = [
        hv.Scatter(
            (np.flatnonzero(given.status == status), given.bound[given.status == status]),
            "feature",
            "bound",
            label=str(status),
        )
        for status in dict.fromkeys(given.status.tolist())
    ]
    return hv.Overlay([hv.HLine(1.0), *drawn])


def pair(given, parameters):
    """p and q, an Overlay of Curves."""
    return holoviews().Overlay([_function(given.p, "p", parameters), _function(given.q, "q", parameters)])


def _function(function, name, parameters):
    hv = holoviews()
    x = np.linspace(*_ends(function, parameters), POINTS)
    y = np.asarray(function(x, **parameters), dtype=float)
    y = np.where(np.isfinite(y), y, np.nan)
    return hv.Curve((x, y), "argument", "value", label=f"{name}({function.variable})")


def _ends(function, parameters):
    """The part of the domain that is drawn."""
    x = np.linspace(-WINDOW, WINDOW, 2 * POINTS + 1)
    finite = x[np.isfinite(np.asarray(function(x, **parameters), dtype=float))]
    return (finite.min(), finite.max()) if finite.size > 1 else (-WINDOW, WINDOW)
