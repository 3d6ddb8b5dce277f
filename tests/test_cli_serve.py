"""`workbench serve`: ports, origins, sessions of their own, and a quiet end."""

import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from bokeh.server.connection import ServerConnection
from typer.testing import CliRunner

from workbench import resources, serve
from workbench.cli import app
from workbench.errors import InputError
from workbench.views import gate

# Seconds for a start on a busy machine.
PATIENCE = 600
STUB = """
import panel as pn

pn.widgets.TextInput(name="note", value="fresh").servable()
"""
BUSY = """
import threading, time
import panel as pn
from workbench.convex.worker import shared

threading.Thread(target=time.sleep, args=[1000]).start()
shared().submit(time.sleep, 1000)
pn.pane.Str("computing").servable()
"""
# Serves the pages of a folder in place of the project's.
START = """
import pathlib, sys
from workbench import resources
place = pathlib.Path(sys.argv.pop(1))
resources.folder = lambda kind: place
from workbench.cli import main
main()
"""


@pytest.fixture
def pages(tmp_path, monkeypatch):
    (tmp_path / "stub_page.py").write_text(STUB, encoding="utf-8")
    (tmp_path / "other.py").write_text(STUB, encoding="utf-8")
    monkeypatch.setattr(resources, "folder", lambda kind: tmp_path)
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
    """A function that starts the command on a free port and gives it with the line it printed."""
    started = []

    def start(*arguments):
        command = [sys.executable, "-c", START, str(pages), "serve", *arguments, "--port", "0", "--no-show"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        return process, process.stdout.readline()

    yield start
    for process in started:
        process.kill()
        process.communicate()


def invoke(*arguments):
    return CliRunner().invoke(app, ["serve", *map(str, arguments)])


def stop(process, how=signal.SIGINT):
    process.send_signal(how)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    return process.returncode, stdout, stderr


def get(url):
    """The final address and the body of a page."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as reply:
                return reply.url, reply.read().decode("utf-8")
        except urllib.error.HTTPError:
            raise
        except urllib.error.URLError:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_one_page_its_own_sessions_and_a_quiet_end(server):
    import panel  # noqa: F401  Bokeh's client knows the models of what has been imported
    from bokeh.client import pull_session
    from bokeh.models import TextInput

    process, line = server("stub-page")
    assert line.startswith("Serving http://localhost:")
    assert line.endswith("/stub-page (Ctrl-C stops)\n")
    url = line.split()[1]
    address, body = get(url.removesuffix("stub-page"))
    assert address == url  # the index leads to the only page
    assert "://" not in body  # nothing from the network
    first, second = pull_session(url=url), pull_session(url=url)
    note = first.document.select_one({"type": TextInput})
    note.value = "changed"
    first.force_roundtrip()
    again = pull_session(url=url, session_id=first.id)
    assert again.document.select_one({"type": TextInput}).value == "changed"
    assert second.document.select_one({"type": TextInput}).value == "fresh"
    code, stdout, stderr = stop(process)
    for session in (first, second, again):
        session.close()
    assert (code, stdout) == (0, "")
    assert "Traceback" not in stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_computes_ends_at_once(server, pages, how):
    (pages / "busy.py").write_text(BUSY, encoding="utf-8")
    process, line = server("busy")
    get(line.split()[1])
    assert stop(process, how)[0] == 0


def test_several_pages_have_an_index(server):
    process, line = server()
    assert "(other, stub-page; Ctrl-C stops)" in line
    url = line.split()[1]
    assert url.endswith("/")
    body = get(url)[1]
    assert 'href="./other">Other</a>' in body
    assert 'href="./stub-page">Stub page</a>' in body
    assert "://" not in body  # nothing from the network
    assert get(url + "stub-page")[0] == url + "stub-page"
    assert stop(process) == (0, "", "")


def test_the_network_is_a_warning_and_signed_sessions(server):
    process, line = server("stub-page", "--address", "0.0.0.0", "--origin", "Lab.Example.Org:80")
    warning = process.stderr.readline()
    assert warning.startswith("warning: everybody on the network can use these pages")
    assert warning.endswith("lab.example.org:80\n")
    port = line.split()[1].removesuffix("/stub-page").rpartition(":")[2]
    get(f"http://127.0.0.1:{port}/stub-page")
    assert handshake(int(port), f"http://127.0.0.1:{port}") == 101
    assert handshake(int(port), "http://lab.example.org") == 101
    assert handshake(int(port), "http://elsewhere.example.org") == 403
    assert stop(process)[0] == 0


def handshake(port, origin):
    """The status with which a websocket from that origin is answered."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        lines = (
            "GET /stub-page/ws HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            f"Origin: {origin}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "",
            "",
        )
        connection.sendall("\r\n".join(lines).encode("ascii"))
        return int(connection.recv(4096).split()[1])


def test_a_port_in_use(pages, taken):
    result = invoke("--port", taken)
    assert result.exit_code == 2
    mend = "pass another with --port N, or 0 for any free one"
    assert result.stderr == f"error: port {taken} is in use; {mend}\n"
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (("nowhere",), "'nowhere' is none of the pages; there are: other, stub-page"),
        (("--address", "192.0.2.1", "--port", "0"), "is not this machine's; use localhost"),
        (("--address", "::1"), "is an IPv6 address"),
        (("--origin", "*"), "--allow-origin '*' is no HOST:PORT"),
        (("--origin", "a b:80"), "is no HOST:PORT"),
    ],
)
def test_misuse(pages, arguments, fragment):
    result = invoke("--port", "0", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert fragment in result.stderr


def test_a_full_server_says_so(server):
    process, line = server("stub-page", "--max-sessions", "1")
    url = line.split()[1]
    get(url)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(url, timeout=PATIENCE)
    assert refused.value.code == 503
    assert "This server holds 1 visits at the same time" in refused.value.read().decode()
    assert stop(process)[0] == 0


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs a system that forks")
def test_several_workers_serve_and_end_with_the_first(server):
    _, line = server("stub-page", "--workers", "2")
    url = line.split()[1]
    for _ in range(4):
        assert get(url)[0] == url


def test_no_pages(monkeypatch, tmp_path):
    monkeypatch.setattr(resources, "folder", lambda kind: tmp_path)
    assert "there are no pages" in invoke("--port", "0").stderr


def test_origins_are_exact():
    assert serve.websocket_origins("localhost", 80) == ["localhost:80", "127.0.0.1:80"]
    assert serve.websocket_origins("192.0.2.7", 5006) == ["192.0.2.7:5006"]
    everywhere = serve.websocket_origins("0.0.0.0", 5006)
    assert {"localhost:5006", f"{socket.gethostname().lower()}:5006"} <= set(everywhere)
    assert not any("*" in origin for origin in everywhere)


@pytest.mark.parametrize(
    ("address", "local"),
    [("localhost", True), ("127.0.0.2", True), ("0.0.0.0", False), ("lab", False), ("", False)],
)
def test_local_addresses(address, local):
    assert serve.is_local(address) is local


def test_a_socket_may_close_after_a_failed_ping_has_ended_its_visit():
    handler, connection = object.__new__(gate.Prompt), object.__new__(ServerConnection)
    connection._session = None
    handler.connection, handler.close_code, handler.close_reason = connection, 1006, None
    with pytest.raises(AssertionError):
        super(gate.Prompt, handler).on_close()
    handler.on_close()


def test_a_free_port_is_found():
    assert 0 < serve.check_port("localhost", 0) < 65536
    with pytest.raises(InputError, match="IPv6"):
        serve.check_port("::1", 0)
