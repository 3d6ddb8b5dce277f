"""Panel as the host of a page: a component that carries the messages of its channel."""

import hashlib

import panel as pn
import param
from panel.io.state import set_curdoc

from workbench.pages.hosts.channel import Channel


class PanelHost(pn.custom.JSComponent):
    """Carries one page.

    Parameters
    ----------
    page : hosts.page.Page
    **options
        Of a component, such as its `width`.
    """

    settings = param.Dict({}, doc="those with which a view begins; its changes come by the channel")
    owns_address = param.Boolean(False, doc="whether the address of the document is the page's own")

    # The module of each page is given to the model with its digest, so Panel does not compile it again.
    _esm = "export default {}"

    def __init__(self, page, **options):
        self.page = page
        super().__init__(settings=page.settings(), **{"sizing_mode": "stretch_width"} | options)
        self.channel = Channel(page.reply, self._send)
        page.channels.append(self.channel)

    def _send(self, envelope, block):
        self._send_msg(envelope if block is None else envelope | {"block": block})

    def _process_bokeh_event(self, doc, event):
        # Panel would count itself busy and idle again with each, which takes longer than drawing a picture.
        with set_curdoc(doc):
            self._process_event(event)

    def _handle_msg(self, data):
        if isinstance(data, dict):
            self.channel.receive(data, data.pop("block", None))

    def _get_properties(self, doc):
        with param.discard_events(self):
            self.settings = self.page.settings()
        module = self.page.module()
        digest = hashlib.sha256(module.encode()).hexdigest()
        return super()._get_properties(doc) | {"esm": module, "bundle": digest}

    def _cleanup(self, root=None):
        super()._cleanup(root)
        if not self._models and self.channel in self.page.channels:
            self.channel.close()
            self.page.channels.remove(self.channel)
            self.page.close()
