"""The pages that the browser computes as files, fully alive: conjugates, transfer functions, the simplex.

What needs the server, to derive the conjugate of a function that somebody types, is done when the file is
written, and the file says with which command.
"""

import html

import numpy as np
from bokeh.document import Document

from workbench.convex.worker import Deriver
from workbench.derivations import outcomes, sketches
from workbench.errors import InputError
from workbench.views import (
    conjugates,
    conjugates_document,
    export_file,
    simplex,
    simplex_document,
    transfer,
    transfer_document,
)
from workbench.views import conjugates_texts as texts
from workbench.views.export_file import card, formula, reveal

TIMEOUT = 60.0  # seconds of processor time
CONJUGATES_NOTE = (
    "This file needs no server. To derive a function of your own, have a file written for it: "
    '<code>workbench export conjugates out.html --function "log(1 + exp(u))"</code>'
)
TRANSFER_NOTE = (
    "This file needs no server. Other regularizers are derived where the workbench runs: "
    "<code>workbench serve transfer</code>"
)
SIMPLEX_NOTE = (
    "This file needs no server. The loss of a φ of your own is made in Python: "
    '<code>wb.losses.fenchel_young("u**2 + u*log(u)")</code>'
)


def conjugates_page(look, presets, own=None):
    """The text of the file of the page of conjugates.

    Parameters
    ----------
    look : theme.Look
    presets : sequence of str
        Names of `conjugates.PRESETS`.
    own : conjugates.Preset, optional
        A typed function; it comes first.
    """
    model = conjugates.Conjugates()
    documents, entries = [], []
    with Deriver() as deriver:
        if own is not None:
            model.param.update(
                preset=conjugates.OWN, formula=own.text, domain=own.domain, parameters=own.parameters
            )
            documents.append(_pair(model, look, deriver))
            entries.append(_entry("Your own function", own.text, 0))
        for name in presets:
            model.preset = name
            entries.append(_entry("Pairs", name, len(documents)))
            documents.append(_pair(model, look, deriver))
    main = (
        "<div id='x-cards'></div><div class='x-cards x-two'>"
        + card("The pair", "<div id='x-pair'></div>")
        + card("Verification", "<div id='x-claims'></div>")
        + card("Show me the code", "<div id='x-code'></div>")
        + "</div>"
        + card("Derivation, step by step", "<div id='x-steps' class='x-wide'></div>")
    )
    data = {"documents": documents, "entries": entries}
    sidebar = _sidebar("Pair", entries, CONJUGATES_NOTE, "hide q or reveal it")
    return export_file.page("Conjugates", look, sidebar, main, "export_live", data)


def _pair(model, look, deriver):
    """The drawing and the texts of the pair that the model has chosen."""
    chosen = model.chosen()
    arguments = conjugates.request(chosen)
    outcome = _derived(deriver, "pair", *arguments, chosen.entry)
    model.values = chosen.values
    numbers = model.numbers(outcome["ranges"])
    if conjugates.tabled(outcome) and numbers:
        # Its values would have to be computed anew for every position of a slider.
        raise InputError(
            f"{' and '.join(outcome['refused'])} of {chosen.text} has no closed form, so a file cannot "
            f"follow the parameter {next(iter(numbers))}; write a number in its place"
        )
    tables = {name: _table(deriver, arguments, name) for name in conjugates.tabled(outcome)}
    start = {"u": None, "v": None, "predict": False, "parameters": numbers}
    drawing = conjugates_document.document(outcome, start, look, model.python(), tables)
    return _document(
        drawing,
        {"x-pair": _formulas(outcome, chosen.says), "x-claims": texts.badges(outcome["claims"]),
         "x-steps": _steps(outcome)},
    ) | {"toggle": drawing.controls["predict"].id}  # fmt: skip


def _table(deriver, arguments, name):
    points = tuple(conjugates.TABLE)
    values = _derived(deriver, "table", *arguments, name, points, ())
    return {"x": list(points), "y": [y if np.isfinite(y) else np.nan for y in values]}


def _derived(deriver, function, *arguments):
    """An outcome that comes with the package, or a derivation."""
    found = outcomes.shipped().get(outcomes.key(function, *arguments))
    return found or deriver.run(getattr(sketches, function), *arguments, timeout=TIMEOUT)


def _formulas(outcome, says):
    """The pair in formulas, the row of the table that it stands for, and what is wrong there."""
    note = f"<p>{html.escape(says)}</p>"
    note += texts.refused(outcome, "computed when this file was written")
    text = f"<div class='wb-note'>{note}{texts.conditions(outcome)}</div>"
    text += _latex(rf"p({outcome['p_variable']}) = {outcome['p_latex']}")
    for heading, latex in texts.cases(outcome):
        text += f"<div class='wb-note'>{heading}</div>{_latex(latex)}"
    row = outcome["row"]
    if row is not None:
        text += f"<div class='wb-source'>Appendix E: {texts.agreement(row)}</div>{_latex(row['printed'])}"
    for erratum in outcome["errata"]:
        text += f"{texts.erratum_heading(erratum)}{_latex(erratum['corrected'])}{texts.erratum_note(erratum)}"
    return text


