"""Figures of HoloViews for Bokeh and Matplotlib: elements, which compose with + and *."""

import importlib.util

import numpy as np

from workbench._support.errors import InputError
from workbench._support.system import extras

# Weights of a path that are drawn.
MAX_CURVES = 20
POINTS = 400
# The interval on which a function on the whole line is drawn.
WINDOW = 4.0


def holoviews():
    """Return HoloViews with the installed back ends loaded: options hold for all of them."""
    extras.need("lessons", "plot()", "holoviews", "bokeh")
    import holoviews as hv
    import holoviews.plotting.bokeh

    if importlib.util.find_spec("matplotlib") is not None:
        import holoviews.plotting.mpl
    if not hv.Store.current_backend or hv.Store.current_backend not in hv.Store.renderers:
        hv.Store.set_current_backend("bokeh")
    return hv


def styled(element, **options):
    """Return an element with options for every back end that is loaded."""
    hv = holoviews()
    for backend in hv.Store.renderers:
        element = element.opts(backend=backend, **options)
    return element


def gap_curve(columns, label):
    """Return the relative gap over the epochs, a Curve."""
    hv = holoviews()
    gaps = np.asarray(columns["relative_gap"], dtype=float)
    mask = np.isfinite(gaps) & (gaps > 0.0)
    points = np.asarray(columns["epoch"], dtype=float)[mask], gaps[mask]
    return styled(hv.Curve(points, "epoch", "relative gap", label=label), logy=True)


def solution(solution):
    """Return the gap curve of a solution."""
    return gap_curve(solution.columns, solution.description["solver"])


def run(run):
    """Return the gap curve of a run so far."""
    columns = {name: [row[name] for row in run.rows] for name in ("epoch", "relative_gap")}
    return gap_curve(columns, repr(run.solver))


def path(solutions):
    """Return the largest weights along lambda, an Overlay of Curves."""
    hv = holoviews()
    ordered = sorted(solutions, key=lambda solution: solution.description["lam"])
    if any(solution.w is None for solution in ordered):
        raise InputError("plot: a solution with a kernel has no weights to draw along λ")
    lams = np.array([solution.description["lam"] for solution in ordered])
    weights = np.array([np.ravel(solution.w) for solution in ordered])
    largest = np.sort(np.argsort(-np.abs(weights).max(axis=0), kind="stable")[:MAX_CURVES])
    curves = [hv.Curve((lams, weights[:, j]), "λ", "weight", label=f"w {j}") for j in largest]
    return styled(hv.Overlay([styled(curve, logx=True) for curve in curves]), show_legend=len(curves) <= 8)


def choice(points, lam):
    """Return the held-out loss along lambda with its standard errors, and the lambda that was taken."""
    hv = holoviews()
    lams = [point.lam for point in points]
    losses = [point.loss for point in points]
    bars = (lams, losses, [point.loss_error for point in points])
    curve = styled(hv.Curve((lams, losses), "λ", "held-out loss"), logx=True)
    errors = styled(hv.ErrorBars(bars, "λ", ["held-out loss", "standard error"]), logx=True)
    return curve * errors * hv.VLine(lam)


def screening(screening):
    """Return the bound of each feature or group, coloured by what became of it, an Overlay of Scatters."""
    hv = holoviews()
    layers = [
        hv.Scatter(
            (np.flatnonzero(screening.status == status), screening.bound[screening.status == status]),
            "feature",
            "bound",
            label=str(status),
        )
        for status in dict.fromkeys(screening.status.tolist())
    ]
    return hv.Overlay([hv.HLine(1.0), *layers])


def pair(pair, parameters):
    """Return p and q, an Overlay of Curves."""
    return holoviews().Overlay([_function(pair.p, "p", parameters), _function(pair.q, "q", parameters)])


def _function(function, name, parameters):
    hv = holoviews()
    low, high = _ends(function, parameters)
    x = np.linspace(low, high, POINTS)
    y = np.asarray(function(x, **parameters), dtype=float)
    y = np.where(np.isfinite(y), y, np.nan)
    return hv.Curve((x, y), "argument", "value", label=f"{name}({function.variable})")


def _ends(function, parameters):
    """Return the part of the domain that is drawn."""
    x = np.linspace(-WINDOW, WINDOW, 2 * POINTS + 1)
    finite = x[np.isfinite(np.asarray(function(x, **parameters), dtype=float))]
    return (finite.min(), finite.max()) if finite.size > 1 else (-WINDOW, WINDOW)
