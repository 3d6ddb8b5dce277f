"""A page: settings with bounds, a module of JavaScript, and Python's answers to it; hosts carry it.

    page = Bias(lam=0.001)      # settings are its parameters
    page                        # the last line of a cell: the page as a widget of the notebook
    pn.Column(page, ...)        # a component of Panel
    page.html()                 # one file

In each host its settings are parameters: `page.param.watch`, `pn.bind` and `page.lam = 0.1` work.
"""

import asyncio
import functools
import inspect
import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar

import param

from workbench._support.errors import InputError
from workbench.pages.hosts.channel import LONGEST_TEXT
from workbench.pages.server import budgets
from workbench.pages.server.turns import in_one, in_turns

BUNDLES = Path(__file__).parents[1] / "bundles" / "hosted"
# What `render` of the module calls; `bundling` gives the bundles these names.
RUNTIME, MODULE = "workbenchRuntime", "workbenchPage"
# Characters of what a refusal cites.
LONGEST = 200
# Files take some seconds, in a thread that other answers need not wait for.
MAKER = ThreadPoolExecutor(1, "files")


class Page(param.Parameterized):
    """A page that every host carries.

    A page of its own kind declares its settings as parameters with bounds, sets `title` and `bundle`, and
    answers messages of its module by methods `answer_TYPE(self, **contents)`, which may be coroutines.

    Attributes
    ----------
    title : str
    bundle : str or Path
        The bundle of its module: a name in the folder of bundles, or a path.
    published : str
        The address of pages that others can open, such as "https://example.org/{name}", for links from a
        notebook.
    slow : tuple of str
        The types of the messages whose answers take a while; those read no settings.
    """

    title: ClassVar[str] = ""
    slow: ClassVar[tuple] = ()
    bundle: ClassVar[str | Path] = ""
    published: ClassVar[str] = ""

    def __init__(self, **values):
        super().__init__(**values)
        self.computing = asyncio.Semaphore(budgets.WORK_AT_ONCE.most)
        self.channels = []  # of the hosts that show the page now
        self.others = {}  # the addresses of the pages beside it by name, where its host has some
        self.is_writing = False
        self.param.watch(self._on_settings, self.names())

    def _on_settings(self, *events):
        for channel in self.channels:
            channel.tell({event.name: event.new for event in events})

    def emit(self, value):
        """Send a value to the page's module wherever it is shown."""
        for channel in self.channels:
            channel.emit(value)

    def close(self):
        """End what goes on for a page that nobody shows any more."""

    def open_address(self, arguments):
        """Prepare for the settings of an address; its module sets them.

        Parameters
        ----------
        arguments : dict of str to list of bytes
        """

    def settings(self):
        """Return the value of each setting by name."""
        return {name: getattr(self, name) for name in self.names()}

    @classmethod
    def names(cls):
        """Return the names of the settings."""
        return [name for name in cls.param if name != "name"]

    def change(self, settings):
        """Set several settings at once; those that a parameter refuses keep their values.

        Parameters
        ----------
        settings : dict
            Of a browser, so anything may stand in it.

        Raises
        ------
        InputError
            A setting is unknown, or a value is not allowed; the other settings are set.
        """
        changes, refusals = {}, []
        if not isinstance(settings, dict):
            raise InputError("settings: expected values by their names")
        for name, value in itertools.islice(settings.items(), len(self.names()) + 1):
            if name not in self.names():
                refusals.append(f"unknown setting {_short(name)}; expected one of {', '.join(self.names())}")
                continue
            try:
                value = _number(self.param[name], value)
                self.param[name]._validate(value)
            except (ValueError, TypeError, OverflowError) as error:
                refusals.append(f"{name} = {_short(value)} is refused: {str(error)[:LONGEST]}")
                continue
            if getattr(self, name) != value:
                changes[name] = value
        if changes:
            self.param.update(**changes)
        if refusals:
            raise InputError(" ".join(refusals))

    def answer_settings(self):
        """Return the settings, for a view that begins."""
        return self.settings()

    def answer_change(self, settings):
        """Change settings as `change` does; the page shows why some were refused."""
        try:
            self.change(settings)
        except InputError as error:
            return {"refusal": str(error)[:LONGEST_TEXT]}
        return {"refusal": ""}

    def answer(self, message):
        """Return the answer to a message of the module, or a coroutine of it.

        Raises
        ------
        InputError
            There is no such message.
        """
        contents = dict(message) if isinstance(message, dict) else {}
        type_ = contents.pop("type", None)
        method = getattr(self, f"answer_{type_}", None) if isinstance(type_, str) else None
        if method is None:
            raise InputError(
                f"message: unknown type {_short(type_)}; expected one of {', '.join(self.messages())}"
            )
        try:
            inspect.signature(method).bind(**contents)
        except TypeError as error:
            raise InputError(f"message {type_}: {str(error)[:LONGEST]}") from None
        return method(**contents)

    def reply(self, message):
        """Return the answer for a host where others wait: an answer of `slow` is computed in a turn."""
        if isinstance(message, dict) and message.get("type") in self.slow:
            return self.compute(in_one(self.answer, message))
        return self.answer(message)

    async def compute(self, steps):
        """Return the value of work in pieces, a few of which a page may have at once; as `turns.in_turns`."""
        async with self.computing:
            return await in_turns(steps)

    @classmethod
    def messages(cls):
        """Return the types of the messages that the page answers."""
        return sorted(name.removeprefix("answer_") for name in dir(cls) if name.startswith("answer_"))

    def answer_bokeh(self):
        """Return the script of the bokeh package, for a host that has none, or another version."""
        from bokeh.resources import Resources

        return {"script": "\n".join(Resources(mode="inline", components=["bokeh"]).js_raw)}

    async def answer_file(self):
        """Return the page in its present state as the text of a file; files are made one at a time."""
        if self.is_writing:
            raise InputError("file: this page is being written; wait until it is")
        self.is_writing = True
        try:
            page = type(self)(**self.settings())
            return {"text": await asyncio.get_running_loop().run_in_executor(MAKER, page.html)}
        finally:
            self.is_writing = False

    @classmethod
    def prepare(cls):
        """Make what every visitor of the page gets, where that takes time."""

    @classmethod
    @functools.cache
    def module(cls):
        """Return the page's module, an ES module without imports."""
        return f"{cls.scripts()}\n{RENDER}"

    @classmethod
    def scripts(cls):
        """Return the runtime and the page's bundle as one script."""
        return f"{cls.runtime()}\n{cls.own_script()}"

    @staticmethod
    @functools.cache
    def runtime():
        """Return the script that all pages share."""
        return (BUNDLES / "runtime.js").read_text(encoding="utf-8")

    @classmethod
    @functools.cache
    def own_script(cls):
        """Return the page's bundle."""
        path = cls.bundle if isinstance(cls.bundle, Path) else BUNDLES / f"{cls.bundle}.js"
        return path.read_text(encoding="utf-8")

    def packed_messages(self):
        """Return the messages whose answers a file carries."""
        return []

    def packed_answer(self, message):
        """Return the answer to a message as a file carries it."""
        return self.answer(message)

    def carry(self, values):
        """Take the values of settings that a file of the page offers.

        Parameters
        ----------
        values : dict of str to list
            The first of each is the one that it opens with.

        Raises
        ------
        InputError
            A setting takes free values in a file, or none but this one.
        """
        for name, (_, *others) in values.items():
            if others:
                raise InputError(f"{name} has {len(others) + 1} values; give one, the file opens with it")
        self.param.update(**{name: first for name, (first, *_) in values.items()})

    # The hosts

    def __panel__(self):
        from workbench.pages.hosts.panel import PanelHost

        return PanelHost(self)

    def servable(self, title=None):
        """Put the page into the document of a script of `panel serve`."""
        return self.__panel__().servable(title=title or self.title)

    def widget(self):
        """Return the page as a widget of a notebook."""
        from workbench.pages.hosts.notebook import widget_of

        return widget_of(self)

    def _repr_mimebundle_(self, **options):
        return self.widget()._repr_mimebundle_(**options)

    def html(self, messages=()):
        """Return the page as the text of one file.

        Parameters
        ----------
        messages : sequence of dict
            The messages whose answers the file carries; by default `packed_messages()`.
        """
        from workbench.pages.hosts.file import text_of

        return text_of(self, messages)


RENDER = f"export default {{ render: (context) => {RUNTIME}.render(context, {MODULE}.page) }};\n"


def _short(value):
    text = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _number(parameter, value):
    """Return a number as the parameter has it: JavaScript writes 1.0 as 1."""
    if not isinstance(parameter, param.Number) or not isinstance(value, int | float):
        return value
    if isinstance(value, bool):
        raise ValueError("expected a number")
    if isinstance(parameter, param.Integer):
        return int(value) if value == value // 1 else value
    return float(value)
