"""The shell that every page hangs in: navigation, address, look, keyboard, teacher switches.

A page of the registry is opened by

    model = SomeModel()                    # a param.Parameterized with bounds on every number
    visit = Visit(model, ("lam", "loss"))  # sets what the address says, within the bounds
    page = SomePage(model, visit)          # widgets start from the model, figures from visit.look
    shell("Dual lab", visit, sidebar=[...], main=[...], aside=[...], actions={...}).servable()

`visit.look` has the colours and the type scale (theme.Look: `css`, `line`, `px`; theme.style_figure).
`visit.shows("lam")` is false where a teacher's address hides that control: leave it out of the sidebar.
`visit.refusals` are shown above the page. Every change of a named parameter goes into the address.

`actions` maps "space", "right" and "r" to functions without arguments; every page says what they do in the
help that "?" opens (`help`, a dict of key to sentence). `parts.card(..., figure="name")` offers CSV, PNG and
SVG of the Bokeh figure with that `name`; `parts.line(text)` is the sentence under a figure, `parts.code_card`
the Python that gives the same state, `parts.grid` lays cards out for every width.

Keys of every page: theme=dark, projector=on, hide=NAME,NAME (controls by their parameter, and the parts
"nav", "sidebar", "aside"). With a projector two figures fill the screen, those that figure=NAME,NAME says or
the page's pair; story=K is the step of the page's story that is told, and the arrow keys walk it.
"""

import asyncio
import html
import json
import math
import string
import time
from urllib.parse import urlencode

import panel as pn
import panel_material_ui as pmui
import param
from bokeh.themes import Theme
from panel.util import edit_readonly

from workbench._support.errors import InputError
from workbench.data import store
from workbench.pages import address, browser, export, formulas, header, lectures, parts, registry, theme
from workbench.pages.hosts.page import MAKER
from workbench.pages.hosts.panel import Component

ADDRESS_MILLISECONDS = 250
# Longer than a hand rests that moves a slider.
MOVES_SECONDS = 1.0
PARTS = ("nav", "sidebar", "aside")
WIDE = {"sizing_mode": "stretch_width", "margin": 0}


class Visit:
    """What one visitor's address asks for, and the address that would restore the page.

    Parameters
    ----------
    model : param.Parameterized, optional
        Its named parameters are set from the address; every number among them needs bounds.
    names : sequence of str
        The parameters that the address holds.
    query : str, optional
        The query of the address; that of the present session where not given.

    Attributes
    ----------
    look : theme.Look
    refusals : list of str
        Sentences on what in the address was not used.
    browser : Browser
        Set by `shell`.
    """

    def __init__(self, model=None, names=(), query=None):
        self.model, self.names = model, tuple(names)
        common = (
            *address.LOOKS,
            address.text("hide", longest=300),
            address.number("story", 0, 9, whole=True),
            address.text("figure", longest=40, characters=string.ascii_lowercase + "_,"),
        )
        self.keys = (*common, *(address.key_of(model, name) for name in self.names))
        shared = {"theme": "light", "projector": False, "hide": "", "story": 0, "figure": ""}
        self.defaults = shared | {name: getattr(model, name) for name in self.names}
        values, self.refusals = address.read(_query() if query is None else query, self.keys)
        self.fixed = {name: values.pop(name, self.defaults[name]) for name in shared}
        self.hidden = self._hidden()
        for name, value in values.items():
            try:
                setattr(model, name, value)
            except ValueError as error:
                self.refusals.append(f"{name} is refused: {error}")
        self.look = theme.look(self.fixed["theme"] == "dark", self.fixed["projector"])
        pn.config.theme = "dark" if self.look.dark else "default"

    def _hidden(self):
        hidden = set()
        for name in filter(None, self.fixed["hide"].split(",")):
            if name in self.names or name in PARTS:
                hidden.add(name)
            else:
                allowed = ", ".join((*PARTS, *self.names))
                self.refusals.append(f"hide = {name[:60]!r} is refused; parts that can be hidden: {allowed}.")
        self.fixed["hide"] = ",".join(sorted(hidden))
        return hidden

    def shows(self, name):
        """Whether a control or a part is to be shown."""
        return name not in self.hidden

    def query(self):
        """The query that restores the present state."""
        present = self.fixed | {name: getattr(self.model, name) for name in self.names}
        return address.write(present, self.defaults, self.keys)

    def settings(self, query):
        """The model's settings that an address stands for: what it gives, else what the page began with."""
        return self.read(query)[0]

    def read(self, query):
        """These settings, and the sentences on what was not used."""
        values, refusals = address.read(query, self.keys)
        return {name: values.get(name, self.defaults[name]) for name in self.names}, refusals

    def link(self, page, **values):
        """The relative address of another page in the same look, with some of its values."""
        look = {name: self.fixed[name] for name in ("theme", "projector")}
        defaults = {"theme": "light", "projector": False} | dict.fromkeys(values)
        keys = (*self.keys[:2], *(address.text(name) for name in values))
        return page + address.write(look | values, defaults, keys)


