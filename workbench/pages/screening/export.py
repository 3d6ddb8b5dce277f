"""The page of screening as a file: what gaps discard on the way, for runs computed beforehand."""

from workbench.pages import export_played
from workbench.pages.export_file import reveal
from workbench.pages.formulas import mixed
from workbench.pages.screening.engine import ScreeningEngine
from workbench.pages.screening.figures import ScreeningDrawing
from workbench.pages.screening.page import FORMULA, ScreeningPage
from workbench.pages.screening.questions import QUESTIONS

LABELS = {
    "source": "Data", "loss": "Loss", "norm": "Regularizer", "epsilon": "ε, sparsity",
    "intercept": "Free intercept", "ratio": "λ / λ_max", "start": "Solvers start at",
    "tolerance": "Stop at a relative gap of", "first": "First feature or group",
    "second": "Second feature or group", "window": "The picture shows",
}  # fmt: skip
SAYS = "Runs of coordinate descent, with what their gaps discard"
KEPT = export_played.Kept(
    ScreeningPage, ScreeningEngine, ScreeningDrawing, LABELS, {"ratio": [0.1, 0.3, 0.63]}, SAYS,
)  # fmt: skip
keys = KEPT.keys


def page(look, chosen, say):
    """The text of the file; `chosen` has the values of some of `LABELS`."""
    questions = "".join(reveal(f"{name}.", question.why) for name, question in QUESTIONS.items())
    cards = {"predict": ("Predict first", questions), "ball": ("The ball and the rule", mixed(FORMULA))}
    return KEPT.page(look, chosen, say, cards)
