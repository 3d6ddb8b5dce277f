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

TIMEOUT = 60.0  # seconds of processor time


def derived(deriver, function, *arguments):
    """An outcome that comes with the package, or a derivation."""
    outcome = outcomes.shipped().get(outcomes.key(function, *arguments))
    return outcome or deriver.run(getattr(sketches, function), *arguments, timeout=TIMEOUT)


def page(kind, look, names, model=None):
    """The text of the file of a page with a drawing for each of some names.

    Parameters
    ----------
    kind : type
        A `drawn_page.ChoicePage`.
    look : theme.Look
    names : sequence of str
        Some of its choices.
    model : param.Parameterized, optional
    """
    model, documents, entries, places = model or kind.model_type(), [], [], {}
    with Deriver() as deriver:
        for place, name in enumerate(names):
            setattr(model, kind.choice, name)
            drawing, texts = kind.filed(model, look, functools.partial(derived, deriver))
            places[name] = place
            entries += [entry(*listed, place) for listed in kind.listed(model)]
            documents.append(document(drawing, texts))
    page = registry.by_title(kind.title).name
    for step, scene in enumerate(lectures.of(page)["story"], 1):
        keys = address.keys_of(model, scene["state"])
        values = {kind.choice: next(iter(names))}
        values |= {name: keys[name].read(text) for name, text in scene["state"].items()}
        more = {"caption": scene["caption"], "figures": lectures.figures(page, scene), "step": step}
        if values[kind.choice] in places:
            title = f"{step}. {scene['caption']}"
            entries.append(entry("Story", title, places[values[kind.choice]]) | more)
    beside = sidebar(kind.label, entries, kind.note, kind.help["space"])
    data = {"documents": documents, "entries": entries}
    return export_file.page(kind.title, look, beside, kind.file_main, "drawn_file", data)


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
