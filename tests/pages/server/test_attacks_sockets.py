"""Messages of strangers to the websocket of a served page: each line stands above the test that sends it."""

import base64
import contextlib
import json
import logging
import time
import zlib

import pytest
from bokeh.util.token import generate_jwt_token
from tornado.websocket import WebSocketClosedError

from tests.helpers.stub_server import handshake, put_stubs, unshaken
from tests.helpers.wire import Wire, run, token_of

PAGE, UPLOAD_MB = "stub-page", 1
BROKEN, REFUSED, TOO_MUCH = 1002, 1008, 1009
PASS = "This page's pass is not of this server or has expired; load the page again."


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A default server; it still answers in the end, and has logged no traceback."""
    place = tmp_path_factory.mktemp("pages")
    put_stubs(place)
    with unshaken(place, "--max-upload", str(UPLOAD_MB)) as started:
        yield started


def encoded(content):
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def payload(**changes):
    content = {"session_id": "x" * 44, "session_expiry": time.time() + 300} | changes
    return encoded(json.dumps(content).encode())


def with_signature(token):
    return token + "." + "A" * 43


FORGED = {
    "made by Bokeh": generate_jwt_token("x" * 44),
    "made by Bokeh with another key": generate_jwt_token("x.y", secret_key="mine", signed=True),
    "an invalid signature": with_signature(payload()),
    "two signatures": with_signature(with_signature(payload())),
    "no session": with_signature(encoded(b"{}")),
    "a session that is not text": with_signature(payload(session_id=["x"])),
    "an empty session": with_signature(payload(session_id="")),
    "half a surrogate": with_signature(payload(session_id="\ud800.x")),
    "no JSON": with_signature(encoded(b"{")),
    "JSON that is not an object": with_signature(encoded(b"[1]")),
    "deep JSON": with_signature(encoded(b"[" * 20_000)),
    "no text": with_signature(encoded(b"\xff\xfe")),
    "a length that is not base64": "A" * 5,
    "no base64": "!!!!",
    "a dot": ".",
    "what unpacks to much": with_signature(payload(__bk__zlib_=encoded(zlib.compress(b"0" * 2**20)))),
}


# Asked of the filter and not of the log: what level the log has, and who hears it, others may change.
def test_leaving_while_a_page_is_drawn_is_not_logged():
    from bokeh.server.views import ws

    from workbench.pages.server import sockets

    def is_logged(message):
        record = ws.log.makeRecord(ws.log.name, logging.WARNING, __file__, 1, message, (), None)
        return bool(ws.log.filter(record))

    assert not is_logged(sockets.LEFT)
    assert is_logged("something else")


def ended(server, protocols):
    async def visit():
        return await (await Wire.open(server.base, PAGE, "", protocols)).closed()

    return run(visit())


# Sec-WebSocket-Protocol: bokeh, FORGED: what a stranger makes was accepted, or failed with a traceback.
@pytest.mark.parametrize("token", FORGED.values(), ids=FORGED)
def test_forged_tokens(server, token):
    assert ended(server, ["bokeh", token]) == (REFUSED, PASS)


# Sec-WebSocket-Protocol: bokeh alone, another protocol, or three of them.
@pytest.mark.parametrize("protocols", [["bokeh"], ["soap", "x"], ["bokeh", "x", "y"]])
def test_other_protocols(server, protocols):
    assert ended(server, protocols) == (REFUSED, PASS)


# A true token with one letter changed, without its signature, or with that of another.
@pytest.mark.parametrize("change", ["letter", "unsigned", "exchanged"])
def test_changed_tokens(server, change):
    async def visit():
        token, other = [await token_of(server.base, PAGE) for _ in range(2)]
        content, signature = token.split(".")
        letter = "A" if content[40] != "A" else "B"
        changed = {
            "letter": f"{content[:40]}{letter}{content[41:]}.{signature}",
            "unsigned": content,
            "exchanged": f"{content}.{other.split('.')[1]}",
        }
        return await (await Wire.open(server.base, PAGE, changed[change])).closed()

    assert run(visit()) == (REFUSED, PASS)


# A websocket with an Origin of another site, or with an invalid one.
@pytest.mark.parametrize(
    "origin",
    ["https://attacker.example", "null", "", "x", "http://[", "file://", "http://localhost.attacker.example"],
)
def test_other_origins(server, origin):
    assert handshake(server, origin) == 403


# A websocket under another name, whose Origin agrees with its Host: a name that was rebound.
def test_a_rebound_name(server):
    name = f"attacker.example:{server.port}"
    assert handshake(server, f"http://{name}", host=name) == 421


def header(**changes):
    return json.dumps({"msgid": "1", "msgtype": "PATCH-DOC"} | changes)


DEEP = "[" * 50_000
MALFORMED = {
    "a binary header": [b"{}"],
    "no JSON": ["{", "{}", "{}"],
    "a header that is a number": ["1", "{}", "{}"],
    "a header without a kind": ["{}", "{}", "{}"],
    "an unknown kind": [header(msgtype="SHUTDOWN"), "{}", "{}"],
    "a kind that is a list": [header(msgtype=[]), "{}", "{}"],
    "deep JSON": [header(), "{}", DEEP],
    "a new document": [header(msgtype="PUSH-DOC"), "{}", '{"doc": {}}'],
    "an answer": [header(msgtype="OK"), "{}", "{}"],
    "minus one buffers": [header(num_buffers=-1), "{}", "{}", "{}"],
    "buffers in words": [header(num_buffers="many"), "{}", "{}", '{"id": "1"}', b"x"],
    "a buffer without a name": [header(num_buffers=1), "{}", "{}", "{}"],
    "a buffer of text": [header(num_buffers=1), "{}", "{}", '{"id": "1"}', "text"],
}


# Frames that are not messages of Bokeh: failed with a traceback, and with all that was sent in the log.
@pytest.mark.parametrize("frames", MALFORMED.values(), ids=MALFORMED)
def test_malformed_frames(server, frames):
    async def visit():
        wire = await Wire.open(server.base, PAGE)
        await wire.document()
        for frame in frames:
            await wire.socket.write_message(frame, binary=isinstance(frame, bytes))
        return await wire.closed()

    assert run(visit())[0] in (BROKEN, 1011)


CHANGES = {
    "no events": {},
    "events that are not a list": {"events": 1},
    "an event that is not an object": {"events": [1]},
    "an unknown model": {
        "events": [{"kind": "ModelChanged", "model": {"id": "x"}, "attr": "value", "new": 1}]
    },
    "an unknown kind": {"events": [{"kind": "Exec", "code": "1"}]},
    "an unknown type": {"events": [{"kind": "RootAdded", "model": {"type": "object", "name": "os"}}]},
    "an event without data": {
        "events": [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": None}]
    },
    "a buffer that was not sent": {
        "events": [{"kind": "MessageSent", "msg_type": "", "msg_data": {"type": "bytes", "data": {"id": 1}}}]
    },
    "a missing title": {"events": [{"kind": "TitleChanged"}]},
}


# Changes that mean nothing to the document, which does not hear them: the log had their tracebacks.
@pytest.mark.parametrize("content", CHANGES.values(), ids=CHANGES)
def test_changes_that_mean_nothing(server, content):
    async def visit():
        wire = await Wire.open(server.base, PAGE)
        await wire.document()
        wire.send("PATCH-DOC", content)
        await wire.answer("OK")
        wire.send("SERVER-INFO-REQ", {})
        await wire.answer("SERVER-INFO-REPLY")

    run(visit())


# A message before the server has answered, as fast as it can be sent.
def test_messages_before_the_session_begins(server):
    async def visit():
        wire = await Wire.open(server.base, PAGE)
        with contextlib.suppress(WebSocketClosedError):
            for _ in range(50):
                await wire.socket.write_message("{}")
        return await wire.closed()

    assert run(visit())[0] in (BROKEN, REFUSED)


# A message larger than --max-upload, in one frame and in many buffers: would fill the memory.
@pytest.mark.parametrize("how", ["frame", "buffers"])
def test_messages_that_are_too_large(server, how):
    async def visit():
        wire = await Wire.open(server.base, PAGE)
        await wire.document()
        with contextlib.suppress(WebSocketClosedError):
            if how == "frame":
                await wire.socket.write_message("x" * (UPLOAD_MB * 2**20 + 1))
            else:
                for part in (header(num_buffers=10**9), "{}", "{}"):
                    await wire.socket.write_message(part)
                for number in range(100):
                    await wire.socket.write_message(json.dumps({"id": str(number)}))
                    await wire.socket.write_message(bytes(2**16), binary=True)
        return (await wire.closed())[0]

    assert run(visit()) in (TOO_MUCH, None)  # closed at once where too much is on its way


# Bytes that are not websocket frames after the handshake, and a connection that is dropped in the middle.
@pytest.mark.parametrize("raw", [b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100, b"\x81\xfe\xff\xff", b"\x88\x80"])
def test_bytes_that_are_not_frames(server, raw):
    async def visit():
        wire = await Wire.open(server.base, PAGE)
        await wire.document()
        await wire.socket.protocol.stream.write(raw)
        wire.socket.protocol.stream.close()

    run(visit())
