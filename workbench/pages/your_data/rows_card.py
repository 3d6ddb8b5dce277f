"""The card "Predict new rows": a file of them, the first predictions, and all of them as one table."""

import asyncio
import io

import panel as pn
import panel_material_ui as pmui

from workbench._support.errors import InputError
from workbench.data import store
from workbench.data.tables import child
from workbench.data.tables.columns import CATEGORY
from workbench.pages import parts
from workbench.pages.your_data import new_rows
from workbench.pages.your_data.new_rows import format_text
from workbench.pages.your_data.preview import predictions
from workbench.pages.your_data.upload_card import Dropper


class RowsCard:
    """A card that predicts rows with the model that the page has fitted.

    Parameters
    ----------
    page : YourDataPage
        Changes go through its `locked`.
    look : theme.Look
    """

    def __init__(self, page, look):
        self.page, self.look, self.job = page, look, None
        caps = store.store().caps
        label = format_text("drop", megabytes=caps.megabytes)
        self.dropper = Dropper(self._take, self._refuse, caps, look, label)
        self.unknown = pmui.Switch(name=format_text("unknown"), value=False)
        text = {"margin": (4, 14, 8, 14), "styles": {"font-size": look.px(13)}}
        self.says, self.pane = parts.pane("", look, **text), parts.pane("", look, **text)
        self.code = parts.pane("", look, margin=(4, 14, 8, 14))
        self.file = pmui.FileDownload(
            callback=lambda: io.StringIO(self.prediction.csv() if self.prediction else ""),
            filename="predicted-rows.csv",
            label=format_text("download"),
            variant="outlined",
            size="small",
            margin=(0, 14, 14, 14),
        )
        parts.lay_out(self.unknown)
        self.unknown.param.watch(lambda event: self._start(), "value")
        self.forget()

    def card(self):
        """The card."""
        inputs = pn.Column(self.dropper, self.unknown, margin=(0, 14))
        return parts.card(
            format_text("title"), inputs, self.says, self.pane, self.file, self.code, look=self.look
        )

    def forget(self):
        """There is no model any more: the rows and their predictions go with it."""
        self.end()
        self.model = self.raw = self.prediction = None
        self.refusal, self.waits, self.busy = "", False, False
        self.dropper.visible = self.unknown.visible = False
        self._show()

    def take(self, model):
        """A model has come: rows that are here already get their predictions from it."""
        self.model, self.prediction, self.refusal, self.waits, self.busy = model, None, "", False, False
        self.dropper.visible = True
        self.unknown.visible = any(each.kind == CATEGORY for each in model.features.decisions)
        self._show()
        self._start()

    def wait(self, waits):
        """Show whether the predictions are of a model that is no longer what is chosen."""
        self.waits = waits
        self._show()

    def end(self):
        """Leave nothing behind that waits."""
        if self.job is not None:
            self.job.cancel()

    def _take(self, name, content):
        self.raw = name, content
        self._start()

    def _start(self):
        if self.raw is not None and self.model is not None:
            self.end()
            self.job = asyncio.ensure_future(self._predict(self.model, *self.raw))

    async def _predict(self, model, name, content):
        unknown = new_rows.IGNORE if self.unknown.value else new_rows.REFUSE
        await self.page.locked(self._begin)
        try:
            result = await child.run(
                new_rows.predicted,
                model,
                content,
                name,
                unknown,
                store.store().caps,
                visitor=self.page.visitor,
                **child.READING,
            )
        except InputError as error:
            sentence = str(error)
            await self.page.locked(lambda: self._refuse(sentence))
            return
        await self.page.locked(lambda: self._done(result, unknown))

    def _begin(self):
        self.busy, self.refusal = True, ""
        self._show()

    def _refuse(self, sentence):
        """Predictions of a file before this one stay, dimmed; the rows stay, for other options."""
        self.busy, self.refusal = False, new_rows.for_the_page(sentence)
        self._show()

    def _done(self, result, unknown):
        self.busy, self.prediction = False, result
        python, command = new_rows.code(self.model, result.name, unknown)
        parts.put(self.code, parts.code(python) + parts.code(command))
        self._show()

    def _show(self):
        result, dimmed = self.prediction, bool(self.waits or self.busy or self.refusal)
        style = f" style='opacity: {parts.DIMMED}'" if dimmed else ""
        parts.put(self.says, parts.status(self._sentence(), bool(self.refusal)))
        parts.put(self.pane, "" if result is None else f"<div{style}>{predictions(result)}</div>")
        self.file.visible = self.code.visible = result is not None and not dimmed

    def _sentence(self):
        if self.model is None:
            return format_text("before")
        if self.refusal:
            return self.refusal
        if self.busy:
            return format_text("reading", file=self.raw[0])
        if self.prediction is None:
            return new_rows.about(self.model)
        return format_text("waits") if self.waits else " ".join(self.prediction.sentences)
