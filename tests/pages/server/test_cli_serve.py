"""`workbench serve`: ports, origins, sessions of their own, and a quiet end."""

import contextlib
import re
import signal
import socket
from types import SimpleNamespace

import pytest
from bokeh.server.connection import ServerConnection
from typer.testing import CliRunner

from tests.corpora import table
from tests.helpers import coroutines
from tests.helpers.stub_server import get, handshake, put_page, put_stubs, serving
from tests.helpers.wire import Wire, run, token_of
from workbench._support.errors import InputError
from workbench.cli import app
from workbench.pages.server import hosts, serve, sockets

BUSY = """
import threading, time
import panel as pn
from workbench.conjugates.convex.worker import shared

threading.Thread(target=time.sleep, args=[1000]).start()
shared().submit(time.sleep, 1000)
return pn.pane.Str("computing")
"""


@pytest.fixture
def pages(tmp_path, monkeypatch):
    put_stubs(tmp_path)
    return tmp_path


@pytest.fixture
def taken():
    """A port on which somebody else listens."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.fixture
def server(pages):
    """A function that starts the command on a free port."""
    with contextlib.ExitStack() as stack:
        yield lambda *arguments: stack.enter_context(serving(pages, *arguments))


def invoke(*arguments):
    return CliRunner().invoke(app, ["serve", *map(str, arguments)])


def test_one_page_its_own_sessions_and_a_quiet_end(server):
    started = server("stub-page")
    assert started.line.startswith("Serving http://localhost:")
    assert started.line.endswith("/stub-page (Ctrl-C stops)\n")
    address, body = get(started.base)
    assert address == started.url  # the index leads to the only page
    # Nothing from the network: its own picture, for who is sent a link, is all that is named whole.
    assert set(re.findall(r"\w+://[^/\"]+", body)) == {started.base.rstrip("/")}

    async def visits():
        token = await token_of(started.base, "stub-page")
        wires = [await Wire.open(started.base, "stub-page", token) for _ in range(2)]
        wires.append(await Wire.open(started.base, "stub-page"))
        return [note_of(await wire.document())["id"] for wire in wires]

    first, again, other = run(visits())
    assert first == again != other
    code, stdout, stderr = started.stop()
    assert (code, stdout) == (0, "")
    assert "Traceback" not in stderr


def note_of(document):
    """The text input of the stub page."""
    (note,) = (model for model in walk(document) if model.get("attributes", {}).get("title") == "note")
    return note


def walk(node):
    """Every dict in something like JSON."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    for value in node if isinstance(node, list) else ():
        yield from walk(value)


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs a system that forks")
@pytest.mark.parametrize(
    ("how", "options"),
    [
        (signal.SIGINT, ("--workers", "2")),
        pytest.param(signal.SIGTERM, (), marks=pytest.mark.long),
        pytest.param(signal.SIGINT, (), marks=pytest.mark.long),
    ],
)
def test_a_server_that_computes_ends_at_once_with_all_its_workers(server, pages, how, options):
    put_page(pages, "busy", BUSY)
    started = server("busy", *options)
    for _ in range(4):
        assert get(started.url)[0] == started.url
    assert started.stop(how)[0] == 0


def test_several_pages_have_an_index_and_the_network_is_a_warning(server):
    started = server("--address", "0.0.0.0", "--origin", "Lab.Example.Org:443")
    assert "(other, stub-page; Ctrl-C stops)" in started.line
    url = f"http://127.0.0.1:{started.port}/"
    body = get(url)[1]
    assert 'href="./other">Other</a>' in body
    assert 'href="./stub-page">Stub page</a>' in body
    assert "://" not in body  # nothing from the network
    assert get(url + "stub-page")[0] == url + "stub-page"
    assert handshake(started, f"http://127.0.0.1:{started.port}") == 101
    assert handshake(started, "https://lab.example.org") == 101
    assert handshake(started, "https://lab.example.org", host="lab.example.org") == 101
    assert handshake(started, "http://lab.example.org") == 403
    assert handshake(started, "http://elsewhere.example.org") == 403
    code, _, log = started.stop()
    assert code == 0
    warning = log.splitlines()[0]
    assert warning.startswith("warning: everybody on the network can use these pages")
    assert warning.endswith("lab.example.org:443")


def test_a_port_in_use(pages, taken):
    result = invoke("--port", taken)
    assert result.exit_code == 2
    fix = "pass another with --port N, or 0 for any free one"
    assert result.stderr == f"error: port {taken} is in use; {fix}\n"
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    table("misuse")["serve"],
)
def test_misuse(pages, arguments, fragment):
    result = invoke("--port", "0", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert fragment in result.stderr


def test_origins_are_exact():
    assert hosts.websocket_origins("localhost", 80) == ["localhost:80", "127.0.0.1:80"]
    assert hosts.websocket_origins("127.0.0.2", 80)[-1] == "127.0.0.2:80"
    assert hosts.websocket_origins("192.0.2.7", 5006) == ["192.0.2.7:5006"]
    named = serve.Settings(port=0, origins=("localhost:80",) * 2).checked()
    assert named.origins[2:] == ("localhost:80",)
    everywhere = hosts.websocket_origins("0.0.0.0", 5006)
    assert {"localhost:5006", f"{socket.gethostname().lower()}:5006"} <= set(everywhere)
    assert not any("*" in origin for origin in everywhere)


@pytest.mark.parametrize(
    ("address", "local"),
    [("localhost", True), ("127.0.0.2", True), ("0.0.0.0", False), ("lab", False), ("", False)],
)
def test_local_addresses(address, local):
    assert hosts.is_local(address) is local


def test_a_socket_may_close_after_a_failed_ping_has_ended_its_visit():
    handler, connection = object.__new__(sockets.Socket), object.__new__(ServerConnection)
    connection._session = None
    handler.connection, handler.close_code, handler.close_reason = connection, 1006, None
    with pytest.raises(AssertionError):
        super(sockets.Socket, handler).on_close()
    handler.on_close()


def test_leaving_while_the_session_begins_frees_it(monkeypatch):
    handler, lost = object.__new__(sockets.Socket), []

    async def begin(self, token):
        self.on_close()
        self.connection = "connection"

    monkeypatch.setattr(sockets.WSHandler, "_async_open", begin)
    handler.connection, handler.close_code, handler.close_reason = None, 1006, None
    handler.application = SimpleNamespace(client_lost=lost.append)
    coroutines.run(handler._async_open("token"))
    assert lost == ["connection"]


def test_a_free_port_is_found():
    assert 0 < serve.check_port("localhost", 0) < 65536
    with pytest.raises(InputError, match="IPv6"):
        serve.check_port("::1", 0)
