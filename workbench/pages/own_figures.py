"""A page's figures as a Bokeh document of their own, of which no server holds the models.

Served pages and exported files give it to the browser as JSON. It is the same for every visitor of a page in
one look, so a server makes it once.
"""

import functools
import json

from bokeh.document import Document

from workbench.pages.time_marks import TimeMarks


def document(figures):
    """Figures by name as a Bokeh document, and the place of each, by the id of its model."""
    made = Document()
    for plot in figures.values():
        made.add_root(plot)
    return {
        "json": made.to_json(deferred=False),
        "roots": {plot.id: f"x-figure-{name}" for name, plot in figures.items()},
    }


def marked(figures, page, look):
    """The figures of a page with the marks of time; `facts` has their document and the ids of what is filled.

    Parameters
    ----------
    figures
        With `figures`, by name, and `shared`, what a frame fills.
    page : StagedPage type
        Says what is `timed`, and which figures have `ghosts`.
    look : theme.Look
    """
    marks = TimeMarks(figures.figures, page.timed, page.ghosts, look)
    figures.facts = {
        "document": document(figures.figures), "ids": figures.shared.ids() | marks.named(page.timed),
    }  # fmt: skip
    return figures


@functools.cache
def held(page, look):
    """The figures of a served page in a look, made once for all its visitors; `text` is their document."""
    figures = marked(page.figures_type(look), page, look)
    figures.text = json.dumps(figures.facts["document"]["json"])
    return figures