def _steps(outcome):
    return "".join(
        f"<div class='x-step'><div class='wb-note'><b>{count}. {html.escape(step['title'])}</b><br>"
        f"{html.escape(step['reason'])}</div>{_latex(step['latex'])}</div>"
        for count, step in enumerate(outcome["steps"], 1)
    )


def _latex(text):
    return "".join(formula(line) for line in texts.lines(text))


def transfer_page(look, regularizers):
    """The text of the file of the page of transfer functions.

    Parameters
    ----------
    look : theme.Look
    regularizers : sequence of str
        Names of `transfer.SHAPES`.
    """
    model = transfer.Transfer()
    real = transfer.real_v(transfer.sources()[0])
    documents, controls, entries = [], {}, []
    with Deriver() as deriver:
        for place, name in enumerate(regularizers):
            model.regularizer = name
            entries.append(_entry("Regularizers", name, place))
            drawing, document = _regularizer(model, look, deriver, real)
            controls[name] = place, drawing.controls
            documents.append(document)
    presets = _presets(transfer.PRESETS, "regularizer", controls)
    entries = presets + entries
    data = {"documents": documents, "entries": entries}
    sidebar = _sidebar("Preset or regularizer", entries, TRANSFER_NOTE, "reveal what the map does")
    return export_file.page("Transfer", look, sidebar, _MAIN, "export_live", data)


def _regularizer(model, look, deriver, real):
    shape = model.shape
    outcome = _derived(deriver, "transfer", shape.script) if shape.script else None
    drawing = transfer_document.document(model, outcome, look, real)
    formulas = outcome["latex"] if outcome else transfer.NORM_LATEX
    source = outcome["source"] if outcome else "docs/mathematics.md, section 6"
    return drawing, _document(drawing, _asked(transfer.QUESTIONS[shape.kind], shape.says, formulas, source))


def simplex_page(look, phis):
    """The text of the file of the page of Fenchel-Young losses.

    Parameters
    ----------
    look : theme.Look
    phis : sequence of str
        Names of `simplex.ENTROPIES`.
    """
    model = simplex.Simplex()
    documents, controls, entries = [], {}, []
    with Deriver() as deriver:
        for place, name in enumerate(phis):
            model.phi = name
            outcome = _derived(deriver, "simplex", *model.request())
            drawing = simplex_document.document(model, outcome, look)
            controls[name] = place, drawing.controls
            entries.append(_entry("φ, which makes Ω", name, place))
            entropy, formulas = model.entropy, simplex.formulas(outcome)
            asked = _asked(entropy.question, entropy.says, formulas, simplex.SOURCE)
            documents.append(_document(drawing, asked))
    entries += _presets(simplex.PRESETS, "phi", controls)
    data = {"documents": documents, "entries": entries}
    sidebar = _sidebar("φ or preset", entries, SIMPLEX_NOTE, "reveal the answer")
    return export_file.page("Simplex", look, sidebar, _MAIN, "export_live", data)


def _presets(presets, choice, controls):
    """The entries of presets whose choice has a document, with what they do to its controls."""
    entries = []
    for name, values in presets.items():
        if values[choice] not in controls:
            continue
        place, there = controls[values[choice]]
        moved = {
            control.id: {"active": values[key] - 1} if hasattr(control, "active") else {"value": values[key]}
            for key, control in ((key.removeprefix("par_"), control) for key, control in there.items())
            if key in values
        }
        entries.append(_entry("Presets", name, place, moved))
    return entries


def _asked(question, answer, formulas, source):
    """The texts beside a drawing: what to predict, and the formulas with their source."""
    return {
        "x-predict": reveal(question, answer),
        "x-formulas": "".join(map(formula, formulas)) + f"<div class='wb-source'>{html.escape(source)}</div>",
    }


_MAIN = (
    "<div id='x-cards'></div><div class='x-cards x-two'>"
    + card("Predict first", "<div id='x-predict'></div>")
    + card("The formulas", "<div id='x-formulas'></div>")
    + card("Show me the code", "<div id='x-code'></div>")
    + "</div>"
)


def _document(drawing, texts):
    """A drawing and its texts as JSON, with the elements that they stand in."""
    roots = {"x-controls": drawing.sidebar(), "x-cards": drawing.cards(), "x-code": drawing.code}
    document = Document()
    for root in roots.values():
        document.add_root(root)
    return {
        "json": document.to_json(deferred=False),
        "roots": {root.id: name for name, root in roots.items()},
        "html": texts,
    }


def _entry(group, name, place, values=()):
    return {"group": group, "name": name, "document": place, "values": dict(values)}


def _sidebar(label, entries, note, space):
    groups = list(dict.fromkeys(entry["group"] for entry in entries))
    options = "".join(
        f"<optgroup label='{html.escape(group)}'>"
        + "".join(f"<option>{html.escape(e['name'])}</option>" for e in entries if e["group"] == group)
        + "</optgroup>"
        for group in groups
    )
    return (
        f"<div class='x-control'><label for='x-entry'>{label}</label>"
        f"<select id='x-entry'>{options}</select></div>"
        f"<div id='x-controls'></div><div class='wb-note'><p>{note}</p>"
        f"<p>Keys: space to {space}, → for the next, r for the start. A figure can be dragged.</p></div>"
    )