class Browser(Component):
    """The part of the shell that runs in the browser: keys, the address bar, downloads."""

    search = param.String(doc="the query that the address bar shows")
    entry = param.Integer(0, doc="counts the changes to which one may go back")
    restores = param.Boolean(False, doc="whether the page takes the settings of an address in place")
    undoes = param.Boolean(False, doc="whether the page has an undo of its own")
    steps = param.List(
        [], doc="the page's story on the projector: the search, caption and figures of each step"
    )
    step = param.Integer(0, doc="that which is told, counted from 1")
    staged = param.Boolean(False, doc="whether the figures come with the page's own script")
    projector = param.Boolean(False, doc="whether the page is shown on the projector")
    wanted = param.String("", doc="the names of the figures there, with commas")
    pair = param.List([], doc="the names of those that are shown where the address has none")
    said = param.String("", doc="what is said above them before the story begins")
    _esm = browser.bundle("shared") + f"defineFormulas({json.dumps(formulas.sheet())});\n"

    def __init__(self, actions=(), restore=None, file=None, walk=None, **params):
        super().__init__(restores=restore is not None, undoes="undo" in actions, **params)
        self.actions, self.restore, self.walk = dict(actions), restore, walk
        self.file, self.making = file, None  # the page and the look of its file
        self.names = self.stays = frozenset()  # of all settings; whose next change is none to go back to
        self._loaded = asyncio.Event()

    def _handle_msg(self, message):
        if not isinstance(message, dict):
            return
        if message.get("file") is True and self.file and not self.making:
            self.making = asyncio.ensure_future(self._give_file())
        elif self.restore and isinstance(message.get("restore"), str):
            self.stays = self.names
            self.restore(message["restore"])
        elif self.walk and isinstance(message.get("walk"), str):
            refused = self.walk(message["walk"], message.get("still") is True)
            self._send_msg({"walked": " ".join(refused[:2])})
        elif isinstance(message.get("key"), str) and message["key"] in self.actions:
            self.actions[message["key"]]()

    async def _give_file(self):
        """Send the page as a file, which takes some seconds where nobody has asked for it before."""
        page, look = self.file
        try:
            loop = asyncio.get_running_loop()
            text = await loop.run_in_executor(MAKER, export.download, page, look, self.search)
            self._send_msg({"file": text, "name": f"{page}.html"})
        except InputError as error:
            self._send_msg({"refused": str(error)})
        finally:
            self.making = None

    def follow(self, visit):
        """Keep the address up with the model, soon after a change: the pictures go first.

        Each change is one to which one may go back; settings that go on moving are one change, and choices
        from a list never are.
        """
        document, waiting, names = pn.state.curdoc, [], set()
        lists = {name for name in visit.names if isinstance(visit.model.param[name], param.Selector)}
        before, last = frozenset(), -math.inf

        def write():
            nonlocal before, last
            waiting.clear()
            now, search = time.monotonic(), visit.query()
            goes_on = names == before and not names & lists and now - last < MOVES_SECONDS
            if names - self.stays and search != self.search and not goes_on:
                self.entry += 1
            before, last, self.stays = frozenset(names), now, frozenset()
            names.clear()
            self.search = search

        def changed(*events):
            if self._loaded.is_set():
                names.update(event.name for event in events)
            if self._loaded.is_set() and not waiting:
                waiting.append(document.add_timeout_callback(write, ADDRESS_MILLISECONDS))

        self.names = frozenset(visit.names)
        if visit.names:
            visit.model.param.watch(changed, list(visit.names))
            pn.state.onload(write)  # what changed until then

    def loaded(self):
        """The page stands in the browser."""
        self._loaded.set()

    def is_settled(self, document):
        """Whether the document can change: a browser that builds the page loses changes meanwhile."""
        session = document.session_context and document.session_context.session
        return self._loaded.is_set() or not (session and session.connection_count)

    async def settled(self, document):
        """Wait until the document can change."""
        if not self.is_settled(document):
            await self._loaded.wait()


