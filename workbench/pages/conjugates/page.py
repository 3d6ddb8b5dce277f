"""The page of conjugates: choices on the server, everything that moves in the browser."""

import asyncio
import time
from typing import ClassVar

import numpy as np
import panel as pn
import panel_material_ui as pmui

from workbench._support.errors import ConvexityError, InputError
from workbench.pages import export_live, parts
from workbench.pages.conjugates import figures, texts
from workbench.pages.conjugates import model as conjugates
from workbench.pages.conjugates.model import OWN
from workbench.pages.drawn_page import ChoicePage
from workbench.pages.export_file import card

QUESTION = (
    "Raise the slope v. Does the point in which its tangent meets the axis rise? "
    "always; never; where the tangent touches at u < 0",
    "Where the tangent touches at u < 0; where it touches at u > 0 the point falls. It is −q(v), and q′(v) "
    "is the u at which the tangent touches.",
)
NAMES = ("preset", "formula", "domain", "parameters", "values", "u", "v", "predict")
FIRST = next(iter(conjugates.PRESETS))
FILE_MAIN = (
    "<div id='x-cards'></div><div class='x-cards x-two'>"
    + card("The pair", "<div id='x-pair'></div>")
    + card("Verification", "<div id='x-claims'></div>")
    + card("Show me the code", "<div id='x-code'></div>")
    + "</div>"
    + card("Derivation, step by step", "<div id='x-steps' class='x-wide'></div>")
)


