"""The saddle R(w, alpha) over one weight and one dual variable, everything else held.

    R(w, alpha) = (1/n) sum_i [ -k(-alpha_i) - alpha_i w.x_i ] + lam g(w)        Zhang (2002), (4)

It is convex in the weight and concave in the dual variable. At any point, what is still to gain upward
along alpha_i is exactly the Fenchel-Young term of sample i, and w = grad h(v) lies at the bottom along
its weight already: the gap that the terms hold open is the height of this saddle's pass.
"""

import numpy as np

# Values of each axis.
CELLS = 101


def sections(problem, point, plane, window):
    """Return R less its value at a point over a window of one weight and one dual variable; all else stays.

    R is a sum of a function of the weight, one of the dual variable and one product:

        R - R(w0, a0) = of_dual[i] + of_weight[j] - slope (dual[i] - a0) (weight[j] - w0)

    Parameters
    ----------
    problem : Problem
    point : Certificate
        Has w0 and a0.
    plane : (int, int)
        The sample and the feature.
    window : ((float, float), (float, float))
        The ends of both axes, (weight, dual) at the lower left and at the upper right.

    Returns
    -------
    dict
        `ends` of the axes, (weight, dual) twice; `of_weight`, `of_dual` (CELLS,), NaN beyond the domain of
        the conjugate, and `slope`; `valley`: the best weight for each dual value, `least`: R there, NaN where
        it lies beyond the window; `ridge`: the best dual value for each weight, `most`: R there.
    """
    sample, feature = plane
    weight, dual = (np.linspace(low, high, CELLS) for low, high in zip(*window, strict=True))
    costs = _regularizer(problem, point, feature)
    row = problem.rows[[sample]].tocsr()
    x = float(row[[0], [feature]].sum())
    w, a, n = float(point.w[feature]), float(point.alpha[sample]), problem.n_samples
    own = problem.lam * costs(weight) - _slope_of_others(problem, point, feature) * (weight - w)
    here = problem.lam * costs(np.array([w]))[0]
    # The conjugate and the present prediction, for each value of the dual variable.
    alone = -(_conjugate(problem, sample, dual) + dual * point.z[sample]) / n
    base = -(_conjugate(problem, sample, np.array([a]))[0] + a * point.z[sample]) / n
    cross = np.outer(dual - a, weight - w) * (x / n)
    ridge = _best_dual(problem, sample, point, x * (weight - w))
    most = -(_conjugate(problem, sample, ridge) + ridge * point.z[sample]) / n - base
    surface = (alone - base)[:, None] + (own - here)[None, :] - cross
    valley, least = _vertex(weight, surface)
    outside = _is_outside(problem, sample, dual)
    # A least value at the edge of the window is not that of the whole row.
    lowest = np.argmin(surface, axis=1)
    is_hidden = outside | (lowest == 0) | (lowest == CELLS - 1)
    return {
        "ends": [list(map(float, end)) for end in window],
        "of_weight": own - here,
        "of_dual": np.where(outside, np.nan, alone - base),
        "slope": x / n,
        "valley": np.where(is_hidden, np.nan, valley),
        "least": np.where(is_hidden, np.nan, least),
        "ridge": ridge,
        "most": most + own - here - (ridge - a) * (weight - w) * (x / n),
    }


def _is_outside(problem, sample, dual):
    """Return where dual values lie beyond the domain of the conjugate."""
    entry, nu = problem.loss.entry, -dual / (problem.weight[sample] * problem.sign[sample])
    rounding = 1e-12 * (1.0 + np.abs(nu))
    return (nu < entry["lower"] - rounding) | (nu > entry["upper"] + rounding)


def _regularizer(problem, point, feature):
    """Return g as a function of the one weight, for a vector of its values."""
    transfer = problem.transfer
    if problem.regularizer.entry["structure"] == "separable":
        single = problem.regularizer.at(1)

        def cost(value):
            return single.bracket(np.array([value]), np.zeros(1), single.map(np.zeros(1))[0]).value
    else:
        weights, v = point.w.copy(), point._v.ravel()
        h = transfer.map(v)[0]

        def cost(value):
            weights[feature] = value
            return transfer.bracket(weights, v, h).value

    return lambda values: np.array([cost(float(value)) for value in values])


def _slope_of_others(problem, point, feature):
    """Return the slope in the weight that all dual variables together give: lam v_j."""
    return problem.lam * float(point._v.ravel()[feature])


def _conjugate(problem, sample, dual):
    """Return k(-alpha) of the sample for each value of its dual variable."""
    loss, weight = problem.loss, problem.weight[sample]
    scalar = loss.scalar("conjugate")
    nu = -dual / (weight * problem.sign[sample])
    nu = np.clip(nu, loss.entry["lower"], loss.entry["upper"])
    return np.array(
        [weight * (scalar(float(value), loss.theta) - problem.shift[sample] * value) for value in nu]
    )


def _best_dual(problem, sample, point, moves):
    """Return the dual value of map (10) at each prediction that the weight gives."""
    loss, sign = problem.loss, problem.sign[sample]
    slope = loss.scalar("slope")
    u = sign * (point.z[sample] + moves) + problem.shift[sample]
    nu = np.array([slope(float(value), loss.theta) for value in u])
    nu = np.clip(nu, loss.entry["lower"], loss.entry["upper"])
    return 0.0 - problem.weight[sample] * sign * nu


def _vertex(weight, surface):
    """Return the weight of the least R in each row, and R there, by a parabola through three values."""
    rows = np.arange(surface.shape[0])
    at = np.clip(np.argmin(surface, axis=1), 1, surface.shape[1] - 2)
    left, middle, right = surface[rows, at - 1], surface[rows, at], surface[rows, at + 1]
    bend = left - 2.0 * middle + right
    with np.errstate(divide="ignore", invalid="ignore"):
        offset = np.where(bend > 0.0, 0.5 * (left - right) / bend, 0.0)
    offset = np.clip(np.nan_to_num(offset), -1.0, 1.0)
    return weight[at] + offset * (weight[1] - weight[0]), middle - 0.25 * (left - right) * offset
