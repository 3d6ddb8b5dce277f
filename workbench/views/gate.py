"""What a server does with visits: it refuses those beyond its number, and sends to the others at once."""

from bokeh.server.urls import per_app_patterns
from panel.io.server import DocHandler, WSHandler

FULL = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Duality Workbench</title></head>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>All places are taken</h1>
<p>This server holds {most} visits at the same time. Close a page that you do not need, wait half a minute
and load this one again; whoever runs the server can raise the number with --max-sessions.</p>
</body></html>
"""


class Gate(DocHandler):
    """The handler of a page, which refuses visits beyond `most`."""

    most = None

    async def get(self, *arguments, **keywords):
        held = sum(len(list(context.sessions)) for context in self.application._applications.values())
        if self.most is not None and held >= self.most:
            self.set_status(503)
            self.finish(FULL.format(most=self.most))
            return
        await super().get(*arguments, **keywords)


class Prompt(WSHandler):
    """The socket of a page, without Nagle's algorithm.

    A change of a page is many small writes; each would wait for the browser's delayed acknowledgement of
    the one before, some 40 ms.
    """

    def open(self):
        self.set_nodelay(True)
        super().open()

    def on_close(self):
        """Take leave, unless a ping that failed has done so before the socket closed."""
        if self.connection is None or self.connection._session is not None:
            super().on_close()


def install(most):
    """Let servers that are made from now on hold so many visits a process."""
    Gate.most = most
    ours = {DocHandler: Gate, WSHandler: Prompt}
    per_app_patterns[:] = [(route, ours.get(handler, handler)) for route, handler in per_app_patterns]
