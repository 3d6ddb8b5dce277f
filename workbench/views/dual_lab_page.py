"""The Dual lab as a Panel page: controls, cards, figures; the work is the player's."""

import asyncio
import html

import numpy as np
import panel as pn
import panel_material_ui as pmui

from workbench.views import dual_lab, theme
from workbench.views.cards import FIGURE_TITLES, badge, statistics
from workbench.views.explain import explain
from workbench.views.figures import DualLabFigures, elapsed
from workbench.views.player import Player

NOTHING_YET = "Nothing has moved yet. Press step to see one coordinate change, and which formula moves it."


def log_slider(value, name, low, high, per_decade=10):
    """A slider over a logarithmic grid of two digits, so that the code shown gives the same number."""
    count = round(np.log10(high / low) * per_decade) + 1
    labels = [f"{entry:.2g}" for entry in np.geomspace(low, high, count)]
    options = {label: float(label) for label in labels}
    nearest = min(options.values(), key=lambda entry: abs(np.log(entry / value)))
    return pmui.DiscreteSlider(name=name, options=options, value=nearest)


class DualLabPage:
    """Binds one model to its widgets; every session makes its own.

    Parameters
    ----------
    model : DualLab
    """

    def __init__(self, model):
        self.model = model
        self.figures = DualLabFigures()
        self.document = None
        self.player = Player(model, self._show, self._tell)
        self._make_controls()
        self._make_buttons()
        self._make_panes()
        self.template = pmui.Page(
            title="Duality Workbench · Dual lab",
            sidebar=self._sidebar(),
            main=[self._main()],
            sidebar_width=300,
            theme_toggle=False,
            raw_css=[theme.CSS],
            theme_config=theme.MUI,
        )

    def servable(self):
        """Add the page to the session's document and begin."""
        pn.state.onload(self._begin)
        pn.state.on_session_destroyed(lambda context: self.player.close())
        self.template.servable()
        return self

    def _begin(self):
        self.document = pn.state.curdoc
        self.task = asyncio.ensure_future(self.player.serve())
        self.player.restart()

    # Controls

    def _make_controls(self):
        model = self.model
        self.controls = {
            name: pmui.Select(name=label, options=list(model.param[name].objects), value=getattr(model, name))
            for name, label in (("source", "Data"), ("loss", "Loss"), ("regularizer", "Regularizer"))
        }
        self.controls |= {
            "lam": log_slider(model.lam, "λ weight of the regularizer", 1e-6, 1.0),
            "epsilon": pmui.FloatSlider(
                name="ε sparsity", start=0.0, end=1.0, step=0.01, value=model.epsilon
            ),
            "tube": pmui.FloatSlider(
                name="ε tube of the loss", start=0.0, end=1.0, step=0.01, value=model.tube
            ),
            "mu": log_slider(model.mu, "μ prior of the weights", 1e-4, 10.0),
            "q": pmui.FloatSlider(name="q exponent of the norm", start=1.1, end=4.0, step=0.1, value=model.q),
            "update": pmui.RadioButtonGroup(
                name="Update", options=list(model.param["update"].objects), value=model.update, size="small"
            ),
            "order": pmui.RadioButtonGroup(
                name="Order", options=list(model.param["order"].objects), value=model.order, size="small"
            ),
            "scale": log_slider(model.scale, "t scale of the step", 0.01, 10.0),
            "eta": log_slider(model.eta, "η step of the gradient update", 1e-4, 10.0),
            "seed": pmui.IntInput(name="seed", start=0, end=9999, value=model.seed),
        }
        for name, widget in self.controls.items():
            widget.margin = (4, 0, 10, 0)
            widget.sizing_mode = "stretch_width"
            widget.param.watch(lambda event, name=name: self._changed(name, event), "value")
        self._reveal()

    def _make_buttons(self):
        self.buttons = {
            name: pmui.Button(name=label, variant=variant, size="small", icon=icon, margin=(0, 8, 0, 0))
            for name, label, variant, icon in (
                ("reset", "reset", "outlined", "replay"),
                ("step", "step", "outlined", "arrow_right"),
                ("epoch", "epoch", "outlined", "skip_next"),
                ("run", "run", "contained", "play_arrow"),
                ("pause", "pause", "outlined", "pause"),
            )
        }
        for name, button in self.buttons.items():
            button.on_click(lambda event, name=name: self._pressed(name))

    def _changed(self, name, event):
        """One control moved: the old state stays where the model refuses the value."""
        try:
            setattr(self.model, name, event.new)
        except ValueError:
            low, high = getattr(self.model.param[name], "bounds", (None, None))
            self._status(f"{name} = {event.new!r} is refused; choose a value from {low} to {high}.", True)
            return
        self._reveal()
        self.player.restart()

    def _pressed(self, name):
        if name == "reset":
            self.player.restart(play=False)
        else:
            self.player.ask(name)

    def _reveal(self):
        """Show the sliders that the present choices use."""
        model = self.model
        visible = {
            "epsilon": model.regularizer == "Elastic net",
            "tube": model.loss.startswith("ε"),
            "mu": "ntropy" in model.regularizer,
            "q": model.regularizer == "q-norm",
            "seed": model.order == "shuffled",
        }
        for name, shown in visible.items():
            self.controls[name].visible = shown
        # Not hidden: that the rate belongs to one of the updates is part of the lesson.
        self.controls["eta"].disabled = model.update != "gradient"

    def _sidebar(self):
        names = iter(self.controls.values())
        heading = "<div style='font-size:12px;font-weight:600;color:%s;margin:6px 0 2px'>%s</div>"
        problem = [next(names) for _ in range(7)]
        column = pn.Column(
            pn.pane.HTML(heading % (theme.MUTED, "Problem"), margin=0),
            *problem,
            pn.pane.HTML(heading % (theme.MUTED, "Dual Gauss-Seidel"), margin=0),
            *names,
            margin=(4, 18),
            sizing_mode="stretch_width",
        )
        return [column]

    # Panes

    def _make_panes(self):
        css = [theme.CSS]
        self.stats = pn.pane.HTML(
            statistics(None), stylesheets=css, sizing_mode="stretch_width", margin=(0, 12, 12, 0)
        )
        self.status = pn.pane.HTML("", stylesheets=css, margin=(0, 12, 10, 2), sizing_mode="stretch_width")
        self.captions = {
            name: pn.pane.HTML("", stylesheets=css, margin=0, sizing_mode="stretch_width")
            for name in FIGURE_TITLES
        }
        self.step = pn.pane.HTML("", stylesheets=css, margin=(2, 12, 4, 12), sizing_mode="stretch_width")
        self.formula, self.numbers = (
            pn.pane.LaTeX(
                "", renderer="katex", margin=(0, 0, 6, 0), sizing_mode="stretch_width", styles=style
            )
            for style in (
                {"font-size": "14px"},
                {"font-size": "14px", "line-height": "1.7", "white-space": "pre-line"},
            )
        )
        self.code = pn.pane.HTML("", stylesheets=css, margin=(6, 12, 12, 12), sizing_mode="stretch_width")
        self.badge = pn.pane.HTML("", stylesheets=css, margin=(0, 12, 12, 12), sizing_mode="stretch_width")

    def _card(self, title, *content, key=""):
        heading = pn.pane.HTML(
            f"<div class='wb-card-title'>{title}<span class='wb-key'>{key}</span></div>",
            stylesheets=[theme.CSS],
            margin=0,
        )
        return pn.Column(
            heading, *content, margin=(0, 12, 12, 0), sizing_mode="stretch_width",
            styles={"background": theme.PAPER, "border": f"1px solid {theme.RULE}", "border-radius": "8px"},
        )  # fmt: skip

    def _main(self):
        cards = [
            self._card(
                title,
                pn.pane.Bokeh(self.figures.figures[name], sizing_mode="stretch_width"),
                self.captions[name],
                key=key,
            )
            for name, (title, key) in FIGURE_TITLES.items()
        ]
        plots = pn.GridBox(*cards, ncols=2, sizing_mode="stretch_width")
        side = pn.Column(
            self._card(
                "Why this update?",
                self.step,
                pn.Column(self.formula, self.numbers, margin=(0, 12), sizing_mode="stretch_width"),
                self.badge,
            ),
            self._card("Show me the code", self.code),
            width=330,
        )
        pace = pn.Row(*self.buttons.values(), margin=(0, 0, 8, 0), sizing_mode="stretch_width")
        left = pn.Column(self.stats, pace, self.status, plots, sizing_mode="stretch_width")
        return pn.Row(left, side, sizing_mode="stretch_width", margin=12)

    # What the player calls

    async def _show(self, lab, frame):
        await self._locked(lambda: self._fill(lab, frame))

    async def _tell(self, sentence, is_error):
        await self._locked(lambda: self._status(sentence, is_error))

    async def _locked(self, change):
        """Change the document under its lock, and wait until that has happened."""
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

    def _status(self, sentence, is_error=False):
        style = "wb-status bad" if is_error else "wb-status"
        self.status.object = f"<div class='{style}' role='status'>{html.escape(sentence)}</div>"

    def _fill(self, lab, frame):
        for name, text in self.figures.show(frame).items():
            self.captions[name].object = f"<div class='wb-line'>{html.escape(text)}</div>"
        self.stats.object = statistics(frame)
        if self.player.playing:
            self._status(f"Running: {elapsed(frame['row'])}")
        self.code.object = (
            f"<pre class='wb-code'>{html.escape(dual_lab.code(lab.settings, self.model.tolerance))}</pre>"
        )
        self._explain(lab.run)

    def _explain(self, run):
        step = explain(run)
        if step is None:
            self.step.object = f"<div class='wb-note'>{NOTHING_YET}</div>"
            self.formula.object = self.numbers.object = self.badge.object = ""
            return
        self.step.object = f"<div class='wb-note'>{html.escape(step.title)}</div>"
        self.formula.object = f"$${step.formula}$$"
        self.numbers.object = "\n".join(f"${line}$" for line in step.numbers)
        self.badge.object = badge(step)