def opener(page):
    """What opens a page of the registry: a function that puts it into the document of the present session."""

    def opened():
        pn.extension("katex", notifications=False)
        page.build(page.at(page.model)() if page.model else None, Visit).servable()

    return opened


def shell(title, visit, sidebar=(), main=(), aside=(), actions=None, help=None, restore=None, walk=None):
    """The page's template, to be made servable.

    Parameters
    ----------
    title : str
        As the page's declaration has it.
    visit : Visit
    sidebar, main, aside : sequence of panes
        Controls; the figures; the column that explains, below the figures where the window is narrow.
    actions : dict of str to callable, optional
        For the keys "space", "right" and "r".
    help : dict of str to str, optional
        What the keys do, for the help.
    restore : callable, optional
        Takes settings by name, of an address to which one has gone back; without it the page is made anew.
    walk : callable, optional
        Takes those of a story's step, and whether numbers go there at once.
    """
    declared = registry.by_title(title)
    name = declared.name if declared else ""
    projector = visit.fixed["projector"] and bool(lectures.of(name)["story"])
    takes = restore and (lambda query: restore(visit.settings(query)))

    def step(query, still):
        settings, refused = visit.read(query)
        walk(settings, still)
        return refused

    file = (name, theme.look(visit.look.dark)) if name in registry.files() else None
    browser = Browser(
        actions or {},
        takes,
        file,
        walk and step,
        search=visit.query(),
        projector=projector,
        wanted=visit.fixed["figure"],
        step=visit.fixed["story"],
        said=lectures.of(name)["thesis"],
        pair=lectures.of(name)["projector"],
        steps=lectures.steps(name, **({"theme": "dark"} if visit.look.dark else {})) if projector else [],
    )
    visit.browser = browser
    pn.state.onload(browser.loaded)
    browser.follow(visit)
    refusals = [parts.pane(_refusals(visit.refusals), visit.look)] if visit.refusals else []
    text = lectures.opening(name)
    opening = [parts.pane(text, visit.look)] if text else []
    above = (*refusals, *opening)
    column = pn.Column(*above, *main, stylesheets=[_FULL], **WIDE)
    columns = [column]
    if aside and visit.shows("aside"):
        explained = (*aside, _downloads(file, visit.look))
        columns.append(pn.Column(*explained, css_classes=["wb-aside"], stylesheets=[_STACK], **WIDE))
    body = pn.Column(
        *columns,
        sizing_mode="stretch_width",
        margin=0,
        stylesheets=[_BODY % (_ASIDE % (320) if len(columns) > 1 else "")],
    )
    here = registry.served or registry.pages()
    links = {visit.link(name): label for name, label in registry.titles().items() if name in here}
    # Without a theme of the document's own, Material's script gives every axis its own type and colours.
    pn.state.curdoc.theme = Theme(json=theme.bokeh(visit.look))
    bar = parts.pane(
        header.html_of(title, visit, links, help or {}), stylesheets=[visit.look.sheet("header")]
    )
    _sliders_first(sidebar)
    with_sidebar = bool(sidebar) and visit.shows("sidebar")
    many = with_sidebar and len(visit.names) > MANY
    there = {
        "controls": with_sidebar,
        "later controls": many,
        "figures": bool(sidebar),
        "explanations": len(columns) > 1,
        "menu": True,
    }
    skips = "".join(_SKIP.format(place=place) for place, is_there in there.items() if is_there)
    page = pmui.Page(
        title="",
        meta_title=f"{title} · Duality Workbench",
        header=[bar],
        sidebar=[pn.Column(*sidebar, margin=(4, 16), sizing_mode="stretch_width")] if with_sidebar else [],
        main=[parts.pane(skips, visit.look), body, browser],
        sidebar_width=280,
        theme_toggle=False,
        busy_indicator=None,
        sidebar_open=not projector,
        dark_theme=visit.look.dark,
        raw_css=[visit.look.css, formulas.faces(), visit.look.sheet("projector"), _STANDS, _PHONE],
        theme_config=visit.look.mui,
    )
    _forget_busy(page)
    return page


