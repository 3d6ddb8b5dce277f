"""The page of transfer functions as a file, alive in the browser."""

from workbench.convex.worker import Deriver
from workbench.pages import address, export_file
from workbench.pages.export_live import MAIN, asked, derived, document, entry, presets, sidebar, story
from workbench.pages.transfer import figures
from workbench.pages.transfer import model as transfer

NOTE = (
    "This file needs no server. Other regularizers are derived where the workbench runs: "
    "<code>workbench serve transfer</code>"
)


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return {"regularizer": address.one_of("regularizer", transfer.SHAPES)}


def page(look, chosen, say=None):
    """The text of the file of the page of transfer functions.

    Parameters
    ----------
    look : theme.Look
    chosen : dict
        Under "regularizer", names of `transfer.SHAPES`; all of them where nothing was chosen.
    """
    model = transfer.Transfer()
    real = transfer.real_v(transfer.sources()[0])
    documents, controls, entries = [], {}, []
    with Deriver() as deriver:
        for place, name in enumerate(chosen.get("regularizer", transfer.SHAPES)):
            model.regularizer = name
            entries.append(entry("Regularizers", name, place))
            drawing, document = _regularizer(model, look, deriver, real)
            controls[name] = place, drawing.controls
            documents.append(document)
    listed = presets(transfer.PRESETS, "regularizer", controls)
    entries = listed + entries + story("transfer", "regularizer", controls)
    data = {"documents": documents, "entries": entries}
    beside = sidebar("Preset or regularizer", entries, NOTE, "reveal what the map does")
    return export_file.page("Transfer", look, beside, MAIN, "export_live", data)


def _regularizer(model, look, deriver, real):
    shape = model.shape
    outcome = derived(deriver, "transfer", shape.script) if shape.script else None
    drawing = figures.document(model, outcome, look, real)
    formulas = outcome["latex"] if outcome else transfer.NORM_LATEX
    source = outcome["source"] if outcome else "docs/mathematics.md, section 6"
    return drawing, document(drawing, asked(transfer.QUESTIONS[shape.kind], shape.says, formulas, source))
