"""The model of the page of Fenchel-Young losses: three scores, a phi on [0, 1], and the true class."""

from typing import NamedTuple

import param

from workbench.errors import ConvexityError, DerivationTimeout, ExpressionError

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


ENTROPIES = {
    "Tsallis: softmax to sparsemax": Entropy(
        "(u**alpha - u)/(alpha*(alpha - 1))",
        (("alpha", "alpha > 1"),),
        ("alpha", 1, "u*log(u)"),
        "Leave θ where it is and move α from 1 to 2. What happens to the smallest share? "
        "it stays positive; it may become exactly 0; it grows",
        "At α = 1 every share is positive, however small: softmax. For α > 1 the slope of φ at 0 is finite, "
        "so a share is exactly 0 once its score lags far enough. At α = 2, sparsemax, the prediction is the "
        "point of the triangle nearest to θ.",
        '"entmax", alpha={alpha}',
    ),
    "A logistic function for each class": Entropy(
        "u*log(u) + (1 - u)*log(1 - u)",
        (),
        None,
        "The scores may differ as much as you like. Is a share ever exactly 0 or 1? yes; no",
        "No. The slope of φ is infinite at 0 and at 1, so the prediction stays inside the triangle and the "
        "loss stays positive. Each share is the logistic function of θ_j − m, with the m that makes their "
        "sum 1.",
        '"u*log(u) + (1 - u)*log(1 - u)"',
    ),
    "A kink at 1/3": Entropy(
        "abs(u - 1/3) + u**2",
        (),
        None,
        "φ has a kink at 1/3. How far may the scores differ before the prediction leaves the centre? "
        "not at all; by 1; by 2",
        "By 2, the jump of φ′ at 1/3, from −1/3 to 5/3: as long as one m puts all three θ_j − m between "
        "these slopes, every share is exactly 1/3. A kink of φ makes the prediction constant on a region.",
        '"abs(u - 1/3) + u**2"',
    ),
}
TSALLIS = next(iter(ENTROPIES))
OWN = "A φ of your own"
OWN_QUESTION = (
    "Pull the scores apart. Which property of φ decides whether a share can be exactly 0? "
    "its slope at 0; its value at 0; its curvature at 1/3"
)
OWN_SAYS = (
    "Its slope at 0. Where that is finite, a share is exactly 0 once its score lags far enough; where it "
    "is −∞, every share is positive. With the slope at 1 finite as well, the loss is 0 once the true class "
    "leads far enough."
)
EMPTY = "φ(u) is empty; type a convex function such as u*log(u) + u**2"
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
NO_FORMULA = "has no closed form"
LONGEST = 120
# What makes a loss of any phi; the lines of the present phi come below.
LOSS_LATEX = (
    r"L(\theta; y) = \Omega^*(\theta) + \Omega(e_y) - \theta_y \geq 0",
    r"\Omega(p) = \sum_j \varphi(p_j), \quad p \in \triangle",
    r"p = \nabla\Omega^*(\theta) = \arg\max_{p \in \triangle} \; p^\top \theta - \Omega(p)",
    r"\nabla_\theta L = p - e_y, \quad L = 0 \iff p = e_y",
)
SOURCE = "Blondel, Martins and Niculae (2020); docs/mathematics.md, section 9"
PRESETS = {
    "Softmax: nothing is ever 0": {"phi": TSALLIS, "alpha": 1.0},
    "Sparsemax: the nearest point": {"phi": TSALLIS, "alpha": 2.0},
    "Entmax with α = 1.5": {"phi": TSALLIS, "alpha": 1.5},
    "A lead that costs nothing": {
        "phi": TSALLIS,
        "alpha": 2.0,
        "theta1": 1.2,
        "theta2": -0.4,
        "theta3": -0.6,
        "true_class": 1,
    },
    "A wrong class ahead": {
        "phi": TSALLIS,
        "alpha": 1.5,
        "theta1": -1.0,
        "theta2": 1.4,
        "theta3": 0.2,
        "true_class": 1,
    },
    "A prediction that sticks": {
        "phi": "A kink at 1/3",
        "theta1": 0.9,
        "theta2": -0.3,
        "theta3": -0.6,
    },
}
# Each numeric choice with its label and step; alpha is one only where phi has it.
NUMBERS = {
    "theta1": ("θ₁, score of class 1", 0.01),
    "theta2": ("θ₂, score of class 2", 0.01),
    "theta3": ("θ₃, score of class 3", 0.01),
    "alpha": ("α, exponent of φ", 0.01),
}


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
            return Entropy(self.formula, (), None, OWN_QUESTION, OWN_SAYS, repr(self.formula))
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
