"""The start of a solver: a `Solution`, weights or dual variables by name, or an array of its own kind."""

import numpy as np

from workbench._support.errors import InputError
from workbench.certificates import loss_terms
from workbench.problems.design import check_targets

NAMES = ("w", "b", "alpha")
MULTIPLIERS = "multipliers"


def duals(problem, start):
    """Return the initial dual variables (n,) or (n, r); for weights alone those of map (10).

    Zeros where nothing is given.
    """
    if start is None:
        return np.zeros((problem.n_samples, *problem.columns))
    if not is_named(start):
        return check_targets("warm_start", start, problem.n_samples, problem.columns)
    parts = _parts(problem, start)
    if parts["alpha"] is not None:
        return parts["alpha"]
    side, b = loss_terms.loss_side(problem), parts["b"]
    z = problem.design @ parts["w"]
    if problem.free_bias:
        b = side.best_bias(z) if b is None else b
    return side.alpha_at(z, b if problem.free_bias else 0.0)


def weights(problem, start):
    """Return the initial weights (D,) on the columns of the design, and the unregularized bias.

    For dual variables alone the weights are those of map (9), without a bias; where nothing is given
    the weights are zeros.
    """
    if start is None:
        return np.zeros((problem.design.shape[1], *problem.columns)), None
    if not is_named(start):
        if problem.n_samples == problem.n_features:
            raise InputError(
                f"warm_start has {problem.n_samples} entries, as many as there are samples and as there are "
                "features; give warm_start={'w': ...} or {'alpha': ...}, or a Solution"
            )
        return problem.join(check_targets("warm_start", start, problem.n_features, problem.columns)), None
    parts = _parts(problem, start)
    if parts["w"] is not None:
        return parts["w"], parts["b"]
    if problem.regularizer.is_norm:
        raise InputError(
            f"warm_start: dual variables determine no weights with the norm {problem.regularizer.label}; "
            "give w, or a Solution"
        )
    v = problem.dual_vector(parts["alpha"])
    return problem.transfer.map(v.ravel())[1].reshape(v.shape), None


def both(problem, start):
    """w, b and alpha to start from: zero where nothing is given, w and b also where alpha determines none."""
    says = is_named(start) and not problem.regularizer.is_norm
    w, bias = weights(problem, start if says else None)
    b = np.zeros(problem.columns) if bias is None else np.array(bias, dtype=float).reshape(problem.columns)
    return np.array(w, dtype=float), b, np.array(duals(problem, start), dtype=float)


def multipliers(problem, start):
    """Return the initial unregularized bias, or the multipliers of constraints, (r,); None if not given."""
    if not is_named(start):
        return None
    if problem.constraints is not None:
        s = _read(start).get(MULTIPLIERS)
    else:
        s = _parts(problem, start)["b"] if problem.origin is not None else _read(start).get("b")
    shape = problem.dual_constraints.b.shape
    s = None if s is None else np.atleast_1d(np.asarray(s, dtype=float))
    return s if s is not None and s.shape == shape and np.isfinite(s).all() else None


def is_solution(start):
    """Return whether it is a `Solution`, which holds all that any solver may take."""
    # By what it has, since its module imports the solvers, which start from this one.
    return all(hasattr(start, name) for name in (*NAMES, "w_embedded"))


def is_named(start):
    """Return whether it says by name what it holds: a `Solution` or a dict."""
    return is_solution(start) or isinstance(start, dict)


def _read(start):
    if isinstance(start, dict):
        unknown = [name for name in start if name not in (*NAMES, MULTIPLIERS)]
        if unknown or not {"w", "alpha"} & set(start):
            raise InputError(
                f"warm_start: {', '.join(map(repr, start)) or 'nothing'} is given; give 'w', with 'b' where "
                "there is a bias, or 'alpha', or a Solution"
            )
        return start
    return {name: getattr(start, name, None) for name in (*NAMES, "w_embedded", MULTIPLIERS)}


def _parts(problem, start):
    """Check w on the columns of the design, b and alpha; None for those not given."""
    parts = _read(start)
    w, b, alpha = (parts.get(name) for name in NAMES)
    if alpha is not None:
        alpha = check_targets("warm_start: alpha", alpha, problem.n_samples, problem.columns)
    if problem.kernel is not None:
        if alpha is None:
            raise InputError("warm_start: a kernel problem has no weights; give alpha, or a Solution")
        return {"w": None, "b": b, "alpha": alpha}
    embedded = parts.get("w_embedded")
    if embedded is not None and np.shape(embedded) == (problem.design.shape[1], *problem.columns):
        w = check_targets("warm_start: w", embedded, problem.design.shape[1], problem.columns)
    elif w is not None:
        w = check_targets("warm_start: w", w, problem.n_features, problem.columns)
        w = problem.join(w, b if problem.bias == "constant" and b is not None else 0.0)
    free = problem.free_bias and b is not None and (w is not None or problem.origin is None)
    b = np.asarray(b if w is None else problem.inward(w, b), dtype=float) if free else None
    # A solver goes on in these arrays; those of a solution cannot be written.
    return {
        name: None if part is None else np.array(part)
        for name, part in zip(NAMES, (w, b, alpha), strict=True)
    }
