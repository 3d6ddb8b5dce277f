"""The answers of Python to the questions of a page, one at a time, each of which may be cancelled."""

import asyncio
import inspect

from workbench._support.errors import InputError
from workbench.pages.hosts import blocks

FAULT = "Python could not answer because of a fault of this program; its log has the details"


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

    def receive(self, envelope, block):
        """Take an envelope of the page, which may hold anything."""
        if not isinstance(envelope, dict) or not isinstance(envelope.get("id"), str):
            return
        id, type = envelope["id"], envelope.get("type")
        if type == "cancel":
            if task := self.tasks.pop(id, None):
                task.cancel()
        elif type == "ask" and block is not None:
            self._ask(id, block)

    def _ask(self, id, block):
        try:
            message = blocks.opened(block)
            answer = self.answer(message)
        except InputError as error:
            self.send({"id": id, "type": "error", "text": str(error)}, None)
            return
        except Exception:
            self.send({"id": id, "type": "error", "text": FAULT}, None)
            raise
        if not inspect.isawaitable(answer):
            self.send({"id": id, "type": "answer"}, blocks.packed(answer))
            return
        self.tasks[id] = asyncio.ensure_future(self._await(id, answer))

    async def _await(self, id, answer):
        try:
            value = await answer
        except InputError as error:
            self.send({"id": id, "type": "error", "text": str(error)}, None)
        except Exception:
            self.send({"id": id, "type": "error", "text": FAULT}, None)
            raise
        else:
            self.send({"id": id, "type": "answer"}, blocks.packed(value))
        finally:
            self.tasks.pop(id, None)

    def emit(self, value):
        """Send what nobody asked for, such as the next frame of a run."""
        self.send({"id": "", "type": "event"}, blocks.packed(value))

    def close(self):
        """Cancel what is still being answered."""
        for task in self.tasks.values():
            task.cancel()
        self.tasks.clear()
