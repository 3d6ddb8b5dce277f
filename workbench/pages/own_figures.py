"""A page's figures as a Bokeh document of their own, of which no server holds the models.

Served pages and exported files give it to the browser as JSON. It is the same for every visitor of a page in
one look, so a server makes it once.
"""

import functools
import json

from bokeh.document import Document
from bokeh.models import GlyphRenderer

from workbench.pages.time_marks import time_marks


def marked(drawing, page):
    """A page's drawing with the marks of time; `facts` has its document and the ids of what is filled."""
    marks = time_marks(drawing.figures, page.timed, page.ghosts, drawing.look)
    doc = Document()
    with doc.models.freeze():  # else each figure has the document look for its models anew
        for plot in drawing.figures.values():
            for renderer in filter(lambda each: isinstance(each, GlyphRenderer), plot.renderers):
                renderer.selection_glyph = renderer.nonselection_glyph = "auto"  # nothing is selected
            doc.add_root(plot)
    # The place of each by the id of its model.
    roots = {plot.id: f"x-figure-{name}" for name, plot in drawing.figures.items()}
    document = {"json": doc.to_json(deferred=False), "roots": roots}
    drawing.facts = {"document": document, "ids": drawing.ids() | marks}
    return drawing


@functools.cache
def cached(page, look):
    """The drawing of a served page in a look, made once for all its visitors; `text` is its document."""
    drawing = marked(page.drawing_type(look), page)
    drawing.text = json.dumps(drawing.facts["document"]["json"])
    return drawing
