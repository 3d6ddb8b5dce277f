"""The page of online rules."""

from workbench.pages.registry import Declaration


def picture():
    """The mistakes of the Perceptron on a stream, and their bound, as logarithms."""
    import numpy as np

    from workbench.data import examples
    from workbench.solvers import bounds

    X, y, u = examples.stream(dimension=20, relevant=3)
    counts = np.arange(1, y.size + 1, 10)
    results = [bounds.perceptron(X, y, u, order=np.arange(count), margin=0.2) for count in counts]
    return tuple(
        (counts.astype(float), np.log10([max(getattr(result, name), 1.0) for result in results]), stroke)
        for name, stroke in (("mistakes", "solid"), ("bound", "dashed"))
    )


PAGE = Declaration(
    "Online",
    "Mistakes on a stream of points stay below a proven bound: Perceptron, p-norm, Winnow.",
    group="Solvers",
    place=10,
    lesson="15_online",
    picture=picture,
    hosted="declaration:Online",
)
