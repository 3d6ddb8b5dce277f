"""The page on SVM gaps as a file: pair steps with their bounds, for runs computed beforehand."""

import html

from bokeh.models import PointDrawTool

from workbench.views import svm_gaps
from workbench.views.export_file import formula, reveal
from workbench.views.export_player import Picture, Played, moments, note, sliders
from workbench.views.svm_gaps_document import SvmDrawing
from workbench.views.svm_gaps_page import QUESTIONS, statistics
from workbench.views.theme import code_box

MODEL = svm_gaps.SvmGaps
LABELS = {
    "source": "Data", "points": "Points", "cost": "C, weight of a slack", "kernel": "Kernel",
    "gamma": "γ of the Gaussian kernel", "degree": "Degree of the polynomial", "selection": "Selection",
    "tolerance": "Stop at t̂ − b̂ of",
}  # fmt: skip
DEFAULTS = {"kernel": ["Linear", "Gaussian"], "cost": [0.1, 1.0, 10.0]}
CARDS = {"numbers": "", "why": "Why this pair?", "predict": "Predict first", "code": "Show me the code"}
SAYS = "Runs of maximal violating pairs, step by step"


def played(look, chosen):
    """The page; `chosen` has the values of some of `LABELS`."""
    model, chosen = MODEL(), DEFAULTS | chosen
    base = model.settings() | {"tolerance": model.tolerance}
    drawing, latest = SvmDrawing(look), [None]
    plane = drawing.figures["plane"]
    # Nobody solves for a point that moves here.
    plane.toolbar.active_tap = plane.toolbar.active_drag = None
    plane.tools = [tool for tool in plane.tools if not isinstance(tool, PointDrawTool)]
    plane.xaxis[0].axis_label = "x₁"

    def frames(settings):
        settings = base | {name: values[0] for name, values in chosen.items()} | settings
        latest[0] = lab = svm_gaps.build(settings, latest[0])
        for _ in moments(lambda: svm_gaps.play(lab, 0.0, settings["tolerance"])):
            yield _picture(lab, drawing, settings)

    return Played(
        "SVM gaps", note("svm-gaps", SAYS, model, LABELS, chosen), sliders(model, LABELS, chosen),
        drawing.figures, drawing.titles, frames, CARDS,
    )  # fmt: skip


def _picture(lab, drawing, settings):
    seen = svm_gaps.frame(lab)
    captions = drawing.show(seen)
    texts = {
        "numbers": statistics(seen), "why": _why(svm_gaps.explain(lab)),
        "predict": "".join(reveal(*asked) for asked in QUESTIONS),
        "code": code_box(svm_gaps.code(lab, settings["tolerance"])),
    }  # fmt: skip
    return Picture(f"{lab.run.steps:,} steps", captions, texts)


def _why(step):
    if step is None:
        return "<div class='wb-note'>Nothing has moved yet.</div>"
    title = f"<div class='wb-note'><p>{html.escape(step['title'])}</p></div>"
    return title + "".join(map(formula, step["numbers"])) + f"<p>{html.escape(step['badge'])}</p>"
