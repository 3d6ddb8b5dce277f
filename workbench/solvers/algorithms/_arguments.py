"""What compiled steps take of a problem and of a run's state, by the names of their arguments."""

import functools

LOSS = ("value", "slope", "conjugate", "conjugate_slope", "coordinate")
REGULARIZER = ("row_add", "row_probe", "refresh", "outer", "outer_slope", "outer_curvature")
PROBLEM = ("sign", "shift", "weight", "lam", "lam_n", "y", "labels")
OTHERS = {
    "loss_theta": lambda problem: problem.loss.theta,
    "linear": lambda problem: problem.regularizer.entry["linear"],
    "weights": lambda problem: problem.transfer.weights,
}


def bound(steps, count, problem, state, csr=(), **others):
    """The compiled steps as a function of their first `count` arguments.

    `csr` are indptr, indices and data; `others` are arguments that are neither fields of the state nor parts
    of the problem, or stand in their place.
    """
    others.update(zip(("indptr", "indices", "data"), csr, strict=False))
    compiled, arguments = steps(), []
    for name in steps.names[count:]:
        arguments.append(others[name] if name in others else _part(name)(problem, state))
    return lambda *first: compiled(*first, *arguments)


@functools.cache
def _part(name):
    if name in LOSS:
        return lambda problem, state: problem.loss.scalar(name)
    if name in REGULARIZER:
        return lambda problem, state: problem.regularizer.function(name)
    if name in PROBLEM:
        return lambda problem, state: getattr(problem, name)
    if name in OTHERS:
        return lambda problem, state: OTHERS[name](problem)
    return lambda problem, state: getattr(state, name)
