"""The Dual lab."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """The gaps of two values of lambda."""
    import numpy as np

    from workbench.pages.dual_lab import model as dual_lab
    from workbench.solvers.run import Run

    settings, curves = dual_lab.DualLab(source="Breast cancer", lam=0.01).param.values(), []
    for choices, stroke in ((settings, "solid"), (settings | {"lam": 1e-3}, "dashed")):
        run = Run(dual_lab.problem(choices), dual_lab.specification(choices)[2])
        run.record()
        for _ in range(40):
            run.epoch()
            run.record()
        gaps = np.log10([max(row["gap"], 1e-12) for row in run.rows])
        curves.append((np.array([row["epoch"] for row in run.rows]), gaps, stroke))
    return tuple(curves)


PAGE = Declaration(
    "Dual lab",
    "Solve a real problem one dual variable at a time and watch the gap close, with a certificate.",
    group="Dual lab",
    place=4,
    lesson="05_gauss_seidel",
    picture=picture,
    hosted="declaration:DualLab",
)
