"""What one frame of the Dual lab shows, as plain arrays and sentences."""

import numpy as np

from workbench.pages import saddle
from workbench.pages.dual_lab import plane
from workbench.pages.dual_lab.breakdown import break_down
from workbench.pages.ranges import thinned

LARGEST_WEIGHTS = 160
MOST_SAMPLES = 400
BOUND_TOLERANCE = 1e-9


def snapshot(lab, sample=None):
    """Numbers, curves and text lines of the present state of a lab.

    Parameters
    ----------
    lab : Lab
    sample : int, optional
        The sample whose saddle is drawn; None leaves the saddle out, which takes the most time.
    """
    run = lab.run
    w, _ = run.problem.split(run.last.w)
    chosen = _largest(w)
    duals = _duals(run.problem, run.last.alpha)
    frame = {
        "row": run.rows[-1],
        "curves": _curves(run),
        "weights": _weights(w, chosen, lab.names),
        "duals": duals,
        "terms": _terms(run.last, duals),
        "d": w.shape[0],
        "n": run.problem.n_samples,
        "breakdown": break_down(run.problem, run.last),
        "other": None,
        "saddle": None,
        "plane": plane.picture(lab),
    }
    for name in ("kinds", "values", "rank"):
        del duals[name]
    if sample is not None:
        frame["saddle"] = _named(saddle.saddle(run, sample), run.problem, lab.names)
    if lab.other is not None:
        frame["other"] = _other(lab.other.run, chosen)
    return frame


def _other(run, chosen):
    """What is drawn of the second configuration: its curves, and its state at the places of the first's."""
    w, _ = run.problem.split(run.last.w)
    duals = _duals(run.problem, run.last.alpha)
    return {
        "row": run.rows[-1], "curves": _curves(run), "weights": w[chosen],
        "place": duals["place"], "value": duals["value"],
    }  # fmt: skip


def _curves(run):
    names = ("step", "epoch", "primal", "dual", "gap")
    return {name: np.array([row[name] for row in run.along()], dtype=float) for name in names}


def _largest(w):
    count = max(1, min(LARGEST_WEIGHTS, np.count_nonzero(w)))
    return np.sort(np.argpartition(-np.abs(w), count - 1)[:count])


def _weights(w, chosen, names):
    """The largest weights in the order of their features."""
    return {
        "place": np.arange(chosen.size, dtype=float),
        "weight": w[chosen],
        "name": [_name(names, j) for j in chosen],
    }


def _name(names, j):
    return str(names[j]) if j < len(names) else "(constant)"


def _named(picture, problem, names):
    """The saddle with the name of its feature in the caller's columns."""
    if picture is not None:
        d = problem.rows.shape[1]
        picture["name"] = _name(names, picture["feature"] % (d // 2 if problem.embed else d))
    return picture


def _duals(problem, alpha):
    """The dual variables in descending order, thinned evenly, with where each one stands."""
    margin = problem.loss.kind == "margin"
    value = alpha * problem.y if margin else alpha
    order = np.argsort(-value, kind="stable")
    rank = np.empty(order.size, dtype=int)
    rank[order] = np.arange(order.size)
    place = thinned(order.size, MOST_SAMPLES)
    kept = order[place]
    lower, upper = problem.loss.entry["lower"], problem.loss.entry["upper"]
    nu = problem.nu(alpha)
    at_bound = (np.abs(nu - lower) <= BOUND_TOLERANCE) | (np.abs(nu - upper) <= BOUND_TOLERANCE)
    kind = np.where(alpha == 0.0, "zero", np.where(at_bound, "bound", "free"))
    return {
        "place": place,
        "value": value[kept],
        "kind": kind[kept].tolist(),
        "kinds": kind,
        "values": value,
        "rank": rank,
        "sample": kept,
        "zero": int(np.count_nonzero(kind == "zero")),
        "free": int(np.count_nonzero(kind == "free")),
        "bound": int(np.count_nonzero(kind == "bound")),
        "margin": margin,
    }


def _terms(certificate, duals):
    """The samples' shares of the gap in descending order, with how many of them hold half of it.

    Each with its dual variable and its place among them, also where thinning left that one out.
    """
    terms = certificate.sample_terms
    if not np.isfinite(certificate.gap):
        empty = {name: [] for name in ("place", "share", "sample", "kind", "dual_place", "dual")}
        return empty | {"half": 0, "rest": 0.0}
    order = np.argsort(-terms, kind="stable")
    kept = order[: min(MOST_SAMPLES, np.count_nonzero(terms))]
    total = terms.sum()
    half = int(np.searchsorted(np.cumsum(terms[order]), 0.5 * total)) + 1 if total > 0.0 else 0
    return {
        "place": np.arange(1.0, kept.size + 1.0),
        "share": terms[kept],
        "sample": kept,
        "kind": duals["kinds"][kept].tolist(),
        "dual_place": duals["rank"][kept],
        "dual": duals["values"][kept],
        "half": half,
        "rest": certificate.regularizer_term,
    }
