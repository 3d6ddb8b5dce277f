"""The parts of a page that run in the browser: what their messages cost the server."""

import panel as pn
from panel.io.state import set_curdoc


class Component(pn.custom.JSComponent):
    """A component whose messages reach its page and nothing else.

    Panel would count itself busy and idle again with each of them, which takes longer than drawing a picture.
    """

    def _process_bokeh_event(self, doc, event):
        with set_curdoc(doc):
            self._process_event(event)
