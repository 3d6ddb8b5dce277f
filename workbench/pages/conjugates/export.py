"""The page of conjugates as a file: pairs derived when it is written, alive in the browser."""

import numpy as np

from workbench.convex.worker import Deriver
from workbench.errors import ConvexityError, InputError
from workbench.pages import address, export_file
from workbench.pages.conjugates import figures, texts
from workbench.pages.conjugates import model as conjugates
from workbench.pages.export_file import card
from workbench.pages.export_live import derived, document, entry, sidebar, story

NOTE = (
    "This file needs no server. To derive a function of your own, have a file written for it: "
    '<code>workbench export conjugates out.html --function "log(1 + exp(u))"</code>'
)


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return {"preset": address.one_of("preset", conjugates.PRESETS)}


def page(look, selection, say=None, own=None):
    """The text of the file of the page of conjugates.

    Parameters
    ----------
    look : theme.Look
    selection : dict
        Under "preset", names of `conjugates.PRESETS`; all of them where nothing was chosen, or `own` alone.
    own : conjugates.Preset, optional
        A typed function; it comes first.
    """
    everything = () if own is not None else conjugates.PRESETS
    model = conjugates.Conjugates()
    documents, entries, places = [], [], {}
    with Deriver() as deriver:
        if own is not None:
            model.param.update(
                preset=conjugates.OWN, formula=own.text, domain=own.domain, parameters=own.parameters
            )
            documents.append(_pair(model, look, deriver))
            entries.append(entry("Your own function", own.text, 0))
        for name in selection.get("preset", everything):
            model.preset = name
            places[name] = len(documents), {}
            entries.append(entry("Pairs", conjugates.label(name), len(documents)))
            documents.append(_pair(model, look, deriver))
    main = (
        "<div id='x-cards'></div><div class='x-cards x-two'>"
        + card("The pair", "<div id='x-pair'></div>")
        + card("Verification", "<div id='x-claims'></div>")
        + card("Show me the code", "<div id='x-code'></div>")
        + "</div>"
        + card("Derivation, step by step", "<div id='x-steps' class='x-wide'></div>")
    )
    entries += story(conjugates.Conjugates, "conjugates", "preset", places) if places else []
    data = {"documents": documents, "entries": entries}
    beside = sidebar("Pair", entries, NOTE, "hide or show q")
    return export_file.page("Conjugates", look, beside, main, "export_live", data)


def _pair(model, look, deriver):
    """The drawing and the texts of the pair that the model has chosen."""
    choice = model.chosen()
    arguments = conjugates.request(choice)
    try:
        outcome = derived(deriver, choice.sketch, *arguments, choice.entry)
    except ConvexityError:
        outcome = derived(deriver, "envelope", *arguments)
    model.declare(outcome["declared"])
    model.values = choice.values
    numbers = model.numbers(outcome["ranges"])
    if conjugates.tabled(outcome) and numbers:
        # Its values would have to be computed anew for every position of a slider.
        raise InputError(
            f"{' and '.join(outcome['refused'])} of {choice.text} has no closed form, so a file cannot "
            f"follow the parameter {next(iter(numbers))}; write a number in its place"
        )
    tables = {name: _table(deriver, arguments, name) for name in conjugates.tabled(outcome)}
    start = {"u": None, "v": None, "predict": False, "parameters": numbers}
    drawing = figures.document(outcome, start, look, model.python(), tables)
    return document(
        drawing,
        {
            "x-pair": texts.explained(outcome, choice.says, {}, "computed when this file was written"),
            "x-claims": texts.badges(outcome["claims"]),
            "x-steps": texts.steps(outcome, {}),
        },
    ) | {"toggle": drawing.controls["predict"].id}


def _table(deriver, arguments, name):
    points = tuple(conjugates.TABLE)
    values = derived(deriver, "table", *arguments, name, points, ())
    return {"x": list(points), "y": [y if np.isfinite(y) else np.nan for y in values]}
