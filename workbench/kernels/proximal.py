"""The proximal point of every regularizer whose `Penalty` describes it, without scratch memory of its own."""

from collections.abc import Callable

import numpy as np

from workbench.kernels.arrays import SOFT, SUMMANDS, TREE, Penalty
from workbench.kernels.compilation import FLOAT, SCALAR_TYPE, VECTOR, WRITABLE, inline, lazy_jit
from workbench.kernels.group_loops import inside_balls, tree_pass
from workbench.kernels.summand_loops import summands_prox


@inline
def _thresholds(penalty, x, tau, out):
    weighted = penalty.weights.shape[0] > 0
    for j in range(x.shape[0]):
        size = max(abs(x[j]) - tau * penalty.threshold, 0.0)
        size /= 1.0 + tau * penalty.ridge / (penalty.weights[j] if weighted else 1.0)
        out[j] = size if x[j] > 0.0 else (-size if x[j] < 0.0 else 0.0 * x[j])


@inline
def _lengths(penalty, tau, out):
    """Each group of `out` shortened by tau times its weight, in place."""
    order, starts, weights = penalty.order, penalty.starts, penalty.group_weights
    for g in range(weights.shape[0]):
        largest = square = 0.0
        for k in range(starts[g], starts[g + 1]):
            largest = max(largest, abs(out[order[k]]))
        if largest > 0.0:
            for k in range(starts[g], starts[g + 1]):
                share = out[order[k]] / largest
                square += share * share
        length, radius = largest * np.sqrt(square), tau * weights[g]
        factor = (length - radius) / length if length > radius else 0.0
        for k in range(starts[g], starts[g + 1]):
            out[order[k]] *= factor


def _point(
    penalty: Penalty,
    slope: SCALAR_TYPE,
    curvature: SCALAR_TYPE,
    x: VECTOR,
    tau: FLOAT,
    values: WRITABLE,
    parts: WRITABLE,
    out: WRITABLE,
) -> None:
    """Minimize |w - x|^2 / 2 + tau g(w) over w; write the minimizer to `out`.

    `slope` and `curvature` are phi' and phi'', asked where the penalty is a sum of formulas; `values` and
    `parts` are space of the size of `penalty.order`.
    """
    if penalty.kind == SUMMANDS:
        summands_prox(slope, curvature, x, tau, penalty.weights, penalty.theta, out)
        return
    _thresholds(penalty, x, tau, out)
    if penalty.kind == SOFT:
        return
    if penalty.kind == TREE:
        tree_pass(out, tau, penalty.order, penalty.starts, penalty.group_weights, parts)
    elif penalty.largest:
        for k in range(values.shape[0]):
            values[k] = out[penalty.order[k]]
        inside_balls(values, penalty.starts, penalty.group_weights, tau, parts)
        for k in range(values.shape[0]):
            out[penalty.order[k]] = values[k] - parts[k]
    else:
        _lengths(penalty, tau, out)


POINT = Callable[[Penalty, SCALAR_TYPE, SCALAR_TYPE, VECTOR, FLOAT, WRITABLE, WRITABLE, WRITABLE], None]


def _unused(_v: FLOAT, _theta: VECTOR) -> FLOAT:
    return 0.0


point = lazy_jit(_point)
# What stands in for phi' and phi'' where nobody asks for them.
unused = lazy_jit(_unused)


def find(penalty, x, tau, scalars=()):
    """Minimize |w - x|^2 / 2 + tau g(w) over w (D,); `scalars` are phi' and phi'' if g needs them."""
    out, size = np.empty(x.shape[0]), penalty.order.shape[0]
    scalars = scalars or (unused(), unused())
    x = np.ascontiguousarray(x, dtype=float)
    point()(penalty, *scalars, x, float(tau), np.empty(size), np.empty(size), out)
    return out
