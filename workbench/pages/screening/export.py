"""The page of screening as a file: what gaps discard on the way, for runs computed beforehand."""

from typing import ClassVar

from workbench.pages.export_file import reveal
from workbench.pages.export_played import PlayedFile
from workbench.pages.formulas import mixed
from workbench.pages.screening.page import FORMULA, ScreeningPage
from workbench.pages.screening.questions import QUESTIONS


class ScreeningFile(PlayedFile):
    kind, says = ScreeningPage, "Runs of coordinate descent, with what their gaps discard"
    defaults: ClassVar = {"ratio": [0.1, 0.3, 0.63]}

    def cards(self):
        questions = "".join(reveal(f"{name}.", question.why) for name, question in QUESTIONS.items())
        return {"predict": ("Predict first", questions), "ball": ("The ball and the rule", mixed(FORMULA))}
