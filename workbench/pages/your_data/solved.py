"""Your data in one step: what `workbench solve` does with the file, its downloads, and why a row is so."""

import asyncio
import io

import panel as pn
import panel_material_ui as pmui

from workbench._support.display import cards, html
from workbench._support.errors import InputError
from workbench.data import store
from workbench.data.tables import child, explain, report, uploads
from workbench.data.tables.preparation import MISSING
from workbench.pages import parts
from workbench.pages.your_data import new_rows
from workbench.pages.your_data.rows_card import RowsCard

REFUSE = "refuse"
OUTPUTS = {"model": "Model", "predictions": "Predictions as CSV", "report": "Report"}
FIRST = "{name}: all settings are chosen from the file, which may contain text and empty cells."
# The command line's, which the page does not have.
HELD_OUT = "; test_size=0.2 holds rows out of that as well"


class ModelCard:
    """A card that fits the present file.

    Parameters
    ----------
    page : YourDataPage
        Has `raw`, the name and the bytes of the file; changes go through its `locked`.
    look : theme.Look
    """

    def __init__(self, page, look):
        self.page, self.look, self.model, self.fitted_options, self.job = page, look, None, None, None
        self.rows = RowsCard(page, look)
        self.missing = pmui.Select(name="Empty cells", options=[REFUSE, *MISSING], size="small")
        self.target = pmui.TextInput(name=new_rows.format_text("target"), size="small")
        self.leave_out = pmui.TextInput(name="Leave out (columns, by commas)", size="small")
        self.one_se = pmui.Switch(name="Largest λ within one standard error", value=False)
        self.button = pmui.Button(name="Fit it", variant="contained", size="small", icon="check")
        # A card in a narrow column: its tables scroll.
        text = {"margin": (4, 14, 8, 14), "styles": {"font-size": look.px(13), "overflow-x": "auto"}}
        self.pane = parts.pane("", look, **text)
        # The buttons beside the number have no names; the arrow keys do the same.
        self.row = pmui.IntInput(
            name="Explain row",
            value=0,
            start=0,
            size="small",
            visible=False,
            sx={"& .MuiIconButton-root": {"display": "none"}},
        )
        self.why = parts.pane("", look, **text)
        names = {"model": "model.npz", "predictions": "predictions.csv", "report": "report.html"}
        self.files = [
            pmui.FileDownload(
                callback=lambda name=name: self._file(name),
                filename=file,
                label=OUTPUTS[name],
                visible=False,
                variant="outlined",
                size="small",
                margin=(0, 8, 8, 14),
            )
            for name, file in names.items()
        ]
        parts.lay_out(self.missing, self.target, self.leave_out, self.one_se, self.button, self.row)
        self.button.on_click(lambda event: self._start())
        self.row.param.watch(lambda event: self._explain(), "value")
        for widget in (self.missing, self.target, self.leave_out, self.one_se):
            widget.param.watch(lambda event: self._show_model(), "value")
        for widget in (self.missing, self.leave_out):
            widget.param.watch(lambda event: self.page.read_again(), "value")

    def card(self):
        """The card."""
        rows = pn.Column(self.missing, self.target, self.leave_out, self.one_se, self.button, margin=(0, 14))
        files = pn.FlexBox(*self.files)
        row = pn.Column(self.row, margin=(0, 14))
        return parts.card("A model in one step", rows, self.pane, files, row, self.why, look=self.look)

    def about(self, name):
        """Another file has come: the model of the former one goes."""
        self.end()
        self.model = None
        self.rows.forget()
        self.target.value = ""  # a column of the former file
        self._show(html.paragraph(FIRST.format(name=name)))
        parts.put(self.why, "")
        for widget in (*self.files, self.row):
            widget.visible = False

    def end(self):
        """Leave nothing behind that waits."""
        self._cancel()
        self.rows.end()

    def _cancel(self):
        if self.job is not None:
            self.job.cancel()

    def _start(self):
        self._cancel()
        self.job = asyncio.ensure_future(self._fit())

    async def _fit(self):
        raw, options = self.page.raw, self._options()
        await self.page.locked(self._begin)
        try:
            if raw is None:
                raise InputError("There is no file to fit yet; choose an example, or drop one.")
            missing, one_se, leave_out, target = options
            model = await child.run(
                uploads.fit,
                raw[1],
                raw[0],
                missing,
                one_se,
                leave_out,
                target,
                store.store().caps,
                visitor=self.page.visitor,
                **child.FITTING,
            )
        except InputError as error:
            sentence = parts.status(new_rows.for_the_page(str(error)), True)
            await self.page.locked(lambda: self._show_model(sentence))
            return
        await self.page.locked(lambda: self._done(model, options))

    def _options(self):
        """What is asked for: what becomes of empty cells, which lambda, the columns left out, the target."""
        left_out = [text.strip() for text in self.leave_out.value.split(",") if text.strip()]
        missing = None if self.missing.value == REFUSE else self.missing.value
        return missing, self.one_se.value, left_out, self.target.value.strip()

    @property
    def cells(self):
        """What becomes of empty cells, and the columns left out: of both halves of the page."""
        missing, _, left_out, _ = self._options()
        return missing, left_out

    def take(self, missing, leave_out):
        """Show options that an address has kept."""
        self.missing.value, self.leave_out.value = missing or REFUSE, ", ".join(leave_out)

    def _begin(self):
        self._show(html.paragraph("Fitting …"))
        self.rows.wait(True)

    def _show(self, text):
        parts.put(self.pane, text)

    def _show_model(self, refusal=""):
        """The model; dimmed, with its predictions, where other options are chosen by now or were refused."""
        if self.model is None:
            if refusal:
                self._show(refusal)
            return
        sentence, changed = report.score_sentence(self.model), self._options() != self.fitted_options
        text = new_rows.for_the_page(cards.model(self.model))
        text += html.paragraph(sentence.replace(HELD_OUT, "")) if sentence else ""
        first = refusal or (parts.status(new_rows.format_text("changed")) if changed else "")
        self._show(f"{first}<div style='opacity: {parts.DIMMED}'>{text}</div>" if first else text)
        self.rows.wait(changed)

    def _done(self, model, options):
        self.model, self.fitted_options = model, options
        self.rows.take(model)
        self._show_model()
        self.page.fitted(options[-1])
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
        buffer = io.BytesIO()
        self.model.save(buffer)
        buffer.seek(0)
        return buffer
