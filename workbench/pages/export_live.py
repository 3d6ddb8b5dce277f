"""What the files share that the browser computes: their entries, their documents, the controls beside them.

What needs the server, to derive the conjugate of a function that somebody types, is done when the file is
written, and the file says with which command.
"""

import functools
import html

from bokeh.document import Document

from workbench.conjugates.convex.worker import Deriver
from workbench.conjugates.derivations import outcomes, sketches
from workbench.pages import address, export_file, lectures, registry
from workbench.pages.browser import state
from workbench.pages.export_file import card, reveal
from workbench.pages.formulas import formula

TIMEOUT = 60.0  # seconds of processor time
FORMULAS = card("The formulas", "<div id='x-formulas'></div>")
MAIN = (
    "<div id='x-cards'></div><div class='x-cards x-two'>"
    + card("Predict first", "<div id='x-predict'></div>")
    + FORMULAS
    + card("Show me the code", "<div id='x-code'></div>")
    + "</div>"
)


def derived(deriver, function, *arguments):
    """An outcome that comes with the package, or a derivation."""
    outcome = outcomes.shipped().get(outcomes.key(function, *arguments))
    return outcome or deriver.run(getattr(sketches, function), *arguments, timeout=TIMEOUT)


def page(kind, look, names, presets, model=None):
    """The text of the file of a page with a drawing for each of some names.

    Parameters
    ----------
    kind : type
        A `drawn_page.ChoicePage`.
    look : theme.Look
    names : sequence of str
        Some of its choices; "" alone where it has no list.
    presets : dict of str to dict
        Some of its presets.
    model : param.Parameterized, optional
    """
    model, documents, entries, places = model or kind.model_type(), [], [], {}
    with Deriver() as deriver:
        for place, name in enumerate(names):
            if kind.choice:
                setattr(model, kind.choice, name)
            drawing, texts = kind.filed(model, look, functools.partial(derived, deriver))
            places[name] = place, drawing.controls if kind.file_moves else {}
            entries += [entry(*listed, place) for listed in kind.listed(model)]
            documents.append(document(drawing, texts))
    # Where there is no list, each state begins where the page does.
    begins = {} if kind.choice else {name: model.param[name].default for name in kind.names}
    for name, values in presets.items():
        entries += _state(kind, model, "Presets", name, begins | values, places)
    page = registry.by_title(kind.title).name
    for step, scene in enumerate(lectures.of(page)["story"], 1):
        keys = address.keys_of(model, scene["state"])
        values = {kind.choice: next(iter(names))} | begins
        values |= {name: keys[name].read(text) for name, text in scene["state"].items()}
        more = {"caption": scene["caption"], "figures": lectures.figures(page, scene), "step": step}
        found = _state(kind, model, "Story", f"{step}. {scene['caption']}", values, places)
        entries += [each | more for each in found]
    label = f"{kind.label} or preset" if kind.label and kind.presets else kind.label or "Preset"
    beside = sidebar(label, entries, kind.note, kind.file_space or kind.help["space"])
    data = {"documents": documents, "entries": entries}
    return export_file.page(kind.title, look, beside, kind.file_main, "drawn_file", data)


def _state(kind, model, group, name, values, places):
    """The entry of a preset or a step, with what it does to controls; none where its choice is not here."""
    if values.get(kind.choice, "") not in places:
        return []
    place, controls = places[values.get(kind.choice, "")]
    named = {key.removeprefix("par_"): control for key, control in controls.items()}
    changes = {
        control.id: state(model.param[key], control, values[key])
        for key, control in named.items()
        if key in values
    }
    return [entry(group, name, place, changes)]


def texts_of(question, answer, formulas, source):
    """The texts beside a drawing: what to predict, and the formulas with their source."""
    return {
        "x-predict": reveal(question, answer),
        "x-formulas": "".join(map(formula, formulas)) + f"<div class='wb-source'>{html.escape(source)}</div>",
    }


def document(drawing, texts):
    """A drawing and its texts as JSON, with the elements that they stand in."""
    roots = {"x-controls": drawing.sidebar(), "x-cards": drawing.cards(), "x-code": drawing.code}
    doc = Document()
    for root in roots.values():
        doc.add_root(root)
    return {
        "json": doc.to_json(deferred=False),
        "roots": {root.id: name for name, root in roots.items()},
        "html": texts,
        "toggle": drawing.toggle and drawing.toggle.id,
    }


def entry(group, name, place, values=()):
    return {"group": group, "name": name, "document": place, "values": dict(values)}


def select(name, label, entries, none=""):
    """HTML of a list of entries by their groups, with one that picks none of them in front."""
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


def sidebar(label, entries, note, space):
    return (
        f"{select('x-entry', label, entries)}<div id='x-controls'></div><div class='wb-note'><p>{note}</p>"
        f"<p>Keys: space to {space}, → and ← for the next and the previous one, r for the start, Esc to "
        "leave a story. A figure can be dragged.</p></div>"
    )
