"""The page on solvers side by side: their paths over one saddle, and how soon each gap is certified."""

import functools

from workbench.pages.registry import Declaration


@functools.cache
def picture():
    """PDHG's way around the saddle point, and that of Gauss-Seidel, in the plane of w and alpha."""
    import numpy as np

    from workbench.pages.compare import model
    from workbench.pages.compare.declaration import Compare

    comparison = model.build(Compare(source=model.APART, lam=0.01).settings())
    while not comparison.play(1.0):
        pass
    paths = (np.array(comparison.runs[name].path) for name in ("PDHG", "Gauss-Seidel"))
    return tuple((*path.T, stroke) for path, stroke in zip(paths, ("solid", "dashed"), strict=True))


# What was the default of the page Race.
RACE = {
    "source": "Digits · even or odd",
    "loss": "Logistic",
    "lam": "0.01",
    "epsilon": "0.1",
    "tolerance": "0.0001",
}
PAGE = Declaration(
    "Compare",
    "Solvers over one saddle, and how soon each gap is certified: by passes and by seconds.",
    group="Solvers",
    place=5,
    lesson="16_screening_and_roads",
    picture=picture,
    hosted="declaration:Compare",
    former={"roads": {}, "race": RACE},
)
