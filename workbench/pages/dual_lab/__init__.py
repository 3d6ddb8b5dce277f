"""The Dual lab."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    import numpy as np

    from workbench.pages.dual_lab import model as dual_lab

    model = dual_lab.DualLab(source="Breast cancer", lam=0.01, compare=True)
    lab = dual_lab.build(model.settings())
    for each in lab.pair:
        for _ in range(40):
            each.run.epoch()
            each.run.record()
    strokes = zip(lab.pair, ("solid", "dashed"), strict=True)
    return tuple(
        (
            np.array([row["epoch"] for row in each.run.rows]),
            np.log10([max(row["gap"], 1e-12) for row in each.run.rows]),
            stroke,
        )
        for each, stroke in strokes
    )


PAGE = Declaration(
    "Dual lab",
    "Solve a real problem one dual variable at a time and watch the gap close, with a certificate.",
    place=4, lesson="05_gauss_seidel", picture=picture,
    minutes=15, stop="How a solver closes the gap, one sample at a time.",
    model="model:DualLab", page="page:DualLabPage", presets="presets:PRESETS", file="export",
)  # fmt: skip
