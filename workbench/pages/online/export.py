"""The page of online rules as a file, alive in the browser."""

from workbench.convex.worker import Deriver
from workbench.pages import address, export_file
from workbench.pages.export_file import reveal
from workbench.pages.export_live import MAIN, asked, derived, document, presets, sidebar
from workbench.pages.online import figures
from workbench.pages.online import model as online

NOTE = (
    "This file needs no server. The bounds for a stream of your own: "
    "<code>wb.bounds.perceptron(X, y, u)</code>, <code>.p_norm</code>, <code>.winnow</code>"
)


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return {"preset": address.one_of("preset", online.PRESETS)}


def page(look, chosen, say=None):
    """The text of the file of the page of online rules.

    Parameters
    ----------
    look : theme.Look
    chosen : dict
        Under "preset", names of `online.PRESETS`; all of them where nothing was chosen.
    """
    with Deriver() as deriver:
        names = [rule.regularizer for rule in online.RULES.values()]
        found = {name: derived(deriver, "transfer", name) for name in names}
    drawing = figures.document(online.Online(), found, look)
    begins = {name: online.Online.param[name].default for name in online.NAMES} | {"page": "Online"}
    listed = {name: begins | online.PRESETS[name] for name in chosen.get("preset", online.PRESETS)}
    entries = presets(online.Online, listed, "page", {"Online": (0, drawing.controls)})
    # The rule is chosen in the browser, so what is said of each stands there.
    revealed = "".join(reveal(f"{name}: {rule.question}", rule.says) for name, rule in online.RULES.items())
    formulas = (online.LATEX[0], *(rule.latex for rule in online.RULES.values()), *online.LATEX[1:])
    texts = asked("", "", formulas, online.SOURCE) | {"x-predict": revealed}
    data = {"documents": [document(drawing, texts)], "entries": entries}
    beside = sidebar("Preset", entries, NOTE, "reveal an answer")
    return export_file.page("Online", look, beside, MAIN, "export_live", data)
