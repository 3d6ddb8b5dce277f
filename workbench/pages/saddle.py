"""The saddle R(w, alpha) over one weight and one dual variable, everything else held.

    R(w, alpha) = (1/n) sum_i [ -k(-alpha_i) - alpha_i w.x_i ] + lam g(w)        Zhang (2002), (4)

It is convex in the weight and concave in the dual variable. At any point, what is still to gain upward
along alpha_i is exactly the Fenchel-Young term of sample i, and w = grad h(v) lies at the bottom along
its weight already: the gap that the terms hold open is the height of this saddle's pass.
"""

import numpy as np

SIDE = 61


def over(problem, point, plane, weight, dual):
    """R less its value at a point, over values of one weight and one dual variable; all else stays.

    Parameters
    ----------
    problem : Problem
    point : Certificate
    plane : (int, int)
        The sample and the feature.
    weight, dual : ndarray (SIDE,)
        Ascending, the weights within the domain of g, the dual values within that of the conjugate.

    Returns
    -------
    dict
        `weight`, `dual` (SIDE,): the grids; `surface` (SIDE, SIDE): R less its value at the point, a row for
        each dual value; `valley`: the best weight for each dual value, `least`: R there; `ridge`: the best
        dual value for each weight, `most`: R there.
    """
    sample, feature = plane
    costs = _regularizer(problem, point, feature)
    row = problem.rows[[sample]].tocsr()
    x = float(row[[0], [feature]].sum())
    if problem.regularizer.entry["structure"] == "simplex":
        x -= float(row[[0], [_mirror(point, feature)]].sum())
    w, a, n = float(point.w[feature]), float(point.alpha[sample]), problem.n_samples
    own = problem.lam * costs(weight) - _slope_of_others(problem, point, feature) * (weight - w)
    here = problem.lam * costs(np.array([w]))[0]
    # The conjugate and the present prediction, for each value of the dual variable.
    alone = -(_conjugate(problem, sample, dual) + dual * point.z[sample]) / n
    base = -(_conjugate(problem, sample, np.array([a]))[0] + a * point.z[sample]) / n
    cross = np.outer(dual - a, weight - w) * (x / n)
    surface = (alone - base)[:, None] + (own - here)[None, :] - cross
    ridge = _best_dual(problem, sample, point, x * (weight - w))
    most = -(_conjugate(problem, sample, ridge) + ridge * point.z[sample]) / n - base
    valley, least = _vertex(weight, surface)
    return {
        "weight": weight,
        "dual": dual,
        "surface": surface,
        "valley": valley,
        "least": least,
        "ridge": ridge,
        "most": most + own - here - (ridge - a) * (weight - w) * (x / n),
    }


def _regularizer(problem, point, feature):
    """g as a function of the one weight (a vector of them)."""
    transfer, w = problem.transfer, float(point.w[feature])
    structure = problem.regularizer.entry["structure"]
    if structure == "separable":
        single = problem.regularizer.at(1)

        def cost(value):
            return single.bracket(np.array([value]), np.zeros(1), single.map(np.zeros(1))[0]).value
    else:
        # Weights on a simplex trade with their mirror image, so that the sum stays.
        mirror = _mirror(point, feature) if structure == "simplex" else None
        together = w + float(point.w[mirror]) if mirror is not None else 0.0
        weights, v = point.w.copy(), point._v.ravel()
        h = transfer.map(v)[0]

        def cost(value):
            weights[feature] = value
            if mirror is not None:
                weights[mirror] = max(0.0, together - value)
            return transfer.bracket(weights, v, h).value

    return lambda values: np.array([cost(float(value)) for value in values])


def _mirror(point, feature):
    """The other half of a weight in a balanced embedding."""
    return (feature + point.w.size // 2) % point.w.size


def _slope_of_others(problem, point, feature):
    """The slope in the weight that all dual variables together give: lam v_j, less a mirror's own."""
    v = point._v.ravel()
    slope = problem.lam * float(v[feature])
    if problem.regularizer.entry["structure"] == "simplex":
        slope -= problem.lam * float(v[_mirror(point, feature)])
    return slope


def _conjugate(problem, sample, dual):
    """k(-alpha) of the sample for each value of its dual variable."""
    loss, weight = problem.loss, problem.weight[sample]
    scalar = loss.scalar("conjugate")
    nu = -dual / (weight * problem.sign[sample])
    nu = np.clip(nu, loss.entry["lower"], loss.entry["upper"])
    return np.array(
        [weight * (scalar(float(each), loss.theta) - problem.shift[sample] * each) for each in nu]
    )


def _best_dual(problem, sample, point, moves):
    """The dual value of map (10) at each prediction that the weight gives."""
    loss, sign = problem.loss, problem.sign[sample]
    slope = loss.scalar("slope")
    u = sign * (point.z[sample] + moves) + problem.shift[sample]
    nu = np.array([slope(float(each), loss.theta) for each in u])
    nu = np.clip(nu, loss.entry["lower"], loss.entry["upper"])
    return 0.0 - problem.weight[sample] * sign * nu


def _vertex(weight, surface):
    """The weight of the least R in each row, and R there, by a parabola through three values around it."""
    rows = np.arange(surface.shape[0])
    at = np.clip(np.argmin(surface, axis=1), 1, surface.shape[1] - 2)
    left, middle, right = surface[rows, at - 1], surface[rows, at], surface[rows, at + 1]
    bend = left - 2.0 * middle + right
    with np.errstate(divide="ignore", invalid="ignore"):
        offset = np.where(bend > 0.0, 0.5 * (left - right) / bend, 0.0)
    offset = np.clip(np.nan_to_num(offset), -1.0, 1.0)
    return weight[at] + offset * (weight[1] - weight[0]), middle - 0.25 * (left - right) * offset
