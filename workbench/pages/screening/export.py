"""The page of screening as a file: what gaps discard on the way, for runs computed beforehand."""

from workbench.pages import address, export_player
from workbench.pages.export_file import reveal
from workbench.pages.export_player import Picture, Played, moments, note, sliders
from workbench.pages.formulas import mixed
from workbench.pages.screening import model as screening
from workbench.pages.screening.figures import ScreeningDrawing
from workbench.pages.screening.frame import frame
from workbench.pages.screening.model import VIEWS
from workbench.pages.screening.page import FORMULA, statistics
from workbench.pages.screening.questions import QUESTIONS
from workbench.pages.theme import code_box

MODEL = screening.ScreeningModel
LABELS = {
    "source": "Data", "loss": "Loss", "norm": "Regularizer", "epsilon": "ε, sparsity",
    "intercept": "Free intercept", "ratio": "λ / λ_max", "start": "Solvers start at",
    "tolerance": "Stop at a relative gap of", "first": "First feature or group",
    "second": "Second feature or group", "window": "The picture shows",
}  # fmt: skip
DEFAULTS = {"ratio": [0.1, 0.3, 0.63]}
CARDS = {
    "numbers": "", "predict": "Predict first", "ball": "The ball and the rule", "code": "Show me the code",
}  # fmt: skip
SAYS = "Runs of coordinate descent, with what their gaps discard"


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return address.keys_of(MODEL(), LABELS)


def page(look, chosen, say):
    """The text of the file; `chosen` has the values of some of `LABELS`."""
    model, chosen = MODEL(), DEFAULTS | chosen
    base = model.settings() | {name: getattr(model, name) for name in ("tolerance", *VIEWS)}
    drawing, latest = ScreeningDrawing(look), [None]
    questions = "".join(reveal(f"{name}.", question.why) for name, question in QUESTIONS.items())

    def frames(settings):
        settings = base | {name: values[0] for name, values in chosen.items()} | settings
        latest[0] = lab = screening.build(settings, latest[0])
        for _ in moments(lambda: screening.play(lab, 0.0, settings["tolerance"])):
            seen = frame(lab, *(settings[name] for name in VIEWS))
            texts = {
                "numbers": statistics(seen), "predict": questions, "ball": mixed(FORMULA),
                "code": code_box(screening.code(lab, settings["tolerance"])),
            }  # fmt: skip
            yield Picture(f"{lab.run.epochs:.3g} epochs", drawing.show(seen), texts, drawing.titles)

    played = Played(
        "Screening", note("screening", SAYS, model, LABELS, chosen), sliders(model, LABELS, chosen),
        drawing.figures, drawing.titles, frames, CARDS,
    )  # fmt: skip
    return export_player.page(played, look, say)
