"""The page of transfer functions."""

from workbench.pages.registry import Declaration


def picture():
    import numpy as np

    from workbench.problems import regularizers

    v = np.linspace(-1.0, 1.0, 81)
    maps = [
        regularizers.get(name).at(v.size).map(v)[1] for name in ("elastic-net:epsilon=0.35", "squared-l2")
    ]
    return (v, maps[0], "solid"), (v, maps[1], "dotted")


PAGE = Declaration(
    "Transfer",
    "The regularizer maps the dual vector v to the weights w = ∇h(v), and makes them sparse or positive.",
    group="Learn",
    place=2,
    lesson="04_regularizers",
    picture=picture,
    hosted="declaration:Transfer",
)
