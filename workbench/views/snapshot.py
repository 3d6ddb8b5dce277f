"""What one frame of the Dual lab shows, as plain arrays and sentences."""

import numpy as np

LARGEST_WEIGHTS = 160
MOST_SAMPLES = 400
BOUND_TOLERANCE = 1e-9


def snapshot(lab):
    """Numbers, curves and text lines of the present state of a lab."""
    run = lab.run
    best = run.last
    w, _ = run.problem.split(best.w)
    rows = run.rows
    columns = {name: np.array([row[name] for row in rows], dtype=float) for name in rows[-1]}
    return {
        "row": rows[-1],
        "curves": columns,
        "weights": _weights(w, lab.names),
        "duals": _duals(run.problem, best.alpha),
        "d": w.shape[0],
        "n": run.problem.n_samples,
    }


def _weights(w, names):
    """The largest weights in the order of their features."""
    count = max(1, min(LARGEST_WEIGHTS, np.count_nonzero(w)))
    chosen = np.sort(np.argpartition(-np.abs(w), count - 1)[:count])
    return {
        "place": np.arange(count, dtype=float),
        "weight": w[chosen],
        "name": [str(names[j]) if j < len(names) else "(constant)" for j in chosen],
        "sign": ["plus" if w[j] >= 0.0 else "minus" for j in chosen],
    }


def _duals(problem, alpha):
    """The dual variables in descending order, thinned evenly, with where each one stands."""
    margin = problem.loss.kind == "margin"
    value = alpha * problem.y if margin else alpha
    order = np.argsort(-value, kind="stable")
    place = np.unique(np.linspace(0, order.size - 1, min(MOST_SAMPLES, order.size)).astype(int))
    kept = order[place]
    lower, upper = problem.loss.entry["lower"], problem.loss.entry["upper"]
    nu = problem.nu(alpha)
    at_bound = (np.abs(nu - lower) <= BOUND_TOLERANCE) | (np.abs(nu - upper) <= BOUND_TOLERANCE)
    kind = np.where(alpha == 0.0, "zero", np.where(at_bound, "bound", "free"))
    return {
        "place": place,
        "value": value[kept],
        "kind": kind[kept].tolist(),
        "sample": kept,
        "zero": int(np.count_nonzero(kind == "zero")),
        "free": int(np.count_nonzero(kind == "free")),
        "bound": int(np.count_nonzero(kind == "bound")),
        "margin": margin,
    }
