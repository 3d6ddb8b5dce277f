"""The page of norms."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """The gap of FISTA after the published repair, and with the best multiple of the dual point."""
    import numpy as np

    from workbench.pages.norms import model as norms

    lab = norms.build(norms.Norms().settings())
    for _ in range(60):
        lab.run.step()
        lab.run.record()
    steps = np.array([row["step"] for row in lab.run.rows], dtype=float)
    gaps = np.array([(each.repaired, each.better) for each in lab.run.gaps])
    return tuple(
        (steps, np.log10(np.maximum(gap, 1e-12)), stroke)
        for gap, stroke in zip(gaps.T, ("solid", "dashed"), strict=True)
    )


PAGE = Declaration(
    "Norms",
    "Norms that choose groups, rows and trees, with their dual balls.",
    place=8, lesson="06_certificates", picture=picture,
    model="model:Norms", page="page:NormsPage", presets="page:PRESETS", file="export",
)  # fmt: skip
