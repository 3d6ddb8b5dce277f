"""A notebook as the host of a page: a widget of anywidget, in JupyterLab and whatever else shows widgets."""

import functools

from workbench._support.system import extras
from workbench.pages.hosts.channel import Channel


def widget_of(page):
    """Return the widget of a page.

    Raises
    ------
    InputError
        The package anywidget is not installed.
    """
    extras.need("lessons", "a page in a notebook", "anywidget")
    return _kind(type(page))(page)


@functools.cache
def _kind(page_type):
    import anywidget
    import traitlets

    class NotebookHost(anywidget.AnyWidget):
        """Carries one page; its trait has the settings with which a view begins."""

        _esm = page_type.module()
        settings = traitlets.Dict().tag(sync=True)

        def __init__(self, page):
            self.page = page
            super().__init__(settings=page.settings())
            self.channel = Channel(page.reply, self._send_block)
            page.channels.append(self.channel)
            self.on_msg(self._on_message)
            page.param.watch(self._on_page, page.names())

        def _on_page(self, *events):
            self.settings = self.page.settings()

        def _send_block(self, envelope, block):
            self.send(envelope, None if block is None else [block])

        def _on_message(self, widget, content, buffers):
            self.channel.receive(content, buffers[0] if buffers else None)

        def close(self):
            super().close()
            if self.channel in self.page.channels:
                self.channel.close()
                self.page.channels.remove(self.channel)
                self.page.close()

    return NotebookHost
