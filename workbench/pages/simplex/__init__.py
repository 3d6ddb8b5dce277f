"""The page of Fenchel-Young losses."""

from workbench.pages.registry import Declaration


def picture():
    """The share of one of two classes over the lead of its score, by softmax and by sparsemax."""
    import numpy as np

    from workbench.problems import losses

    lead = np.linspace(-4.0, 4.0, 81)
    scores = np.stack([lead, np.zeros_like(lead)], axis=1)
    return tuple(
        (lead, losses.fenchel_young(phi).predict(scores)[:, 0], stroke)
        for phi, stroke in (("softmax", "solid"), ("sparsemax", "dashed"))
    )


PAGE = Declaration(
    "Simplex",
    "Three scores give a prediction in a triangle, from softmax to sparsemax; the loss is a gap.",
    group="Learn",
    place=3,
    lesson="14_classes_and_norms",
    picture=picture,
    hosted="declaration:Simplex",
)
