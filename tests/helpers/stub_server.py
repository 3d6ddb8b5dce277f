"""`workbench serve` with small pages of the tests' own, on a free port."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

# Seconds for a start on a busy machine.
PATIENCE = 120
STUB = """
import panel as pn

return pn.widgets.TextInput(name="note", value="fresh")
"""
PAGE = """
from workbench.pages.registry import Declaration


class Stub(Declaration):
    def build(self):
{body}


PAGE = Stub("Stub", former={former})
"""
# Serves the pages of a folder in place of the project's.
START = """
import sys
sys.path.append(sys.argv.pop(1))
import panel as pn
from workbench.pages import registry
from workbench.pages.hosts import served
registry.PLACES = (registry.OTHERS,)
# A stub puts a component of Panel where a page puts its own.
served.open_page = lambda stub: pn.panel(stub.build()).servable(title=stub.title)
from workbench.cli import main
main()
"""


class Served:
    """A server that runs: its `process`, the `line` that it printed, the address of its first page."""

    def __init__(self, process):
        self.process, self.line = process, process.stdout.readline()
        self.url = self.line.split()[1]
        self.base = re.match(r"http://[^/]+/", self.url).group()
        self.port = int(self.base.rstrip("/").rpartition(":")[2])
        # Read all the time: a server that logs into a full pipe stands still.
        self.output = ThreadPoolExecutor(1).submit(process.communicate)

    def stop(self, how=signal.SIGINT):
        """Its code, and what it has said since, where it has not ended before."""
        assert self.process.poll() is None
        self.process.send_signal(how)
        stdout, stderr = self.output.result(timeout=PATIENCE)
        return self.process.returncode, stdout, stderr


def put_stubs(folder):
    """Write the pages `stub-page` and `other` into a folder."""
    put_page(folder, "stub_page", STUB, former={"old-stub": {"lam": "0.5"}})
    put_page(folder, "other", STUB)


def put_page(folder, name, text, former=()):
    """Write a page that does this where `serving` finds it."""
    place = folder / "workbench_pages" / f"{name}.py"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(PAGE.format(body=textwrap.indent(text, 8 * " "), former=dict(former)), encoding="utf-8")


@contextlib.contextmanager
def serving(folder, *arguments):
    """Serve the pages of a folder, the project's by default, with the command's arguments."""
    program = ["-m", "workbench"] if folder is None else ["-c", START, str(folder)]
    command = [sys.executable, *program, "serve", *arguments, "--port", "0", "--no-show"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield Served(process)
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def unshaken(folder, *arguments):
    """Serve as `serving` does; in the end the server answers, stops, and has logged no traceback."""
    with serving(folder, *arguments) as server:
        yield server
        assert get(server.base)[0].startswith(server.base)
        code, _, log = server.stop()
    assert code == 0
    assert "Traceback" not in log, log[log.index("Traceback") - 500 :][:3000]


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


class Reply:
    """An answer of the server: `status`, `headers` with small letters, `body`."""

    def __init__(self, raw):
        head, _, self.body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1]) if first else None
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


def ask(server, path, *headers, method="GET", host=None, version="1.1", body=b"", until_closed=True):
    """Send a request as it stands, which no client would correct; `host` replaces the server's own."""
    host = f"localhost:{server.port}" if host is None else host
    lines = [f"{method} {path} HTTP/{version}", *([f"Host: {host}"] if host else []), *headers]
    lines += ["Connection: close"] if until_closed else []
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        raw = b""
        # An upgraded connection stays open: its head is the answer.
        while part := connection.recv(65536):
            raw += part
            if not until_closed and b"\r\n\r\n" in raw:
                break
    return Reply(raw)


def handshake(server, origin, page="stub-page", **options):
    """The status with which a websocket from that origin is answered."""
    return ask(
        server,
        f"/{page}/ws",
        f"Origin: {origin}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        until_closed=False,
        **options,
    ).status
