"""What files that solve in the browser share: the values of their settings, their controls, their pace."""

import html
import json
from typing import ClassVar

import param

from workbench._support.errors import InputError
from workbench.pages import address, export_file, lectures, own_figures, registry, theme
from workbench.pages.numerals import numerals
from workbench.pages.parts import fold_button, log_options
from workbench.pages.wasm import bundle

PICK, NO_PICK = "Presets and story", "Choose one"
LEAVE = "Leave the story"
KEYS = "<p>Keys: space runs or pauses, → does one step, r begins again.</p>"
SOLVED = "Solved in this page, by the kernels of the workbench, without a server or a network."


class PageFile:
    """A page as a file that needs no server; one object a file.

    A page of its own kind gives `cards()`, of a name to title, text at first and perhaps HTML that stays
    above; `values()`, those of each setting; and `computed(say)`, what its script goes by of runs.

    Parameters
    ----------
    look : theme.Look
    chosen : dict
        Of a setting in `labels` to its values; one value fixes it.

    Attributes
    ----------
    kind : type
        The `StagedPage`.
    lacks : tuple of str
        The controls of the served page that the file has not.
    labels : dict of str to str
        What may be chosen, and what it is called.
    defaults : dict of str to list
        The positions of the controls where nobody asked for others.
    options, begins : dict
        The values of each setting, and that with which it begins.
    note : str
        HTML below the controls.
    leap : str
        What the button for many steps says; the page's where it is empty.
    more : str
        HTML between the numbers and the figures.
    picks : list of dict
        The presets and steps of the story that the file has.
    """

    kind: ClassVar[type] = None
    lacks: ClassVar[tuple] = ()
    labels: ClassVar[dict] = {}
    defaults: ClassVar[dict] = {}
    note: ClassVar[str] = ""
    leap: ClassVar[str] = ""
    more: ClassVar[str] = ""
    picks: ClassVar[list] = []

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if cls.kind:
            entries = [entry for row in cls.kind.table.values() for entry in row.items()]
            cls.labels = {name: control.label for name, control in entries if name not in cls.lacks}
            cls.labels |= dict.fromkeys(cls.kind.changed_by_hand, "Points")

    def __init__(self, look, selection):
        self.look, self.selection, self.model = look, selection, self.kind.model_type()
        self.drawing = self.kind.drawing_type(look)
        self.options = self.values()
        self.begins = start(self.model, self.options)

    @classmethod
    def keys(cls):
        """What can be chosen in the file, as `address.Key`s."""
        return address.keys_of(cls.kind.model_type(), cls.labels)

    @classmethod
    def page(cls, look, selection, say=None):
        """The text of the file.

        Raises
        ------
        InputError
            Data that are not here, or a choice that the file cannot have.
        """
        return cls(look, selection).text(say)

    def facts(self):
        """What the script goes by in a file alone."""
        return {}

    def controls(self):
        """HTML of the controls."""
        leap, first = self.leap or self.kind.leap, pick_list(self.picks)
        return controls(self.labels, self.options, self.begins, leap, self.note, first)

    def main(self):
        """HTML of the numbers, the figures, of which some are folded, and what is said beside them."""
        titles = self.drawing.titles
        names = self.kind.first or tuple(titles)
        rest = [name for name in titles if name not in names]
        figures = {name: figure_card(name, *titles[name]) for name in titles}
        button = fold_button([titles[name][0] for name in rest])
        fold = f"<div class='x-fold'>{button}</div>" if rest else ""
        return (
            f"<div id='x-text-numbers'></div>{self.more}<div class='x-cards x-two' id='x-cards'>"
            f"{''.join(figures[name] for name in names)}{fold}{''.join(figures[name] for name in rest)}</div>"
            f"<div class='x-cards x-two'>{self.beside()}</div>"
        )

    def beside(self):
        """HTML of the cards with text."""
        return "".join(
            export_file.card(title, f"{''.join(above)}<div id='x-text-{name}'>{text}</div>")
            for name, (title, text, *above) in (self.cards() | {"code": ("Show me the code", "")}).items()
        )

    def text(self, say):
        kind, computed = self.kind, self.computed(say)
        data = own_figures.marked(self.drawing, kind).facts | kind.page_facts(self.model, self.drawing)
        data |= self.facts() | computed
        data |= {"controls": {name: {"values": values} for name, values in self.options.items()}}
        return export_file.page(kind.title, self.look, self.controls(), self.main(), kind.script, data)


