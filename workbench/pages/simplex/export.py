"""The page of Fenchel-Young losses as a file, alive in the browser."""

from workbench.convex.worker import Deriver
from workbench.pages import address, export_file
from workbench.pages.export_live import MAIN, asked, derived, document, entry, presets, sidebar, story
from workbench.pages.simplex import figures
from workbench.pages.simplex import model as simplex

NOTE = (
    "This file needs no server. The loss of a φ of your own is made in Python: "
    '<code>wb.losses.fenchel_young("u**2 + u*log(u)")</code>'
)


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return {"phi": address.one_of("phi", simplex.ENTROPIES)}


def page(look, chosen, say=None):
    """The text of the file of the page of Fenchel-Young losses.

    Parameters
    ----------
    look : theme.Look
    chosen : dict
        Under "phi", names of `simplex.ENTROPIES`; all of them where nothing was chosen.
    """
    model = simplex.Simplex()
    documents, controls, entries = [], {}, []
    with Deriver() as deriver:
        for place, name in enumerate(chosen.get("phi", simplex.ENTROPIES)):
            model.phi = name
            outcome = derived(deriver, "simplex", *model.request())
            drawing = figures.document(model, outcome, look)
            controls[name] = place, drawing.controls
            entries.append(entry("φ, which defines Ω", name, place))
            entropy, formulas = model.entropy, simplex.formulas(outcome)
            told = asked(entropy.question, entropy.says, formulas, simplex.SOURCE)
            documents.append(document(drawing, told))
    entries += presets(simplex.PRESETS, "phi", controls) + story("simplex", "phi", controls)
    data = {"documents": documents, "entries": entries}
    beside = sidebar("φ or preset", entries, NOTE, "reveal the answer")
    return export_file.page("Simplex", look, beside, MAIN, "export_live", data)
