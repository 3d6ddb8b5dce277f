"""Panel as the host of a page: a component whose one property is the page's settings."""

import functools
import hashlib

import param

from workbench._support.errors import InputError
from workbench.pages.component import Component
from workbench.pages.hosts.channel import LONGEST_TEXT, Channel


class PanelHost(Component):
    """Carries one page; its settings and the page's follow each other.

    Parameters
    ----------
    page : hosts.page.Page
    **options
        Of a component, such as its `width`.
    """

    settings = param.Dict({}, doc="the value of each setting by name")
    owns_address = param.Boolean(False, doc="whether the address of the document is the page's own")

    # The module of each page is given to the model with its digest, so Panel does not compile it again.
    _esm = "export default {}"

    def __init__(self, page, **options):
        self.page = page
        super().__init__(settings=page.settings(), **{"sizing_mode": "stretch_width"} | options)
        self.channel = Channel(page.reply, self._send)
        page.channels.append(self.channel)
        self.param.watch(self._on_settings, "settings")
        page.param.watch(self._on_page, page.names())

    def _on_settings(self, event):
        try:
            self.page.change(event.new)
        except InputError as error:
            self._send({"id": "", "type": "refusal", "text": str(error)[:LONGEST_TEXT]}, None)
            self._restore()

    def _restore(self):
        """Put the page's settings in place of what was refused, which may be large.

        Panel does not send back what it is being told, so the models themselves take them.
        """
        settings = self.page.settings()
        with param.discard_events(self):
            self.settings = settings
        for model, _ in self._models.values():
            change = functools.partial(setattr, model.data, "settings", settings)
            if model.document is not None:
                model.document.add_next_tick_callback(change)

    def _on_page(self, *events):
        settings = self.page.settings()
        if settings != self.settings:
            self.settings = settings

    def _send(self, envelope, block):
        self._send_msg(envelope if block is None else envelope | {"block": block})

    def _handle_msg(self, data):
        if isinstance(data, dict):
            self.channel.receive(data, data.pop("block", None))

    def _get_properties(self, doc):
        module = self.page.module()
        digest = hashlib.sha256(module.encode()).hexdigest()
        return super()._get_properties(doc) | {"esm": module, "bundle": digest}

    def _cleanup(self, root=None):
        super()._cleanup(root)
        if not self._models and self.channel in self.page.channels:
            self.channel.close()
            self.page.channels.remove(self.channel)
            self.page.close()
