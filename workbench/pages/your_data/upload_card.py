"""The place where a visitor drops a file: takes it in pieces, within the cap, whatever the browser says."""

import base64
import binascii

import panel as pn
import param

from workbench.data.tables import limits, reading, sentences
from workbench.pages import browser, drop_zone, theme


class Dropper(pn.custom.JSComponent):
    """Gives `take` the name and the bytes of a file, and `refuse` a sentence where there is none.

    Parameters
    ----------
    take, refuse : callable
    caps : limits.Limits
    look : theme.Look
    text : str, optional
        What the place asks for.
    """

    most = param.Integer(doc="bytes")
    text = param.String()
    _esm = browser.bundle("your_data")

    def __init__(self, take, refuse, caps=limits.UPLOAD, look=theme.LIGHT, text=None, **params):
        super().__init__(
            most=caps.megabytes * limits.MEGABYTE,
            text=text or drop_zone.text(caps.megabytes),
            stylesheets=[look.sheet("drop_zone")],
            sizing_mode="stretch_width",
            margin=(4, 0, 8, 0),
            **params,
        )
        self.take, self.refuse = take, refuse
        self.name_sent, self.pieces, self.received = None, [], 0

    def _handle_msg(self, message):
        if not isinstance(message, dict):
            return
        if isinstance(message.get("begin"), str):
            self._forget()
            self.name_sent = reading.plain_name(message["begin"])
            if not isinstance(message.get("size"), int) or message["size"] > self.most:
                self._too_large()
        elif self.name_sent is None:
            return  # the rest of a file that was refused
        elif isinstance(message.get("piece"), str):
            self._add(message["piece"])
        elif "failed" in message:
            name = self.name_sent
            self._forget()
            self.refuse(sentences.sentence("unreadable", where=name))
        elif message.get("end") is True:
            name, content = self.name_sent, b"".join(self.pieces)
            self._forget()
            self.take(name, content)

    def _add(self, piece):
        try:
            self.pieces.append(base64.b64decode(piece, validate=True))
        except (binascii.Error, ValueError):
            self._forget()
            self.refuse("The file arrived damaged; send it again.")
            return
        self.received += len(self.pieces[-1])
        if self.received > self.most:
            self._too_large()

    def _too_large(self):
        name = self.name_sent
        self._forget()
        self.refuse(
            f"{name} has more than {self.most // limits.MEGABYTE} MB; take a part of its rows, or pack it "
            "with gzip."
        )

    def _forget(self):
        self.name_sent, self.pieces, self.received = None, [], 0
