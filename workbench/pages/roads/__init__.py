"""The page of roads to a gap."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """PDHG's way around the saddle point, and that of Gauss-Seidel, in the plane of w and alpha."""
    import numpy as np

    from workbench.pages.roads import model as roads

    lab = roads.build(roads.RoadsModel(source=roads.APART, lam=0.01).settings())
    while not roads.play(lab, 1.0, 1e-6):
        pass
    ways = (np.array(lab.roads[name].path) for name in ("PDHG", "Gauss-Seidel"))
    return tuple((*way.T, stroke) for way, stroke in zip(ways, ("solid", "dashed"), strict=True))


PAGE = Declaration(
    "Roads",
    "Dual, primal and primal-dual methods on one saddle, compared by one certificate.",
    group="Solvers",
    place=5,
    lesson="16_screening_and_roads",
    picture=picture,
    model="model:RoadsModel",
    page="page:RoadsPage",
    file="page:RoadsFile",
)
