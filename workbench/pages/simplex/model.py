"""The model of the page of Fenchel-Young losses: three scores, a phi on [0, 1], and the true class."""

from typing import NamedTuple

import param

from workbench._support.errors import ConvexityError, DerivationTimeout, ExpressionError
from workbench.pages.wording import content

SCORES = (-4.0, 4.0)
CLASSES = 3


class Entropy(NamedTuple):
    """A phi as the page shows it; the first three fields are the arguments of `sketches.simplex`."""

    text: str
    parameters: tuple
    limit: tuple | None
    question: str
    says: str
    code: str  # the arguments of wb.losses.fenchel_young


CONTENT = content("simplex")
ENTROPIES = {name: Entropy(**entry) for name, entry in CONTENT["entropies"].items()}
TSALLIS = next(iter(ENTROPIES))
OWN = "A φ of your own"
CUSTOM_QUESTION = CONTENT["custom_question"]
CUSTOM_TEXT = CONTENT["custom_text"]
EMPTY = CONTENT["empty"]
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
    r"\Omega(p) = \sum_j \varphi(p_j), \quad p \in \triangle",
    r"p = \nabla\Omega^*(\theta) = \arg\max_{p \in \triangle} \; p^\top \theta - \Omega(p)",
    r"\nabla_\theta L = p - e_y, \quad L = 0 \iff p = e_y",
)
SOURCE = "Blondel, Martins and Niculae (2020); docs/mathematics.md, section 9"
PRESETS = CONTENT["presets"]
# Each numeric choice with its label and step; alpha is one only where phi has it.
NUMBERS = CONTENT["numbers"]


class Simplex(param.Parameterized):
    """Choices of the page, with the bounds that its controls and its address share."""

    phi = param.Selector(objects=[*ENTROPIES, OWN])
    formula = param.String("", doc="φ, where it is one's own")
    theta1 = param.Number(0.9, bounds=SCORES, doc="score of class 1")
    theta2 = param.Number(0.1, bounds=SCORES, doc="score of class 2")
    theta3 = param.Number(-0.6, bounds=SCORES, doc="score of class 3")
    alpha = param.Number(1.5, bounds=(1.0, 2.0), doc="exponent of Tsallis' entropy")
    true_class = param.Integer(2, bounds=(1, CLASSES), doc="y, the class that is right")

    @property
    def entropy(self):
        if self.phi == OWN:
            return Entropy(self.formula, (), None, CUSTOM_QUESTION, CUSTOM_TEXT, repr(self.formula))
        return ENTROPIES[self.phi]

    def numbers(self):
        """The numeric choices that phi leaves, each with its ends and its value."""
        declared = {name for name, _ in self.entropy.parameters}
        return {
            name: (*self.param[name].bounds, getattr(self, name))
            for name in NUMBERS
            if name in declared or name.startswith("theta")
        }

    def request(self):
        """The arguments of `derivations.sketches.simplex`."""
        return self.entropy[:3]

    def python(self):
        """The lines that give the prediction and the loss in a notebook; braces stand for the sliders."""
        return (
            "import numpy as np\nimport workbench as wb\n\n"
            f"loss = wb.losses.fenchel_young({self.entropy.code})\n"
            "theta = np.array([[{theta1}, {theta2}, {theta3}]])\n"
            "y = np.array([{label}])  # class {true_class}, counted from 0\n"
            "print(loss.predict(theta)[0], loss.values(theta, y)[0])"
        )


def refusal(error):
    """Why a phi makes no loss, and what holds instead."""
    more = next(text for kind, text in INSTEAD if isinstance(error, kind))
    if NO_FORMULA in str(error):
        more = "The loss exists all the same: wb.losses.fenchel_young computes it in Python."
    return f"{str(error).removeprefix('fenchel_young: ').rstrip('.')}. {more}".strip()


def formulas(outcome):
    """The lines of LaTeX beside the figures, of what `derivations.sketches.simplex` gave."""
    return (*LOSS_LATEX, *outcome["latex"])
