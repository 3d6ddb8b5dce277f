"""The page of the race: the course, start and cancel, the curves as they grow, the table, the guess."""

import asyncio
import html
from typing import ClassVar

import panel as pn
import panel_material_ui as pmui

from workbench.pages import parts
from workbench.pages.controls import Controls, select
from workbench.pages.controls import table as controls_table
from workbench.pages.guess_card import GuessCard
from workbench.pages.numerals import numerals
from workbench.pages.page import Page
from workbench.pages.race import model as race
from workbench.pages.race.figures import RaceFigure
from workbench.pages.shell import Visit, take_upload
from workbench.pages.wording import content

LAB = controls_table(content("dual_lab")["controls"])
TABLE = {
    "Problem": {name: control for name, control in LAB["Problem"].items() if name in race.COURSE},
    "Race": {"seconds": select("Time limit in seconds")},
}
RULES = content("race")["rules"]
WHY = content("race")["why"]


class RacePage(Page):
    """Binds one `RaceModel` to its widgets; every session makes its own."""

    title, names = "Race", race.COURSE
    help: ClassVar = {
        "space": "start or cancel the race",
        "→": "next loss",
        "r": "back to the start",
    }

    def __init__(self, model):
        refusals = take_upload(model)
        super().__init__(model, Visit(model, race.COURSE))
        self.visit.refusals += refusals
        self.racer, self.standings = race.Racer(), race.Standings()
        self.figure = RaceFigure(self.look)
        self.controls = Controls(
            TABLE,
            model,
            self.visit,
            self._chosen,
            lambda text: self.say(text, True),
            race.PRESETS,
            {"epsilon": [{"regularizer": ["Elastic net"]}]},
        )
        self.guess = GuessCard(self.look, lambda option: self.start())
        self._make_panes()

    @property
    def actions(self):
        return {
            "space": self._toggle,
            "right": self._next,
            "r": self._restart,
        }

    def _make_panes(self):
        look = self.look
        self.go = pmui.Button(
            name="start", variant="contained", size="small", icon="flag", margin=(0, 8, 6, 0)
        )
        self.stop = pmui.Button(
            name="cancel", variant="outlined", size="small", icon="stop", margin=(0, 8, 6, 0), disabled=True
        )
        self.go.on_click(lambda event: self.start())
        self.stop.on_click(lambda event: self.racer.cancel())
        self.key = parts.pane("", look, margin=(0, 14))
        self.caption = parts.pane("", look)
        self.table = parts.pane("", look, margin=(4, 14, 12, 14), styles={"font-size": look.px(13)})
        self.code_card, self.code = parts.code_card(look)

    def sidebar(self):
        return self.controls.sidebar()

    def main(self):
        view = pn.pane.Bokeh(self.figure.figure, sizing_mode="stretch_width", margin=(0, 4))
        curves = parts.card(
            self.figure.titles["race"][0],
            self.key,
            view,
            self.caption,
            figure="race",
            look=self.look,
        )
        buttons = pn.FlexBox(self.go, self.stop, margin=(0, 0, 4, 0), sizing_mode="stretch_width")
        table = parts.card("Seconds to a certified relative gap", self.table, look=self.look)
        return [buttons, self.status, parts.grid(curves, table, least=2000)]

    def aside(self):
        rules = parts.pane(f"<div class='wb-note'>{RULES}</div>", self.look, margin=(6, 14, 8, 14))
        return [self.guess.card, parts.card("The rules", rules, look=self.look), self.code_card]

    def begin(self):
        """Show the starting list."""
        self.task = asyncio.ensure_future(self._first())

    async def _first(self):
        # The peers' libraries take seconds to import, the first time.
        await asyncio.to_thread(self.model.entrants)
        self.document.add_next_tick_callback(self._chosen)

    def end(self):
        """Leave nothing running."""
        self.racer.cancel()

    # What a visitor does

    def _next(self):
        names = list(race.LOSSES)
        following = names[(names.index(self.model.loss) + 1) % len(names)]
        self.controls.update({"loss": following})

    def _restart(self):
        self.controls.update({name: self.model.param[name].default for name in race.COURSE})
        self._chosen()

    def _toggle(self):
        if self.racer.running:
            self.racer.cancel()
        else:
            self.start()

    def _chosen(self, names=()):
        """Another course: its starting list; a race that goes on belongs to the old one and ends."""
        self.racer.cancel()
        self._line_up()
        names, _ = self.model.entrants()
        self.guess.ask(
            f"Which solver is the first to certify a relative gap of {race.DECIDING:g}?",
            names,
            "Guess, and the race begins; or press start.",
        )
        self.say("Ready. Nothing has run yet.")

    def _line_up(self):
        names, _ = self.model.entrants()
        self.standings = race.Standings()
        self.key.object = f"<div class='wb-key'>{self.figure.key(names)}</div>"
        self.code.object = parts.code(race.code(self.model.course()))
        self._show()

    def start(self):
        """Begin the race of the present course, unless one is running."""
        standings = race.Standings()

        async def tell(event):
            self.document.add_next_tick_callback(lambda: self._show_event(standings, event))

        if not self.racer.start(self.model.message(), tell):
            self.say("A race is running; cancel it first.", True)
            return
        self._line_up()
        self.standings = standings
        self.go.disabled, self.stop.disabled = True, False
        self.say("Preparing: the data, compilation, and a long solve that proves the lower bound.")

    # What the race tells

    def _show_event(self, standings, event):
        if standings is not self.standings:
            if not self.racer.running:
                self.go.disabled, self.stop.disabled = False, True
            return  # of a course that is no longer chosen
        standings.add(event) if event["kind"] != "wait" else self.say(event["why"])
        with pn.io.hold(self.document):
            self._show()
            if event["kind"] == "fit":
                self.say(f"Racing: {event['name']} fitted in {race.spelled_seconds(event['seconds'])}.")
            elif event["kind"] in ("end", "refused"):
                self._ended(event)

    def _ended(self, event):
        self.say(*race.ending(event))
        self.go.disabled, self.stop.disabled = False, True
        came = self.standings.winner(race.DECIDING)
        self.guess.reveal("no solver reached it" if came is None else f"{came} was first", WHY, came)

    def _show(self):
        self.figure.show(self.standings)
        self.caption.object = parts.line(self.standings.caption())
        self.table.object = table(self.standings, *self.model.entrants())


