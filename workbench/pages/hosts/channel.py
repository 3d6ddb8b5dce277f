"""The answers of Python to the questions of a page, one at a time, each of which may be cancelled."""

import asyncio
import functools
import inspect
import logging
import math
import time

from workbench._support.errors import InputError
from workbench.pages.hosts import blocks
from workbench.pages.server import budgets

log = logging.getLogger(__name__)
FAULT = "Python could not answer because of a fault of this program; its log has the details"
MOST_QUESTIONS, MOST_BYTES = budgets.QUESTIONS.most, budgets.QUESTION_BYTES.most
TOO_MANY = (
    f"a page has at most {MOST_QUESTIONS} questions of {MOST_BYTES >> 20} MB under way; wait for the answers"
)
# Bytes of answers within some seconds: a browser that reads none of them would leave all to this process.
MOST_SENT, SENT_SECONDS = budgets.ANSWER_BYTES.most, 60.0
TOO_MUCH = f"a page is sent at most {MOST_SENT >> 20} MB a minute; wait, or load it again"
# Characters of the name of a question, and of a sentence, which may cite what was sent.
LONGEST_ID, LONGEST_TEXT = 100, 500


class Channel:
    """The Python end of `runtime/hosts/channel.js`.

    Parameters
    ----------
    answer : callable
        Takes a message, returns its answer or a coroutine of it.
    send : callable
        Takes an envelope, a dict, and a block, bytes or None.
    """

    def __init__(self, answer, send):
        self.answer, self.send, self.tasks = answer, send, {}
        self.sizes, self.is_open = {}, True  # bytes of the questions under way
        self.sent, self.sent_since = 0, -math.inf
        self.faults = 0

    def receive(self, envelope, block):
        """Take an envelope of the page, which may hold anything."""
        id = envelope.get("id") if isinstance(envelope, dict) else None
        if not self.is_open or not isinstance(id, str) or len(id) > LONGEST_ID:
            return
        type = envelope.get("type")
        if type == "cancel":
            if task := self.tasks.get(id):
                task.cancel()
        elif type == "ask" and block is not None and id not in self.tasks:
            self._ask(id, block)

    def _ask(self, id, block):
        size = len(block) if isinstance(block, bytes | bytearray | memoryview) else 0
        try:
            if len(self.tasks) >= MOST_QUESTIONS or sum(self.sizes.values()) + size > MOST_BYTES:
                raise InputError(TOO_MANY)
            answer = self.answer(blocks.opened(block))
        except InputError as error:
            self._refuse(id, str(error))
            return
        except Exception as error:
            self._fail(id, error)
            return
        if not inspect.isawaitable(answer):
            self._give(id, answer)
            return
        self.sizes[id] = size
        self.tasks[id] = task = asyncio.ensure_future(answer)
        task.add_done_callback(functools.partial(self._on_done, id))

    def _give(self, id, value):
        block, now = blocks.packed(value), time.monotonic()
        if now - self.sent_since > SENT_SECONDS:
            self.sent, self.sent_since = 0, now
        self.sent += len(block)
        if self.sent > MOST_SENT:
            self._refuse(id, TOO_MUCH)
        else:
            self.send({"id": id, "type": "answer"}, block)

    def _refuse(self, id, text):
        self.send({"id": id, "type": "error", "text": text[:LONGEST_TEXT]}, None)

    def _on_done(self, id, task):
        self.tasks.pop(id)
        self.sizes.pop(id)
        if task.cancelled() or not self.is_open:
            return
        error = task.exception()
        if error is None:
            self._give(id, task.result())
        elif isinstance(error, InputError):
            self._refuse(id, str(error))
        else:
            self._fail(id, error)

    def _fail(self, id, error):
        """Answer what a fault of this program does not let it answer; the log has the first few of a page."""
        self._refuse(id, FAULT)
        self.faults += 1
        if self.faults <= budgets.FAULTS.most:
            log.error("a question of a page fails", exc_info=error)

    def emit(self, value):
        """Send what nobody asked for, such as the next frame of a run."""
        self.send({"id": "", "type": "event"}, blocks.packed(value))

    def tell(self, changes):
        """Send settings that have changed; what a page changes itself is told before the answer to that."""
        self.send({"id": "", "type": "settings"}, blocks.packed(changes))

    def close(self):
        """Cancel what is still being answered; what comes later is not listened to."""
        self.is_open = False
        for task in self.tasks.values():
            task.cancel()