class SolvedFile(PageFile):
    """A page whose file solves in the browser.

    A page of its own kind gives `recorded(settings)`, what its engines answer before the first step, for a
    browser that cannot compute, and `facts()` or `source(name)`.
    """

    note: ClassVar[str] = f"<p>{SOLVED}</p>{KEYS}"

    def presets(self):
        """The presets of the list of them and the steps of the story; None where the file has no list."""
        return self.kind.presets

    def values(self):
        presets, name = self.presets(), registry.by_title(self.kind.title).name
        choices = [] if presets is None else picks(name, presets, self.keys())
        options = values(self.model, self.labels, self.defaults, self.selection, choices)
        self.picks = offered(choices, options)
        return options

    def facts(self):
        return {"sources": [self.source(name) for name in self.options["source"]]}

    def computed(self, say):
        own = {name: getattr(self.model, name) for name in self.kind.names}
        return {
            "engine": bundle.engine(),
            "picks": {"entries": self.picks, "leave": LEAVE},
            "recorded": packed(self.recorded(own | self.begins)),
        }


def packed(value):
    """What JSON and arrays can hold, as short text."""
    return bundle.compressed(json.dumps(bundle.plain(value)).encode())


def answers(engine_type, problem, *messages):
    """What an engine of a problem answers to messages.

    Raises
    ------
    InputError
        It refuses one.
    """
    replies = []
    engine = engine_type(problem, replies.append)
    for id, message in enumerate(messages):
        engine.take({"version": 1, "id": id, **message})
    for answer in replies:
        if answer["type"] == "error":
            raise InputError(answer["text"])
    return replies


def picks(page, presets, keys):
    """What sets several settings at once: the presets and the steps of the page's story.

    Parameters
    ----------
    page : str
        Its name in the registry.
    presets : dict of str to dict
        Of a preset's name to settings.
    keys : dict of str to address.Key

    Returns
    -------
    list of dict
        Each with its group, its name and its `state`, the settings; those of the story also with their step,
        caption and figures.
    """
    entries = [{"group": "Presets", "name": name, "state": state} for name, state in presets.items()]
    for step, scene in enumerate(lectures.of(page)["story"], 1):
        state = {name: keys[name].read(text) for name, text in scene["state"].items()}
        more = {"step": step, "caption": scene["caption"], "figures": lectures.figures(page, scene)}
        entries.append({"group": "Story", "name": f"{step}. {scene['caption']}", "state": state} | more)
    return entries


def offered(picks, options):
    """The picks whose settings are all among those of the file, with the places of their values."""
    return [
        {key: value for key, value in pick.items() if key != "state"}
        | {"places": {name: options[name].index(value) for name, value in pick["state"].items()}}
        for pick in picks
        if all(value in options.get(name, ()) for name, value in pick["state"].items())
    ]


def values(model, names, defaults, selection, picks=()):
    """The values of each setting: as asked for, else those of `defaults`, all of a list, or a grid.

    What the picks `picks` need of numbers that nobody asked for is added.
    """
    options = {name: _values(model, name, defaults | selection) for name in names}
    for pick in picks:
        for name, value in pick["state"].items():
            if name in options and name not in selection and isinstance(value, float):
                options[name] = sorted({*options[name], value})
    return options


def _values(model, name, settings):
    parameter = model.param[name]
    if name in settings:
        return settings[name]
    if isinstance(parameter, param.Boolean):
        return [True, False]
    if isinstance(parameter, param.Selector):
        return list(parameter.objects)
    return list(log_options(getattr(model, name), *parameter.bounds).values())


