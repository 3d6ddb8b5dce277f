"""The page of inverse time dependency."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """The gap of PGS, whose steps shrink like 1/t, as logarithms of both."""
    import numpy as np

    from workbench.pages.inverse_time import model as inverse_time

    lab = inverse_time.build(inverse_time.InverseTime().settings())
    for _ in range(24):
        for _ in range(max(1, lab.run.steps // 4)):
            lab.run.step()
        lab.run.record()
    rows = [row for row in lab.run.rows if row["step"] > 0 and np.isfinite(row["gap"])]
    return ((*(np.log10([row[name] for row in rows]) for name in ("step", "gap")), "solid"),)


PAGE = Declaration(
    "Inverse time",
    "A primal solver with steps of size 1/(λt) and no learning rate to choose.",
    place=7, lesson="09_pgs", picture=picture,
    model="model:InverseTime", page="page:InverseTimePage", presets="page:PRESETS", file="export",
)  # fmt: skip