def _downloads(file, look):
    """The buttons that give the page as a file, where it can be one, and its code as a notebook."""
    buttons = {
        "file": "Download this page as a file",
        "notebook": "Download its state as a notebook",
        "embed": "Copy an <iframe> of its state",
    }
    text = "".join(
        f"<button type='button' class='wb-take' data-do='{name}'>{html.escape(label)}</button>"
        for name, label in buttons.items()
        if name != "file" or file
    )
    return parts.pane(f"<div class='wb-note'>{text}</div>", look)


def _sliders_first(sidebar):
    """Two sliders come first on a telephone, or the column in which a page draws them."""
    sliders = (pmui.DiscreteSlider, pmui.FloatSlider, pmui.IntSlider)
    groups = [each for each in sidebar if isinstance(each, sliders)][:2]
    for each in groups or [each for each in sidebar if isinstance(each, pn.Column)][:1]:
        each.stylesheets = [*each.stylesheets, _FIRST]


def _forget_busy(page):
    """Have a page not follow the work of all visitors: it would take time at each of their changes.

    What watches for that would also hold the page when its visit is over.
    """
    with edit_readonly(page):
        page.busy = False
    for watcher in list(pn.state.param.watchers.get("busy", {}).get("value", ())):
        if getattr(getattr(watcher.fn, "__self__", None), "self", None) is page:
            pn.state.param.unwatch(watcher)


def query_value(name):
    """The text that the address of the present session gives for a key; "" where it has none."""
    values = pn.state.session_args.get(name, [b""])
    return values[0].decode("utf-8", "replace")


def take_upload(model):
    """Let a model have the upload that the address names; a sentence where it is gone."""
    source = query_value("source")
    try:
        if store.is_upload(source):
            model.offer(source)
    except InputError as error:
        return [str(error)]
    return []


def _query():
    """The query of the present session, as the server got it."""
    return urlencode([(name, value) for name, values in pn.state.session_args.items() for value in values])


def _refusals(sentences):
    lines = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in sentences[:5])
    more = f"<p>and {len(sentences) - 5} more</p>" if len(sentences) > 5 else ""
    return f"<div class='wb-refused' role='alert'>{lines}{more}</div>"


# Of more settings, half of the controls have a way of their own.
MANY = 15
# The first stops of the Tab key, each seen while it is one.
_SKIP = "<button type='button' class='wb-skip' data-do='skip' data-to='{place}'>To the {place}</button>"
# Input that comes before the page is ready would change what the server cannot answer yet.
_STANDS = "body:not(.wb-stands) { pointer-events: none; }"


# The sheet with the controls leaves the page in sight, which MUI would hold still below it.
_PHONE = "@media (max-width: 600px) { body { overflow: auto !important; } }"
# The controls that a telephone shows first.
_FIRST = "@media (max-width: 600px) { :host { order: -1; } }"
_FULL = ":host { height: max-content !important; }"
_STACK = """
:host { display: grid !important; gap: 12px; grid-auto-rows: max-content; height: max-content !important; }
"""
_BODY = """
:host { display: grid !important; gap: 12px; padding: 12px; box-sizing: border-box;
        grid-template-columns: minmax(0, 1fr); align-items: start;
        grid-auto-rows: max-content; height: max-content !important; }
%s
"""
_ASIDE = "@media (min-width: 1200px) { :host { grid-template-columns: minmax(0, 1fr) %dpx; } }"
