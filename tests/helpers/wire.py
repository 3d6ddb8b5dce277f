"""The browser's side of Bokeh's protocol, for tests and benchmarks of the server."""

import asyncio
import json
import os
import re

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

from tests.helpers import coroutines

PATIENCE = 180.0


async def token_of(base, page, patience=PATIENCE):
    """The token that the server gives a page; a refusal is Tornado's HTTPClientError."""
    request = HTTPRequest(base + page, connect_timeout=patience, request_timeout=patience)
    reply = await AsyncHTTPClient().fetch(request)
    return re.search(r'"token":"([^"]+)"', reply.body.decode()).group(1)


def run(visit):
    """Run a coroutine, close the websockets that it opened and return its value."""

    async def bounded():
        try:
            return await asyncio.wait_for(visit, PATIENCE)
        finally:
            for socket in Wire.opened:
                socket.close()
            Wire.opened.clear()

    return coroutines.run(bounded())


def _extracted(content, buffers):
    """Return a content with references in place of bytes, which are added to the buffers."""
    if isinstance(content, bytes):
        buffers.append(content)
        return {"type": "bytes", "data": {"id": str(len(buffers) - 1)}}
    if isinstance(content, dict):
        return {name: _extracted(part, buffers) for name, part in content.items()}
    return [_extracted(part, buffers) for part in content] if isinstance(content, list) else content


class Wire:
    """A websocket of a page; with a token that is not given, after a visit of the page.

    `socket.close_code` and `socket.close_reason` say why the server closed it.
    """

    opened = []  # noqa: RUF012

    def __init__(self, socket):
        self.socket = socket
        self.opened.append(socket)

    @classmethod
    async def open(cls, base, page, token=None, protocols=None, patience=PATIENCE):
        token = await token_of(base, page, patience) if token is None else token
        path, _, query = page.partition("?")
        address = base.replace("http", "ws", 1) + path + "/ws" + (f"?{query}" if query else "")
        request = HTTPRequest(
            address, headers={"Origin": base.rstrip("/")}, connect_timeout=patience, request_timeout=patience
        )
        return cls(
            await websocket_connect(
                request, subprotocols=protocols or ["bokeh", token], max_message_size=2**27
            )
        )

    def send(self, kind, content):
        """Send a message; bytes within its content go as buffers, as a browser sends them."""
        header, buffers = {"msgid": os.urandom(8).hex(), "msgtype": kind}, []
        content = _extracted(content, buffers)
        if buffers:
            header["num_buffers"] = len(buffers)
        for part in (header, {}, content):
            self.socket.write_message(json.dumps(part))
        for number, buffer in enumerate(buffers):
            self.socket.write_message(json.dumps({"id": str(number)}))
            self.socket.write_message(buffer, binary=True)

    async def message(self):
        """The next message's header and content; the buffers that follow are let go."""
        parts = []
        while len(parts) < 3:
            part = await self.socket.read_message()
            if part is None:
                raise ConnectionError("the server closed the connection")
            parts.append(json.loads(part))
        for _ in range(2 * parts[0].get("num_buffers", 0)):
            await self.socket.read_message()
        return parts[0], parts[2]

    async def answer(self, kind):
        """The content of the next message of a kind."""
        while True:
            header, content = await self.message()
            if header["msgtype"] == kind:
                return content

    async def document(self):
        """The document, once the server has taken the websocket."""
        assert (await self.message())[0]["msgtype"] == "ACK"
        self.send("PULL-DOC-REQ", {})
        return (await self.answer("PULL-DOC-REPLY"))["doc"]

    async def closed(self):
        """The code and the reason with which the server closes the websocket, whatever it says before."""
        while await self.socket.read_message() is not None:
            pass
        return self.socket.close_code, self.socket.close_reason
