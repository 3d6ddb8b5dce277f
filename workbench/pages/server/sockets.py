"""The websockets of the pages: who may open one, and what is listened to."""

import contextlib
import logging
import time
import traceback

from bokeh.protocol.exceptions import ProtocolError
from bokeh.util.token import check_token_signature, get_session_id, get_token_payload
from panel.io.server import WSHandler

from workbench.pages.server import budgets, messages
from workbench.pages.server.admission import ServerFull
from workbench.pages.server.gate import STRANGER, gate_of

log = logging.getLogger(__name__)
# What it refuses it would log as a whole, however long.
logging.getLogger("bokeh.protocol").setLevel(logging.CRITICAL)
# A visitor who closes a page while it is being drawn has done nothing wrong.
LEFT = "Failed sending message as connection was closed"
logging.getLogger("bokeh.server.views.ws").addFilter(lambda record: record.getMessage() != LEFT)

# Codes of RFC 6455; a reason has 123 bytes at the most.
BROKEN, REFUSED, TOO_MUCH, FAILED, LATER, LONGEST = 1002, 1008, 1009, 1011, 1013, 123
# Messages of a visit within a minute that the server cannot use, after which it is closed. A page that is
# redrawn still sends a few changes of what has gone.
MOST_REFUSED, REFUSED_SECONDS = budgets.REFUSALS.most, 60
TOO_MANY = (
    "All places are taken: close a page that you do not need, wait half a minute and load this one again."
)
TOKEN = "This page's pass is not of this server or has expired; load the page again."
# What a browser sends. Clients in Python could also replace the whole document.
SPOKEN = ("PULL-DOC-REQ", "PATCH-DOC", "SERVER-INFO-REQ")


class Socket(WSHandler):
    """The websocket of a page: without Nagle's algorithm, and with one line for what a stranger sends.

    A change of a page is many small writes; each would wait for the browser's delayed acknowledgement of
    the one before, some 40 ms.
    """

    visit = None
    received, unread = 0, 0
    left = False
    # The count of refused messages, the beginning of its minute, and whether the log has one of this visit.
    refused, refused_since, is_logged = 0, 0.0, False

    async def prepare(self):
        # Not in `check_origin`, before which Tornado fails at a malformed origin.
        if "Origin" in self.request.headers and not self.check_origin(self.request.headers["Origin"]):
            self.set_status(403)
            self.finish(STRANGER)
            return
        await super().prepare()

    def check_origin(self, origin):
        if gate_of(self).knows(self.request):
            return True
        log.warning("a websocket from %.100s is refused; see --allow-origin HOST:PORT", ascii(origin))
        return False

    def open(self, *arguments, **keywords):
        visit = self._visit_of(self._token)
        if self.selected_subprotocol != "bokeh" or visit is None:
            self.close(REFUSED, TOKEN)
            return
        gate = gate_of(self)
        gate.refresh()
        try:
            gate.admission.connect(visit, gate.address(self.request))
        except ServerFull:
            self.close(LATER, TOO_MANY)
            return
        self.visit = visit
        self.set_nodelay(True)
        super().open(*arguments, **keywords)

    def _visit_of(self, token):
        """The visit that this server gave a token for, if it is still good."""
        application = self.application
        try:
            if not check_token_signature(token, secret_key=application.secret_key, signed=True):
                return None
            good = time.time() < get_token_payload(token)["session_expiry"]
            return get_session_id(token) if good else None
        except Exception:  # whatever a stranger wrote: no JSON, no base64, no text
            return None

    async def _async_open(self, token):
        try:
            await super()._async_open(token)
        except ServerFull:
            self.close(LATER, TOO_MANY)
        except (ProtocolError, RuntimeError) as error:
            # Panel's word for a token that expires between two looks at it.
            log.warning("a websocket is refused: %s", error)
            self.close(REFUSED, TOKEN)
        if self.left and self.connection is not None:
            # A visitor who has left would hold the session.
            self.application.client_lost(self.connection)

    async def send_message(self, message):
        """Send a message; a browser that reads none of them would leave all to this process."""
        # Bokeh has no public way to the buffers of a message.
        with self._sends(
            len(message.content_json) + sum(memoryview(part.data).nbytes for part in message._buffers)
        ):
            await super().send_message(message)

    async def write_message(self, message, binary=False, locked=True):
        with self._sends(len(message)):
            await super().write_message(message, binary, locked)

    @contextlib.contextmanager
    def _sends(self, size):
        self.unread += size
        if self.unread > budgets.UNREAD_BYTES.most and self.visit is not None:
            self._protocol_error("the browser does not read what it is sent", TOO_MUCH)
        try:
            yield
        finally:
            self.unread -= size

    async def on_message(self, fragment):
        if self.receiver is None or self.ws_connection is None:
            self.close(REFUSED, TOKEN)  # spoken before the session stood, or after it was refused
            return
        await super().on_message(fragment)

    async def _receive(self, fragment):
        """Return a whole message if this completes one; after a malformed one nothing is read any longer."""
        self.received += len(fragment)
        if self.received > self.max_message_size:
            self._protocol_error("a message is larger than --max-upload", TOO_MUCH)
            return None
        try:
            message = await self.receiver.consume(fragment)
        except Exception as error:  # whatever a stranger wrote
            self._protocol_error(f"{type(error).__name__}: {error}")
            return None
        if message is not None:
            self.received = 0
        return message

    async def _handle(self, message):
        if message.msgtype not in SPOKEN:
            self._protocol_error(f"{message.msgtype} is not for this server")
            return None
        if message.msgtype == "PATCH-DOC":
            events = messages.page_events(message.content)
            if not events:
                return self.connection.ok(message)
            message.content["events"] = events
        try:
            return await self.handler._handlers[message.msgtype](message, self.connection)
        except Exception as error:
            failed = error
        if self._refuse(failed):
            return None
        # Not where the error is handled: the answer would hold the traceback.
        return self.connection.error(message, "the server could not use this message")

    def _refuse(self, error):
        """Count a message that failed, log the first one of a visit, and close a visit that goes on.

        Returns
        -------
        bool
            True if the visit is closed.
        """
        if not self.is_logged:
            log.error("a message fails: %.300s", ascii(error), exc_info=error if _is_ours(error) else None)
            self.is_logged = True
        now = time.monotonic()
        if now - self.refused_since > REFUSED_SECONDS:
            self.refused, self.refused_since = 0, now
        self.refused += 1
        if self.refused < MOST_REFUSED:
            return False
        self._protocol_error(f"{self.refused} messages could not be used", REFUSED)
        return True

    def _protocol_error(self, message, code=BROKEN):
        log.warning("a websocket is closed: %.200s", ascii(message))
        self.close(code, message)

    def _internal_error(self, message):
        log.warning("a websocket is closed: %.200s", ascii(message))
        self.close(FAILED, message)

    def close(self, code=None, reason=None):
        if reason is not None:
            reason = reason.encode("ascii", "replace")[:LONGEST].decode()
        super().close(code, reason)

    def on_close(self):
        """Take leave, unless a ping that failed has done so before the socket closed."""
        self.left = True
        if self.visit is not None:
            gate_of(self).admission.leave(self.visit)
            self.visit = None
        if self.connection is None or self.connection._session is not None:
            super().on_close()


def _is_ours(error):
    """Return True if an error went through this project's code, and not only through what reads a message."""
    names = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return any(
        name.startswith("workbench.") and not name.startswith("workbench.pages.server.") for name in names
    )
