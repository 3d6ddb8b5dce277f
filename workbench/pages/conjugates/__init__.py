"""The page of conjugate pairs."""

from workbench.pages.registry import Declaration


def picture():
    import numpy as np

    u = np.linspace(-3.0, 3.0, 61)
    tangent = 0.73 * u + 0.583
    return (u, np.logaddexp(0.0, u), "solid"), (u[18:], tangent[18:], "dashed")


PAGE = Declaration(
    "Conjugates",
    "Drag a tangent and read off its intercept: a closed convex function is the supremum of its tangents.",
    group="Learn",
    place=1,
    lesson="01_conjugates",
    picture=picture,
    hosted="declaration:Conjugates",
)
