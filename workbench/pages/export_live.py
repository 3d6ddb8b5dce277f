"""What the files share that the browser computes: their entries, their documents, the controls beside them.

What needs the server, to derive the conjugate of a function that somebody types, is done when the file is
written, and the file says with which command.
"""

import html

from bokeh.document import Document

from workbench.convex.worker import Deriver
from workbench.derivations import outcomes, sketches
from workbench.pages import export_file, lectures, registry
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


def page(kind, look, names, fill):
    """The text of the file of a page with a drawing for each of some names; `fill` is called with each.

    Parameters
    ----------
    kind : type
        A `drawn_page.ChoicePage`.
    look : theme.Look
    names : sequence of str
        Some of its choices.
    fill : callable
    """
    model, documents, controls, entries = kind.model_type(), [], {}, []
    with Deriver() as deriver:
        for place, name in enumerate(names):
            setattr(model, kind.choice, name)
            function, *arguments = kind.request(model)
            outcome = derived(deriver, function, *arguments) if arguments else None
            drawing = kind.drawn(model, outcome, look)
            fill(drawing)
            controls[name] = place, drawing.controls
            entries.append(entry(kind.label, name, place))
            documents.append(document(drawing, texts_of(*kind.card_texts(model, outcome))))
    page = registry.by_title(kind.title).name
    entries += presets(kind.model_type, kind.presets, kind.choice, controls)
    entries += story(kind.model_type, page, kind.choice, controls)
    data = {"documents": documents, "entries": entries}
    beside = sidebar(f"{kind.label} or preset", entries, kind.note, kind.help["space"])
    return export_file.page(kind.title, look, beside, MAIN, "export_live", data)


def presets(model, presets, choice, controls):
    """The entries of presets whose choice has a document, with what they do to its controls."""
    entries = []
    for name, values in presets.items():
        if values[choice] not in controls:
            continue
        place, there = controls[values[choice]]
        changes = {
            control.id: state(model.param[key], control, values[key])
            for key, control in ((key.removeprefix("par_"), control) for key, control in there.items())
            if key in values
        }
        entries.append(entry("Presets", name, place, changes))
    return entries


def story(model, page, choice, controls, begins=None):
    """The entries of the page's story, as far as its steps have a document in this file.

    A step that does not name a setting leaves it, or has it as in `begins`.
    """
    entries = []
    for step, scene in enumerate(lectures.of(page)["story"], 1):
        state = (begins or {}) | {
            name: float(text) if name != choice else text for name, text in scene["state"].items()
        }
        state.setdefault(choice, next(iter(controls)))
        states = presets(model, {f"{step}. {scene['caption']}": state}, choice, controls)
        figures = lectures.figures(page, scene)
        more = {"caption": scene["caption"], "figures": figures, "step": step, "group": "Story"}
        entries += [each | more for each in states]
    return entries


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