class ConjugatesPage(ChoicePage):
    """Binds one `Conjugates` model to its widgets and its drawing; every session makes its own."""

    title, names, model_type = "Conjugates", NAMES, conjugates.Conjugates
    choice, label, choices, more_choices = "preset", "Pair", conjugates.PRESETS, (OWN,)
    label_of = staticmethod(conjugates.label)
    note = (
        "This file needs no server. To derive a function of your own, have a file written for it: "
        '<code>workbench export conjugates out.html --function "log(1 + exp(u))"</code>'
    )
    file_main = FILE_MAIN
    help: ClassVar = {
        "space": "hide or show q",
        "right arrow": "next pair",
        "r": "back to the start",
    }

    def __init__(self, model, visit):
        super().__init__(model, visit)
        if model.formula and model.preset == FIRST:  # an address may give a function alone
            model.preset = OWN
        self.outcome, self.refusal, self.last = None, "", None
        self._make_controls()
        self._make_panes()

    @property
    def actions(self):
        return super().actions | {"space": self._toggle}

    # Controls

    def _make_controls(self):
        self.texts = {
            "formula": pmui.TextInput(name="p(u)", placeholder="log(1 + exp(u))"),
            "domain": pmui.TextInput(name="Domain", placeholder="u >= 0, or empty for the line"),
            "parameters": pmui.TextInput(name="Parameters", placeholder="p > 1; epsilon: positive"),
        }
        for widget in self.texts.values():
            widget.max_length = conjugates.LONGEST
        self.derive = pmui.Button(name="Derive", variant="contained", size="small")
        self.cancel = pmui.Button(name="Cancel", variant="outlined", size="small", visible=False)
        parts.lay_out(*self.texts.values())
        for button in (self.derive, self.cancel):
            button.margin = (0, 8, 8, 0)
        self._fill_texts()
        self.derive.on_click(lambda event: self._own())
        self.texts["formula"].param.watch(lambda event: self._own(), "enter_pressed")
        self.cancel.on_click(lambda event: self.desk.cancel())

    def _fill_texts(self):
        choice = self.model.chosen()
        for name, text in (
            ("formula", choice.text),
            ("domain", choice.domain),
            ("parameters", choice.parameters),
        ):
            self.texts[name].value = self.texts[name].value_input = text

    def _make_panes(self):
        look = self.look
        self.verdict = parts.pane("", look, margin=(6, 14, 4, 14))
        style = {"font-size": look.px(13), "color": look.ink}
        self.pair, self.steps = (parts.pane("", look, margin=(0, 14, 10, 14), styles=style) for _ in range(2))
        # What would give q away while it is to be found.
        self.answers = {
            "pair": parts.card("The pair", self.pair, look=look),
            "verification": parts.card("Verification", self.verdict, look=look),
            "derivation": parts.card("Derivation, step by step", self.steps, look=look),
        }
        self.model.param.watch(lambda event: self._hide_answers(), "predict")
        self._hide_answers()
        self.predict.ask(*QUESTION)

    def _hide_answers(self):
        for each in self.answers.values():
            each.visible = not self.model.predict

    def sidebar(self):
        *controls, status, sliders = super().sidebar()
        if self.visit.shows("formula"):
            controls += [*self.texts.values(), pn.Row(self.derive, self.cancel, margin=0)]
        return [*controls, status, sliders]

    def main(self):
        self.answers["derivation"].margin = (12, 0, 0, 0)
        return [self.plots, self.answers["derivation"]]

    def aside(self):
        predict, code = super().aside()
        return [predict, self.answers["pair"], self.answers["verification"], code]

    # What a visitor does

    def _own(self):
        typed = {name: parts.typed(widget) for name, widget in self.texts.items()}
        self.change(preset=OWN, **typed)

    def restart(self):
        self.change(preset=self.model.preset)

    def _toggle(self):
        if self.drawing is not None:
            toggle = self.drawing.controls["predict"]
            toggle.active = not toggle.active

    def change(self, **values):
        """Ask for another pair; the old one stays until the new one is derived."""
        if values["preset"] != OWN:
            values = dict.fromkeys(self.texts, "") | values
        try:
            for name in ("formula", "domain", "parameters"):
                conjugates.check_text(name, values.get(name, ""))
            if values["preset"] == OWN and not values.get("formula", self.model.formula):
                raise ValueError("p(u) is empty; type a convex function such as exp(u) - u")
        except ValueError as error:
            self.refused(error)
            return
        self.model.param.update(**({"values": "", "u": None, "v": None} | values))
        self.ask()

    # Derivations

    async def draw(self):
        """The present choices, drawn; where they are refused, the state that was shown last."""
        own, choice = asyncio.current_task(), self.model.chosen()
        clock = asyncio.ensure_future(self._tick())
        arguments = conjugates.request(choice)
        try:
            outcome = await self._derived(choice, arguments)
            tables = await self._tables(outcome, arguments)
        except asyncio.CancelledError:
            # A newer request, or the end of the visit, has taken the place of this one.
            if self.task is own:
                self._give_back("Cancelled; the pair before it stays.")
        except InputError as error:
            self._give_back(str(error))
            self.dim(True)
        else:
            with pn.io.hold(self.document):
                self._show(outcome, tables)
        finally:
            clock.cancel()
            if self.task is own:
                self.cancel.visible = False

    async def _derived(self, choice, arguments):
        try:
            return await self.desk.ask(choice.sketch, *arguments, choice.entry)
        except ConvexityError:
            return await self.desk.ask("envelope", *arguments)

    async def _tables(self, outcome, arguments):
        names = conjugates.tabled(outcome)
        if not names:
            return {}
        numbers = {name: value for name, (_, _, value) in self.model.numbers(outcome["ranges"]).items()}
        points, tables = tuple(conjugates.TABLE), {}
        for name in names:
            values = await self.desk.ask("table", *arguments, name, points, tuple(numbers.items()))
            tables[name] = _table(values)
        return tables

    async def _tick(self):
        """Say after a moment that work is under way, and for how long."""
        start = time.monotonic()
        await asyncio.sleep(0.3)
        self.cancel.visible = True
        while True:
            self.say(f"Deriving ... {time.monotonic() - start:.0f} s")
            await asyncio.sleep(1.0)

    def _give_back(self, sentence):
        """The state shown last, or the first pair where an address asked for what cannot be drawn."""
        first = self.last is None
        if first and self.model.preset == FIRST:
            self.say(sentence, True)
            return
        self.model.param.update(**(self.last or {name: self.model.param[name].default for name in NAMES}))
        self.select.value = self.model.preset
        self.say(sentence, True)
        if first:
            self.refusal = sentence
            self.ask()

    # What is shown

    def _show(self, outcome, tables):
        model = self.model
        self.outcome = outcome
        model.declare(outcome["declared"])
        self.select.value = model.preset
        self._fill_texts()
        self.curves = figures.curves(outcome)
        start = {
            "u": model.u,
            "v": model.v,
            "predict": model.predict,
            "parameters": model.numbers(outcome["ranges"]),
        }
        self.place(figures.document(outcome, start, self.look, model.python(), tables))
        self._explain(outcome)
        self.last = {name: getattr(model, name) for name in NAMES}
        refusal, self.refusal = self.refusal, ""
        text = f"Derived in {outcome['seconds']:.1f} s" if outcome["claims"] else "Drawn from values"
        self.say(refusal or f"{text}: {outcome['status']}.", bool(refusal))

    def _explain(self, outcome):
        says = self.model.chosen().says
        parts.put(self.pair, texts.explained(outcome, says, self.curves))
        parts.put(self.verdict, texts.badges(outcome["claims"]))
        parts.put(self.steps, texts.steps(outcome, self.curves))

    def settle(self):
        """Take what the browser's controls say into the model, and so into the address."""
        controls = self.drawing.controls
        values = {
            name.removeprefix("par_"): control.value
            for name, control in controls.items()
            if name.startswith("par_")
        }
        bound = conjugates.FAR
        if self.model.u is None:
            if self.task is not None and not self.task.done():
                return  # these are the controls of the pair before
            # Where the drawing begins is no change of anybody's.
            self.visit.browser.stays |= {"u", "v", "values"}
        text, before = conjugates.write_values(values), self.model.values
        self.model.param.update(
            u=min(max(controls["u"].value, -bound), bound),
            v=min(max(controls["v"].value, -bound), bound),
            predict=controls["predict"].active,
            values=text,
        )
        self.last = {name: getattr(self.model, name) for name in NAMES}
        if conjugates.tabled(self.outcome) and values and before != text:
            self.ask()

    # The page as a file

    @classmethod
    def page(cls, look, selection, say=None, own=None):
        """The text of the file; `own`, a `conjugates.Preset`, is alone in it where nothing is chosen."""
        if own is None:
            return super().page(look, selection)
        model = cls.model_type(preset=OWN, formula=own.text, domain=own.domain, parameters=own.parameters)
        return export_live.page(cls, look, [OWN, *selection.get("preset", ())], model)

    @classmethod
    def listed(cls, model):
        own = model.preset == OWN
        return [("Your own function", model.formula) if own else ("Pairs", conjugates.label(model.preset))]

    @classmethod
    def filed(cls, model, look, ask):
        """Pairs derived when the file is written."""
        choice = model.chosen()
        arguments = conjugates.request(choice)
        try:
            outcome = ask(choice.sketch, *arguments, choice.entry)
        except ConvexityError:
            outcome = ask("envelope", *arguments)
        model.declare(outcome["declared"])
        model.values = choice.values
        numbers = model.numbers(outcome["ranges"])
        if conjugates.tabled(outcome) and numbers:
            # Its values would have to be computed anew for every position of a slider.
            raise InputError(
                f"{' and '.join(outcome['refused'])} of {choice.text} has no closed form, so a file cannot "
                f"follow the parameter {next(iter(numbers))}; write a number in its place"
            )
        points = tuple(conjugates.TABLE)
        tables = {
            name: _table(ask("table", *arguments, name, points, ())) for name in conjugates.tabled(outcome)
        }
        start = {"u": None, "v": None, "predict": False, "parameters": numbers}
        return figures.document(outcome, start, look, model.python(), tables), {
            "x-pair": texts.explained(outcome, choice.says, {}, "computed when this file was written"),
            "x-claims": texts.badges(outcome["claims"]),
            "x-steps": texts.steps(outcome, {}),
        }


def _table(values):
    """The values of a function at the points of `conjugates.TABLE`, NaN where it is infinite."""
    return {"x": list(conjugates.TABLE), "y": [y if np.isfinite(y) else np.nan for y in values]}
