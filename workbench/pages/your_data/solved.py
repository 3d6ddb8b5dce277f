"""Your data in one step: what `workbench solve` does with the file, its downloads, and why a row is so."""

import asyncio
import io

import panel as pn
import panel_material_ui as pmui

from workbench.data import store
from workbench.errors import InputError
from workbench.faces import cards, html
from workbench.pages import parts
from workbench.tabular import explain, features, fitting, reading, report

REFUSE = "refuse"
# Of a server that others use as well.
MOST_EPOCHS = 500
OUTPUTS = {"model": "Model", "predictions": "Predictions as CSV", "report": "Report"}
FIRST = "{name}: all settings are chosen from the file, which may contain text and empty cells."
READS = "“Fit it” can read this file: it takes text, and empty cells as chosen there."
# The command line's, which the page does not have.
HELD_OUT = "; --test-size 0.2 holds rows out of that as well"


def fitted(content, name, missing, one_se, leave_out):
    """The model of a file's bytes, within the server's caps."""
    table = reading.read_upload(content, name, caps=store.store().caps)
    missing = None if missing == REFUSE else missing
    return fitting.fit(
        table, missing=missing, one_se=one_se, leave_out=tuple(leave_out), max_epochs=MOST_EPOCHS
    )  # fmt: skip


def readable(content, name):
    """Whether `fitted` can read a file's bytes as a table."""
    try:
        reading.read_upload(content, name, caps=store.store().caps)
    except InputError:
        return False
    return True


class ModelCard:
    """A card that fits the present file.

    Parameters
    ----------
    page : YourDataPage
        Has `raw`, the name and the bytes of the file; changes go through its `locked`.
    look : theme.Look
    """

    def __init__(self, page, look):
        self.page, self.look, self.model, self.job = page, look, None, None
        self.missing = pmui.Select(name="Empty cells", options=[REFUSE, *features.MISSING], size="small")
        self.leave_out = pmui.TextInput(name="Leave out (columns, by commas)", size="small")
        self.one_se = pmui.Switch(name="Largest λ within one standard error", value=False)
        self.button = pmui.Button(name="Fit it", variant="contained", size="small", icon="check")
        # A card in a narrow column: its tables scroll.
        text = {"margin": (4, 14, 8, 14), "styles": {"font-size": look.px(13), "overflow-x": "auto"}}
        self.pane = parts.pane("", look, **text)
        self.row = pmui.IntInput(name="Explain row", value=0, start=0, size="small", visible=False)
        self.why = parts.pane("", look, **text)
        names = {"model": "model.npz", "predictions": "predictions.csv", "report": "report.html"}
        self.files = [
            pmui.FileDownload(
                callback=lambda name=name: self._file(name), filename=file, label=OUTPUTS[name],
                visible=False, variant="outlined", size="small", margin=(0, 8, 8, 14),
            )
            for name, file in names.items()
        ]  # fmt: skip
        parts.lay_out(self.missing, self.leave_out, self.one_se, self.button, self.row)
        self.button.on_click(lambda event: self._start())
        self.row.param.watch(lambda event: self._explain(), "value")

    def card(self):
        """The card."""
        asked = pn.Column(self.missing, self.leave_out, self.one_se, self.button, margin=(0, 14))
        files = pn.FlexBox(*self.files)
        row = pn.Column(self.row, margin=(0, 14))
        return parts.card("A model in one step", asked, self.pane, files, row, self.why, look=self.look)

    def about(self, name):
        """Another file has come: the model of the former one goes."""
        self.end()
        self.model = None
        self._show(html.paragraph(FIRST.format(name=name)))
        parts.put(self.why, "")
        for widget in (*self.files, self.row):
            widget.visible = False

    def end(self):
        """Leave nothing behind that waits."""
        if self.job is not None:
            self.job.cancel()

    def _start(self):
        self.end()
        self.job = asyncio.ensure_future(self._fit())

    async def _fit(self):
        raw = self.page.raw
        asked = [text.strip() for text in self.leave_out.value.split(",") if text.strip()]
        await self.page.locked(lambda: self._show(html.paragraph("Fitting …")))
        try:
            if raw is None:
                raise InputError("There is no file to fit yet; choose an example, or drop one.")
            model = await asyncio.to_thread(
                fitted, raw[1], raw[0], self.missing.value, self.one_se.value, asked
            )  # fmt: skip
        except InputError as error:
            sentence = _for_the_page(str(error))
            await self.page.locked(lambda: self._show(parts.status(sentence, True)))
            return
        await self.page.locked(lambda: self._done(model))

    def _show(self, text):
        parts.put(self.pane, text)

    def _done(self, model):
        self.model = model
        held = report.held_out(model)
        self._show(cards.model(model) + (html.paragraph(held.replace(HELD_OUT, "")) if held else ""))
        for widget in (*self.files, self.row):
            widget.visible = True
        self.row.end = model.X.shape[0] - 1
        self._explain()

    def _explain(self):
        if self.model is not None:
            try:
                text = explain.card(self.model, int(self.row.value or 0))
            except InputError as error:
                text = parts.status(str(error), True)
            parts.put(self.why, text)

    def _file(self, name):
        """The content of a download."""
        if self.model is None:
            return io.StringIO("")
        if name == "report":
            return io.StringIO(report.page(self.model))
        if name == "predictions":
            return io.StringIO(self.model.predict(self.model.table).to_csv(index_label="index"))
        kept = io.BytesIO()
        self.model.save(kept)
        kept.seek(0)
        return kept


def _for_the_page(sentence):
    """A refusal whose options are those of the command line, for the page's controls."""
    return sentence.replace("--missing", "“Empty cells”:").replace("--leave-out", "“Leave out”:")
