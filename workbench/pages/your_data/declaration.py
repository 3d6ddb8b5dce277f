"""Your data for every host: a visitor's table, one certified model of it, and what is asked of the model."""

import asyncio
from typing import Any, ClassVar, NamedTuple

import numpy as np
import param

from workbench._support.errors import InputError
from workbench.data import store
from workbench.data.dataset import Dataset
from workbench.data.tables import child, explain, limits, uploads
from workbench.data.tables.preparation import MISSING
from workbench.pages import registry, terms
from workbench.pages.hosts.figured import FigurePage
from workbench.pages.wording import content
from workbench.pages.your_data import model as your_data
from workbench.pages.your_data import new_rows, taken
from workbench.pages.your_data.figures import YourDataDrawing
from workbench.pages.your_data.pieces import DAMAGED, Upload

LAB = "dual-lab"
# Uploads of one visit that are kept; older ones make room.
MOST_KEPT = 4
# The settings that go back to their defaults with another file.
OF_FILE = ("data", "target", "task", "positive", "missing", "leave_out")


class Fit(NamedTuple):
    """The last file that was read, its model, and why there is none."""

    request: tuple
    facts: dict[str, Any]
    model: Any
    refusal: str


class YourData(FigurePage):
    """A visitor's table: one linear model, its score on held-out rows, and its certificate.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.YourData(lam=0.1).title
    'Your data'
    """

    title, room, drawing = "Your data", "your_data", YourDataDrawing
    first = ("tests", "weights", "gap")
    homes: ClassVar = {"path": ("gap", "held-out loss over λ")}
    cards: ClassVar = {"predict": "Predict first", "code": "Take it with you"}
    names_say = "<b>More figures</b>"
    choice = "data"
    grids: ClassVar = {
        "example": ["A table with texts as labels", "A table for regression"],
        "lam": [0.001, 0.01, 0.1],
    }
    folded, sheets = ("Rows and solver",), ("drop_zone", "your_data")
    used: ClassVar = {
        **{name: [{"loss": labels}] for name, labels in your_data.used().items()},
        **{
            name: [{"regularizer": labels[0]["regularizer"]}]
            for name, labels in terms.USED.items()
            if "regularizer" in labels[0]
        },
        "lam": [{"chooses_lam": [False]}],
        "one_se": [{"chooses_lam": [True]}],
    }

    example = param.Selector(objects=list(your_data.EXAMPLES))
    data = param.String("", doc="token of the visitor's own file; the example counts where it is empty")
    target = param.Integer(-1, bounds=(-1, limits.UPLOAD.columns), doc="the label column; -1 to guess")
    task = param.Selector(objects=[your_data.GUESS, *uploads.TASKS])
    positive = param.String("", doc="the class that becomes +1; the last one where empty")
    holdout = param.Boolean(True, doc="whether a quarter of the rows is set aside for testing")
    standardize = param.Boolean(True, doc="whether columns are scaled")
    missing = param.Selector(objects=[your_data.REFUSE, *MISSING], doc="what becomes of empty cells")
    leave_out = param.String("", doc="columns that are not used, by commas")
    loss = param.Selector(objects=list(your_data.LOSSES), default="Hinge")
    class_weight = param.Selector(objects=[your_data.EQUAL, your_data.BALANCED])
    regularizer = param.Selector(objects=list(terms.REGULARIZERS), default="Elastic net")
    chooses_lam = param.Boolean(False, doc="whether cross-validation chooses lambda")
    one_se = param.Boolean(False, doc="whether it takes the largest within one standard error")
    lam = param.Number(1e-2, bounds=(1e-6, 1.0), doc="weight of the regularizer")
    epsilon = param.Number(0.1, bounds=(0.0, 1.0), doc="sparsity of the elastic net")
    tube = param.Number(0.1, bounds=(0.0, 1.0), doc="half width of the insensitive tube")
    tau = param.Number(0.5, bounds=(0.01, 0.99), doc="the quantile that is predicted")
    mu = param.Number(0.01, bounds=(1e-4, 10.0), doc="prior of every weight of an entropy")
    q = param.Number(1.5, bounds=(1.1, 4.0), doc="exponent of the q-norm")
    tolerance = param.Selector(objects=[1e-2, 1e-3, 1e-4, 1e-6], default=1e-4)
    seed = param.Integer(0, bounds=(0, 9999))

    def __init__(self, **values):
        super().__init__(**values)
        self.visitor, self.fit, self.tokens = "", None, []
        self.uploads, self.new_rows = {}, None

    def open_address(self, arguments):
        """Prepare the process that reads files, and learn whose share of it this visit takes."""
        import panel as pn

        context = pn.state.curdoc and pn.state.curdoc.session_context
        self.visitor = getattr(context and context.request, "remote_ip", None) or ""
        child.reserve()

    def facts(self):
        served = registry.served or registry.pages()
        caps = store.store().caps
        return {
            "elsewhere": {},
            "megabytes": caps.megabytes,
            "of_task": your_data.OF_TASK,
            "kinds": your_data.KINDS,
            "of_file": {name: self.param[name].default for name in OF_FILE},
            "has_lab": LAB in served,
        }

    # What the module asks for

    async def answer_model(self, **settings):
        """Return the facts of the file and what is shown of its model, or why there is none."""
        fit = await self._fit(settings)
        facts = {"file": fit.facts, "loss": fit.facts["loss"], "refusal": new_rows.for_the_page(fit.refusal)}
        return facts if fit.model is None else facts | await asyncio.to_thread(your_data.shown, fit.model)

    async def _fit(self, settings):
        """Return the fit of settings; the last one is kept, for what is asked of it."""
        page = type(self)()
        page.change(settings)
        chosen = page.settings()
        request = page.example, page.data, your_data.choice(chosen)
        if self.fit is None or self.fit.request != request:
            name, raw = await asyncio.to_thread(_opened, page)
            caps = store.store().caps
            facts, model, refusal = await self._apart(
                child.FITTING, uploads.solve, raw, name, request[-1], caps
            )
            task = request[-1]["task"] or facts["task"]
            self.fit = Fit(request, facts | {"loss": your_data.loss_of(chosen, task)}, model, refusal)
        return self.fit

    async def _apart(self, limits, function, *arguments):
        """Run a function in a process with limits; what it refuses names the controls of the page."""
        try:
            return await child.run(function, *arguments, visitor=self.visitor, **limits)
        except InputError as error:
            raise InputError(new_rows.for_the_page(str(error))) from None

    async def _model(self, settings):
        fit = await self._fit(settings)
        if fit.model is None:
            raise InputError(new_rows.for_the_page(fit.refusal))
        return fit.model

    def answer_piece(self, purpose, name, size, start, piece):
        """Take a piece of a file; the last one of a table is answered by its token and what it looks like."""
        if purpose not in ("table", "rows"):
            raise InputError(f"piece: unknown purpose {str(purpose)[:40]!r}; expected one of table, rows")
        if start == 0:
            self.uploads[purpose] = Upload(name, size)
        upload = self.uploads.get(purpose)
        if upload is None:
            raise InputError(DAMAGED.format(name="The file"))
        try:
            upload.add(start, piece)
        except InputError:
            del self.uploads[purpose]
            raise
        if not upload.is_whole:
            return {}
        del self.uploads[purpose]
        if purpose == "table":
            return self._keep(upload.name, bytes(upload.content))
        self.new_rows = upload.name, bytes(upload.content)
        return {"name": upload.name}

    async def _keep(self, name, raw):
        """Keep a file that can be read; what is refused changes nothing."""
        caps = store.store().caps
        facts = await self._apart(child.READING, uploads.read, raw, name, None, caps)
        blank = Dataset(name, np.zeros((0, 0)), np.zeros(0), None, None, (), "")
        choices = {"name": name, "task": facts["task"], "options": {}}
        token = await asyncio.to_thread(store.store().put, blank, raw, choices, self.visitor)
        self._remember(token)
        return {"data": token, "loss": your_data.usual_loss(facts), "name": name}

    def _remember(self, token):
        self.tokens.append(token)
        while len(self.tokens) > MOST_KEPT:
            store.store().drop(self.tokens.pop(0))

    async def answer_rows(self, unknown, **settings):
        """Return the predictions for the file of new rows that came last."""
        model = await self._model(settings)
        if self.new_rows is None:
            return {"text": new_rows.about(model), "table": "", "code": ""}
        name, raw = self.new_rows
        how = new_rows.IGNORE if unknown is True else new_rows.REFUSE
        result = await self._apart(
            child.READING, new_rows.predicted, model, raw, name, how, store.store().caps
        )
        python, command = new_rows.code(model, result.name, how)
        return {
            "text": " ".join(result.sentences),
            "table": new_rows.first_rows(result),
            "code": f"{python}\n\n# or on the command line\n# {command}",
            "csv": result.csv(),
        }

    async def answer_explain(self, row, **settings):
        """Return why the prediction for a training row is what it is, as HTML."""
        model = await self._model(settings)
        if type(row) is not int:
            raise InputError(f"row = {str(row)[:40]!r} is not a row; give a whole number from 0")
        return {"html": await asyncio.to_thread(explain.card, model, row)}

    async def answer_take(self, what, **settings):
        """Return the model, the predictions or the report as a file."""
        if what not in taken.FILES:
            raise InputError(f"unknown file {str(what)[:40]!r}; expected one of {', '.join(taken.FILES)}")
        model = await self._model(settings)
        name, make = taken.FILES[what]
        made = await asyncio.to_thread(make, model)
        return {"name": name, "content": made.encode() if isinstance(made, str) else made}

    async def answer_lab(self, **settings):
        """Keep the samples of the model for the Dual lab; return the settings that give its problem there."""
        model = await self._model(settings)
        choices = registry.of(LAB).page_type.settings_of(model.run.problem)
        record = {"name": model.source, "task": model.task.kind, "options": taken.loading(model)}
        token = await asyncio.to_thread(store.store().put, taken.samples(model), b"", record, self.visitor)
        self._remember(token)
        return {"page": LAB, "settings": {"source": store.PREFIX + token, **choices}}

    def close(self):
        self.fit = self.new_rows = None
        self.uploads.clear()

    # A file

    def packed_messages(self):
        """Return the messages whose answers a file carries: those of its examples, and of some lambda."""
        carried, defaults = self.carried(), self.defaults()
        presets = content("your_data")["presets"].values()
        states = [state | {"lam": lam} for state in (self.settings(), defaults) for lam in carried["lam"]]
        states += [defaults | preset for preset in presets if preset["example"] in carried["example"]]
        plain = [{"type": "page"}, {"type": "bokeh"}]
        models = {tuple(state.items()): {"type": "model"} | state for state in states}
        return [*plain, *models.values()]

    @classmethod
    def defaults(cls):
        """Return the settings of a page that nobody has changed."""
        return {name: cls.param[name].default for name in cls.names()}


def _opened(page):
    """Return the name and the content of the file that the settings name."""
    if not page.data:
        return your_data.example(page.example)
    entry = store.store().get(page.data)
    return entry.choices["name"], entry.content
