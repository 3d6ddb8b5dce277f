"""The functions phi of the page of Fenchel-Young losses, and what is said of those that make no loss."""

from typing import NamedTuple

from workbench._support.errors import ConvexityError, DerivationTimeout, ExpressionError
from workbench.pages.wording import content

SCORES = (-4.0, 4.0)
CLASSES = 3


class Entropy(NamedTuple):
    """A phi as the page shows it; the first three fields are the arguments of `sketches.simplex`."""

    text: str
    parameters: tuple
    limit: tuple | None
    question: dict
    says: str
    code: str  # the arguments of wb.losses.fenchel_young
    answer: int


CONTENT = content("simplex")
ENTROPIES = {name: Entropy(**entry) for name, entry in CONTENT["entropies"].items()}
TSALLIS = next(iter(ENTROPIES))
OWN = "A φ of your own"
# What can be said of the loss where phi was refused, by the kind of error; the first that fits.
INSTEAD = (
    (
        ConvexityError,
        "What holds instead: Ω* is the conjugate of the largest convex function below Ω, and L ≥ 0, but "
        "the prediction jumps from point to point. Adding k*u**2 with a large k makes a smooth φ convex.",
    ),
    ((ExpressionError, DerivationTimeout), ""),
    (
        ValueError,
        "What holds instead: Ω*(θ) is still the largest θ·p − Ω(p), and L ≥ 0; but L may be infinite, or the "
        "prediction p not unique.",
    ),
)
# As `derivations.simplex_sketches` says it.
NO_FORMULA = "lacks a closed form"
LONGEST = 120
# What makes a loss of any phi; the lines of the present phi come below.
LOSS_LATEX = (
    r"L(\theta; y) = \Omega^*(\theta) + \Omega(e_y) - \theta_y \geq 0",
    r"p = \nabla\Omega^*(\theta) = \arg\max_{p \in \triangle} \; p^\top \theta - \Omega(p)",
    r"\Omega(p) = \sum_j \varphi(p_j), \quad p \in \triangle",
    r"\nabla_\theta L = p - e_y, \quad L = 0 \iff p = e_y",
)
SOURCE = "Blondel, Martins and Niculae (2020); docs/mathematics.md, section 9"
PRESETS = CONTENT["presets"]


def python():
    """Return the lines that give the prediction and the loss in a notebook; braces stand for the settings."""
    return (
        "import numpy as np\nimport workbench as wb\n\n"
        "loss = wb.losses.fenchel_young({arguments})\n"
        "theta = np.array([[{theta1}, {theta2}, {theta3}]])\n"
        "y = np.array([{label}])  # class {true_class}, counted from 0\n"
        "print(loss.predict(theta)[0], loss.values(theta, y)[0])"
    )


def request(phi):
    """Return the arguments of `derivations.sketches.simplex` for a phi of the page."""
    return ENTROPIES[phi][:3]


def own_request(formula):
    """Return the arguments of `derivations.sketches.simplex` for a phi that somebody typed."""
    return formula, (), None


def refusal(error):
    """Why a phi makes no loss, and what holds instead."""
    more = next(text for kind, text in INSTEAD if isinstance(error, kind))
    if NO_FORMULA in str(error):
        more = "The loss still exists: wb.losses.fenchel_young computes it in Python."
    return f"{str(error).removeprefix('fenchel_young: ').rstrip('.')}. {more}".strip()