def start(model, options):
    """The value that each setting begins with: the model's own where it is among them."""
    own = {name: getattr(model, name) for name in options}
    return {name: own[name] if own[name] in values else values[0] for name, values in options.items()}


def pick_list(entries):
    """HTML of the list of picks."""
    return select("x-pick", PICK, entries, NO_PICK) if entries else ""


def select(name, label, entries, none=""):
    """Return the HTML of a list of entries by their groups, with one that picks none of them in front."""
    groups = list(dict.fromkeys(each["group"] for each in entries))
    options = (f"<option>{html.escape(none)}</option>" if none else "") + "".join(
        f"<optgroup label='{html.escape(group)}'>"
        + "".join(f"<option>{html.escape(e['name'])}</option>" for e in entries if e["group"] == group)
        + "</optgroup>"
        for group in groups
    )
    return (
        f"<div class='x-control'><label for='{name}'>{label}</label>"
        f"<select id='{name}'>{options}</select></div>"
    )


def controls(labels, options, begins, leap, note, first=""):
    """The buttons, the status and the scrub bar, then a control for each setting that has several values.

    Parameters
    ----------
    labels, options, begins : dict
        Of a setting to its label, its values and the first of them.
    leap : str
        What the button for many steps says; without it the buttons, the status and the bar stand elsewhere.
    note : str
        HTML.
    first : str
        HTML of a control that stands before the others.
    """
    rows = "".join(
        control(name, labels[name], values, begins[name])
        for name, values in options.items()
        if len(values) > 1
    )
    fixed = "; ".join(
        f"{labels[name]}: {_label(values[0])}"
        for name, values in options.items()
        if len(values) == 1 and values[0] != ""
    )
    above = transport(leap) if leap else ""
    return f"{above}{first}{rows}<div class='wb-note'><p>{html.escape(fixed)}</p>{note}</div>"


def transport(leap):
    """HTML of the buttons, the status and the bar; `leap` is what the button for many steps says."""
    buttons = {"reset": "reset", "step": "step", "epoch": leap, "run": "run"}
    pressed = "".join(
        f"<button type='button' id='x-do-{name}'{' class=x-main' if name == 'run' else ''}>{text}</button>"
        for name, text in buttons.items()
    )
    return (
        f"<div class='x-pace'>{pressed}</div><div class='wb-status' role='status' id='x-status'></div>"
        "<div class='x-control'><label for='x-frame'>Progress</label><output id='x-at' for='x-frame'>"
        "</output><input type='range' id='x-frame' min='0' max='0' value='0' step='1'></div>"
    )


def control(name, label, values, begins):
    """HTML of a slider, or of a list where the values are words."""
    label = f"<label for='x-{name}'>{html.escape(label)}</label>"
    texts, at = [_label(value) for value in values], values.index(begins)
    if isinstance(values[0], (str, bool)):
        options = "".join(
            f"<option{' selected' if k == at else ''}>{html.escape(text)}</option>"
            for k, text in enumerate(texts)
        )
        return f"<div class='x-control'>{label}<select id='x-{name}'>{options}</select></div>"
    labels = html.escape(json.dumps(texts))
    return (
        f"<div class='x-control'>{label}<output id='x-{name}-said' for='x-{name}'></output>"
        f"<input type='range' id='x-{name}' min='0' max='{len(texts) - 1}' value='{at}' step='1' "
        f"data-said='{labels}'></div>"
    )


def _label(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    return numerals(f"{value:g}") if isinstance(value, (int, float)) else value


def figure_card(name, title, key):
    """HTML of a card with the place of a figure and the sentence below it."""
    return (
        f"<section class='x-card'><div id='x-head-{name}'>{theme.head(title, key, name)}</div>"
        f"<div id='x-figure-{name}' role='group' aria-label='{html.escape(title)}'></div>"
        f"<div class='wb-line x-line' id='x-line-{name}'></div></section>"
    )