def table(standings, names, absent):
    """HTML of the standings: seconds to each mark, what the best weights are certified to, who is absent."""
    rows = {row[0]: row[1:] for row in standings.rows()}
    least = [
        min((row[0][k] for row in rows.values() if row[0][k] is not None), default=None)
        for k in range(len(race.MARKS))
    ]
    nothing = [None] * len(race.MARKS), None
    body = "".join(_row(name, *rows.get(name, nothing), least) for name in names)
    body += "".join(
        f"<tr><th scope='row'>{html.escape(name)}</th><td colspan='{len(race.MARKS) + 2}'>"
        "not started: it is not installed</td></tr>"
        for name in absent
    )
    marks = "".join(f"<th scope='col'>to {mark:g}</th>" for mark in race.MARKS)
    return numerals(
        "<div style='overflow-x: auto' tabindex='0' role='region' aria-label='Standings'>"
        f"<table class='wb-table'><thead><tr><th scope='col'>contestant</th>{marks}"
        "<th scope='col'>best certified</th><th scope='col'>without D*</th></tr>"
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def _row(name, seconds, best, least):
    times = "".join(
        f"<td>{f'<b>{text}</b>' if value is not None and value == first else text}</td>"
        for value, first in zip(seconds, least, strict=True)
        for text in [race.spelled_seconds(value)]
    )
    worth = "<td>–</td><td>–</td>"
    if best is not None:
        worth = f"<td>{best['relative']:.1e}</td><td>{best['gap']:.1e}</td>"
    return f"<tr><th scope='row'>{html.escape(name)}</th>{times}{worth}</tr>"
