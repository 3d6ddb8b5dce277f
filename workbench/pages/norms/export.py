"""The page of norms as a file: FISTA with its raw and repaired gaps, solved in the browser."""

from typing import ClassVar

from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages.export_file import reveal
from workbench.pages.export_solved import SolvedFile, answers, packed
from workbench.pages.formulas import mixed
from workbench.pages.norms import model as norms
from workbench.pages.norms.engine import NormsEngine
from workbench.pages.norms.page import QUESTIONS, REPAIR, NormsPage, source, terms


class NormsFile(SolvedFile):
    kind = NormsPage
    defaults: ClassVar = {
        name: list(range(norms.Norms.param[name].bounds[1] + 1)) for name in ("first", "second", "halving")
    }

    def presets(self):
        return None

    def facts(self):
        return super().facts() | {
            "losses": norms.LOSSES, "parameters": norms.PARAMETERS,
            "questions": {name: reveal(*QUESTIONS[name][:2]) for name in self.options["norm"]},
        }  # fmt: skip

    def recorded(self, settings):
        size = len(norms.load(settings["source"]).names)
        first, second = min(settings["first"], size - 1), settings["second"]
        plane = [first, min(second, size - 1) if second != first else (first + 1) % size]
        (answer,) = answers(NormsEngine, norms.problem(settings), {
            "type": "norm_problem", "ratio": settings["ratio"], "plane": plane,
            "solver": {"name": "proximal-gradient", "step": settings["step"], "restart": settings["restart"]},
            "best": settings["intercept"] and settings["best"],
        })  # fmt: skip
        return {"norms": {"norm_problem": answer}}

    def source(self, name):
        """The data of a source with the facts of every loss and regularizer, and what is refused of these."""
        settings = norms.Norms().settings() | {"source": name, "loss": "Squared", "norm": "ℓ1"}
        refused, spelled = {"loss": {}, "regularizer": {}}, {}
        data = bundle.data(norms.samples(name, True), spectrum=True)
        known = {"data": data, "losses": {}, "regularizers": {}}
        for label in self.options["loss"]:
            try:
                known["losses"][label] = terms(norms.problem(settings | {"loss": label}))["loss"]
            except InputError as error:
                refused["loss"][label] = str(error)
        for key, chosen in _regularizers(self.options):
            at = settings | chosen
            try:
                known["regularizers"][key] = terms(norms.problem(at))["regularizer"]
            except InputError as error:
                refused["regularizer"][chosen["norm"]] = str(error)
                continue
            _, spelled[key] = norms.regularizer(at)
        return source(name) | {"facts": packed(known), "refused": refused, "spelled": spelled}

    def cards(self):
        return {
            "repair": ("The repair", mixed(REPAIR)), "predict": ("Predict first", ""),
            "code": ("Show me the code", ""),
        }  # fmt: skip


def _regularizers(options):
    """The key in the facts of each regularizer, with each value of its parameter, and their settings."""
    for label in options["norm"]:
        parameter = norms.PARAMETERS.get(label)
        if parameter is None:
            yield label, {"norm": label}
            continue
        for place, value in enumerate(options[parameter]):
            yield f"{label}|{place}", {"norm": label, parameter: value}
