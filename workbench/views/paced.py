"""A page with a run that is played: buttons, cards, a text line under each figure, the work a player's."""

import asyncio
import html

import panel as pn
import panel_material_ui as pmui

from workbench.views import parts
from workbench.views.shell import Visit, shell

HELP = {"space": "run or pause", "→": "one step", "r": "reset"}
BUTTONS = (
    ("reset", "outlined", "replay"),
    ("step", "outlined", "arrow_right"),
    ("leap", "outlined", "skip_next"),
    ("run", "contained", "play_arrow"),
    ("pause", "outlined", "pause"),
)


class PacedPage:
    """Binds one model to its widgets; every session makes its own.

    A page sets `title`, `names` (what the address holds) and `leap`, the label of its button for many
    steps, makes `drawing` (with `figures`, `titles` and `show(frame)`, which returns the sentence of each
    figure), `player` and `controls` in `make`, and fills the rest in `filled`.

    Parameters
    ----------
    model : param.Parameterized
    """

    title, names, leap = "", (), "epoch"

    def __init__(self, model):
        self.model, self.visit, self.document = model, Visit(model, self.names), None
        self.tasks = []
        look = self.visit.look
        self.stats = parts.pane("", look, margin=(0, 0, 10, 0))
        self.status = parts.pane("", look, margin=(0, 0, 8, 2))
        self.code_card, self.code = parts.code_card(look)
        self.make()
        self.captions = {name: parts.pane("", look) for name in self.drawing.titles}
        self.cards = {name: self._card(name) for name in self.drawing.titles}
        self._make_buttons()
        self.template = shell(
            self.title, self.visit, sidebar=self.controls.sidebar(), main=self.main(), aside=self.aside(),
            actions={
                "space": self._toggle,
                "right": lambda: self.pressed("step"),
                "r": lambda: self.pressed("reset"),
            },
            help=HELP,
        )  # fmt: skip

    def make(self):
        """Make the drawing, the player and the controls."""
        raise NotImplementedError

    def main(self):
        """The figures below the numbers and the buttons."""
        cards = parts.grid(*self.cards.values(), least=round(300 * self.visit.look.scale))
        return [self.stats, self.pace, self.status, cards]

    def aside(self):
        """The column that explains."""
        return [self.code_card]

    def filled(self, lab, frame):
        """Fill what a frame changes beside the figures."""

    def servable(self):
        """Add the page to the session's document and begin."""
        pn.state.onload(self.begin)
        pn.state.on_session_destroyed(lambda context: self.close())
        self.template.servable()
        return self

    def begin(self):
        """Start the player, once the page stands."""
        self.document = pn.state.curdoc
        self.tasks.append(asyncio.ensure_future(self.player.serve()))
        self.player.restart()

    def close(self):
        """End with the session."""
        self.player.close()

    def _make_buttons(self):
        self.buttons = {
            name: pmui.Button(
                name=self.leap if name == "leap" else name, variant=variant, size="small", icon=icon,
                margin=(0, 8, 6, 0),
            )
            for name, variant, icon in BUTTONS
        }  # fmt: skip
        for name, button in self.buttons.items():
            button.on_click(lambda event, name=name: self.pressed("epoch" if name == "leap" else name))
        self.pace = pn.FlexBox(*self.buttons.values(), margin=(0, 0, 4, 0), sizing_mode="stretch_width")

    def pressed(self, name):
        """Do what a button says: reset, step, epoch, run or pause."""
        if name == "reset":
            self.player.restart(play=False)
        else:
            self.player.ask(name)

    def _toggle(self):
        self.pressed("pause" if self.player.playing else "run")

    def _card(self, name):
        title, key = self.drawing.titles[name]
        plot = pn.pane.Bokeh(self.drawing.figures[name], sizing_mode="stretch_width", margin=(0, 4))
        return parts.card(
            title, plot, self.captions[name], key=key, figure=name, look=self.visit.look
        )  # fmt: skip

    # What the player calls

    async def show(self, lab, frame):
        """Show a frame, once the browser has painted the one before."""
        await self.visit.browser.painted()
        await self.locked(lambda: self._fill(lab, frame))

    async def tell(self, sentence, is_error):
        """Say how the run stands."""
        await self.locked(lambda: self.say(sentence, is_error))

    async def locked(self, change):
        """Change the document under its lock, and wait until that has happened."""
        if self.player.closed:
            return
        done = asyncio.get_running_loop().create_future()

        def callback():
            try:
                with pn.io.hold(self.document):
                    change()
            finally:
                if not done.done():
                    done.set_result(None)

        self.document.add_next_tick_callback(callback)
        await done

    def say(self, sentence, is_error=False):
        """Write the status line."""
        put(self.status, status(sentence, is_error))

    def _fill(self, lab, frame):
        self.visit.browser.frame += 1
        for name, text in self.drawing.show(frame).items():
            put(self.captions[name], parts.line(text))
        self.filled(lab, frame)


def put(pane, content):
    """Set a pane's content where it is another one: a pane that is set is drawn anew."""
    if pane.object != content:
        pane.object = content


def status(sentence, is_error=False):
    """The HTML of a status line."""
    style = "wb-status bad" if is_error else "wb-status"
    return f"<div class='{style}' role='status'>{html.escape(sentence)}</div>"


def numbers(entries):
    """The HTML of a row of numbers: triples of name, value and a note, which may be empty."""
    cards = "".join(
        f"<div class='wb-stat'><span>{html.escape(name)}</span><b>{html.escape(value)}</b>"
        f"{f'<em>{html.escape(note)}</em>' if note else ''}</div>"
        for name, value, note in entries
    )
    return f"<div class='wb-stats'>{cards}</div>"
