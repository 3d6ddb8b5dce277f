"""The page of inverse time dependency."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """Steps to the target of the first preset over the number of samples, as logarithms of both."""
    import numpy as np

    from workbench.pages.inverse_time import curves
    from workbench.pages.inverse_time.model import InverseTime
    from workbench.pages.server.turns import result_of

    record = result_of(curves.known(curves.preset_settings()[0]))
    is_reached = np.asarray(record["distances"]) <= InverseTime.param["target"].default
    steps = np.median(np.asarray(record["looks"])[is_reached.argmax(axis=2)], axis=1)
    return ((np.log10(record["m"]), np.log10(steps), "solid"),)


PAGE = Declaration(
    "Inverse time",
    "A primal solver with steps of size 1/(λt) and no learning rate to choose.",
    group="Solvers",
    place=9,
    lesson="09_pgs",
    picture=picture,
    hosted="declaration:InverseTime",
)
