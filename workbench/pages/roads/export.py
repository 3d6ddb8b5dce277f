"""The page of roads as a file: several solvers on one problem, pass by pass, for runs computed beforehand."""

from typing import ClassVar

from workbench.pages.export_file import reveal
from workbench.pages.export_played import PlayedFile
from workbench.pages.formulas import mixed
from workbench.pages.roads.engine import came
from workbench.pages.roads.figures import LISTED
from workbench.pages.roads.page import FORMULA, WHY, RoadsPage, question


class RoadsFile(PlayedFile):
    kind, says = RoadsPage, "Runs of several solvers, pass by pass"
    defaults: ClassVar = {"lam": [0.01, 0.1, 1.0], "zoom": [1, 10]}

    def answers(self, engine):
        (_, said), compare = came(engine.lab), engine.lab.settings["compare"]
        answer = f"{said[0].upper()}{said[1:]}. {WHY[compare]}"
        return {"predict": reveal(f"Which {question(compare)}", answer)}

    def cards(self):
        return {
            "table": (LISTED, ""), "predict": ("Predict first", ""),
            "saddle": ("The saddle and the gap", mixed(FORMULA)),
        }  # fmt: skip
