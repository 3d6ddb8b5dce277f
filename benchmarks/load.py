"""A class at a page, scripted.

    python benchmarks/load.py [PAGE] [SECONDS] [VISITORS] [WORKERS] [PLACES]      bias, or dual-lab
    python benchmarks/load.py site FOLDER [VISITORS]          visitors of the static site

With the visits that warm the server and the two rests of 75 s, a run takes three minutes beyond SECONDS.

Every visitor is a websocket client that speaks Bokeh's protocol and the channel's of the page. It takes the
document, asks what the page's module asks first, "page" and "engine", and then has the engine in Python
compute, as a browser does that cannot: it moves lambda two seconds after it has seen the picture of the move
before. Prints errors, the number of visitors who were refused with the sentence where there are fewer places,
the time to the document and to the first answers, of the last visitor too, the time from a move to its first
frame, the server's processor time and its memory before the visitors come, while they are there and after
they have left.

Of a site that `workbench site FOLDER` has written, it prints the bytes of each page, plain and as gzip sends
them, and what Python's own `http.server` needs for visitors who all ask for one page at the same moment.
"""

import asyncio
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from tests.helpers.page_browser import free_port
from tests.helpers.wire import Wire
from workbench.pages.hosts import blocks

SECONDS, VISITORS, WORKERS, PLACES = 300, 30, 2, 200
PAUSE = 2.0
# The data of each page and the solver of its run, as its engine in Python takes them.
PAGES = {
    "bias": ({"constraint": "a bias without a penalty"}, "augmented-lagrangian"),
    "dual-lab": ({"signed": False}, "gauss-seidel"),
}
DATA = {"type": "data", "source": "Breast cancer"}
PROBLEM = {"type": "problem", "loss": "hinge", "regularizer": "squared-l2", "seed": 0}
# The first message of a module.
FIRST = ("page", "engine")
LAMS = (0.1, 0.08, 0.063, 0.05)
# Closed pages have been taken down and cleared away after this many seconds at the latest.
REST = 75
# A visit before the measured ones brings in what a process loads once.
WARM_VISITS = 3
# An answer that has not come by then never will.
LOST = 30.0
# Pages that open all at once on a machine that has other work.
PATIENCE = 900.0
SENTENCE = "visits at the same time. Close a page that you do not need"
# A static site: simultaneous visitors, bytes read at a time, seconds between two readings of the memory.
CROWD, PIECE, GLANCE = 1000, 2**20, 0.2
# As `python -m http.server`, which lets five connections wait and resets what comes beyond them.
STATIC = """
import functools, http.server, sys
http.server.ThreadingHTTPServer.request_queue_size = 4096
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[2])
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler).serve_forever()
"""


class Channel(Wire):
    """The websocket of a page with the channel of its module."""

    async def message(self):
        """Return the next message's header and content; `block` has its last buffer."""
        parts = [json.loads(await self._part()) for _ in range(3)]
        for _ in range(parts[0].get("num_buffers", 0)):
            await self._part()
            self.block = await self._part()
        return parts[0], parts[2]

    async def _part(self):
        part = await self.socket.read_message()
        if part is None:
            raise ConnectionError("the server closed the connection")
        return part

    def event(self, name, **values):
        values = {"type": "map", "entries": [[key, _as_map(value)] for key, value in values.items()]}
        event = {"type": "event", "name": name, "values": values}
        sent = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
        self.send("PATCH-DOC", {"events": [sent]})


class Visitor:
    """One client whose browser cannot compute; `spent` has the seconds from each change to its first frame.

    `opened` and `answered` have the seconds to the document and to the first answers.
    """

    def __init__(self, server, number):
        self.server, self.number = server, number
        self.spent, self.errors, self.count = [], [], 0
        self.waiting = {}
        self.refused = False

    async def stay(self, seconds, together):
        """Open the page, change something now and then once everybody has come, leave."""
        data, solver = PAGES[self.server.page]
        try:
            try:
                await asyncio.wait_for(self._open(), PATIENCE)
            except HTTPClientError as error:
                self.refused = error.code == 503 and SENTENCE in error.response.body.decode()
                if not self.refused:
                    raise
                return
            finally:
                await together.wait()
            until = time.perf_counter() + seconds
            # As people do, not all at once.
            await asyncio.sleep(PAUSE * (self.number % VISITORS) / VISITORS)
            await self._compute(DATA | data)
            while time.perf_counter() < until and not self.reading.done():
                began = time.perf_counter()
                lam = LAMS[(self.number + len(self.spent)) % len(LAMS)]
                await self._compute(PROBLEM | {"lam": lam, "solver": {"name": solver}})
                self.spent.append(time.perf_counter() - began)
                await asyncio.sleep(PAUSE)
            self.reading.cancel()
            self.wire.socket.close()
        except Exception as error:
            self.errors.append(f"{type(error).__name__}: {error}")

    async def _open(self):
        started = time.perf_counter()
        self.wire = await Channel.open(self.server.base, self.server.page, patience=PATIENCE)
        document = await self.wire.document()
        self.opened = time.perf_counter() - started
        self.model = next(root["id"] for root in document["roots"] if "esm" in root["attributes"])
        self.wire.event("document_ready")
        self.reading = asyncio.ensure_future(self._read())
        await asyncio.gather(*(self._ask({"type": type}) for type in FIRST))
        self.answered = time.perf_counter() - started

    async def _ask(self, message):
        """Wait for the answer of the page; raise `ValueError` for an error."""
        self.count += 1
        id = f"load-{self.count}"
        answer = self.waiting[id] = asyncio.get_running_loop().create_future()
        data = {"id": id, "type": "ask", "block": blocks.packed(message)}
        self.wire.event("data_event", model={"id": self.model}, data=data)
        await self._due(answer)

    async def _compute(self, message):
        """Wait for the first answer of the page's engine in Python."""
        self.count += 1
        message = {"version": 1, "id": self.count, **message}
        frame = self.waiting[self.count] = asyncio.get_running_loop().create_future()
        await self._ask({"type": "compute", "name": "load", "message": message})
        await self._due(frame)

    async def _due(self, answer):
        if (reply := await asyncio.wait_for(answer, LOST))["type"] == "error":
            raise ValueError(reply["text"])

    async def _read(self):
        while True:
            header, content = await self.wire.message()
            if header["msgtype"] == "ERROR":
                self.errors.append(content.get("text", "an error"))
            for event in content.get("events", ()):
                if event["kind"] == "MessageSent" and event["msg_data"].get("name") == "esm_event":
                    self._take(_plain(_plain(event["msg_data"]["values"])["data"]))

    def _take(self, envelope):
        if envelope["type"] == "event":
            envelope = blocks.opened(self.wire.block).get("answer", {"id": None})
        if envelope["id"] in self.waiting:
            self.waiting.pop(envelope["id"]).set_result(envelope)


def _plain(written):
    """Return a dict as Python writes it for the browser."""
    return dict(written["entries"])


def _as_map(value):
    """As Bokeh writes a dict of JavaScript's; a reference to a model and bytes stay."""
    if isinstance(value, dict) and set(value) not in ({"id"}, {"type", "data"}):
        return {"type": "map", "entries": [[key, _as_map(entry)] for key, entry in value.items()]}
    return value


class Server:
    """`workbench serve` and what its processes use."""

    def __init__(self, workers, places, page):
        self.port, self.page = free_port(), page
        program = Path(sys.executable).with_name("workbench")
        command = (
            program,
            "serve",
            page,
            "--no-show",
            "--port",
            str(self.port),
            "--workers",
            str(workers),
            "--max-sessions",
            str(places),
        )
        self._begin(command)

    def _begin(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://localhost:{self.port}/"
        for _ in range(400):
            try:
                urllib.request.urlopen(self.base).close()
                break
            except OSError:
                time.sleep(0.1)

    def _processes(self):
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [str(pid), *children]

    def megabytes(self):
        """Return the memory of the processes in megabytes; pages that the workers share count once."""
        total = 0.0
        for pid in self._processes():
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += int(re.search(r"Pss:\s+(\d+)", text).group(1)) / 1024
        return total

    def seconds(self):
        """Processor time of all processes."""
        return sum(self.seconds_each())

    def seconds_each(self):
        """Processor time of each process."""
        texts = [Path(f"/proc/{pid}/stat").read_text() for pid in self._processes()]
        rows = [text.rpartition(")")[2].split() for text in texts]
        return [(int(field[11]) + int(field[12])) / os.sysconf("SC_CLK_TCK") for field in rows]

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)


class StaticServer(Server):
    """`http.server` for a folder."""

    def __init__(self, folder):
        self.port = free_port()
        self._begin((sys.executable, "-c", STATIC, str(self.port), str(folder)))


async def visit(port, page, size):
    """Ask for a page and read all of it; the seconds that this took, or what went wrong."""
    started = time.perf_counter()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=PIECE)
        writer.write(f"GET /{page} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        left = size
        while piece := await reader.read(PIECE):
            left -= len(piece)
        writer.close()
    except (OSError, asyncio.IncompleteReadError) as error:
        return type(error).__name__
    return time.perf_counter() - started if b" 200 " in head and left == 0 else "not the whole page"


async def visits(server, page, size, count):
    """Return the answers of `count` simultaneous visits, and the most memory that the server has had."""
    most = server.megabytes()
    asked = [asyncio.ensure_future(visit(server.port, page, size)) for _ in range(count)]
    while not all(task.done() for task in asked):
        await asyncio.sleep(GLANCE)
        most = max(most, server.megabytes())
    return [task.result() for task in asked], most


def site(folder, count=CROWD):
    """Print what the pages of a static site weigh, and what the visitors of each cost."""
    good = True
    columns = ("bytes", "gzip", "answered", "all s", "p50 s", "p95 s", "cpu s", "MB")
    print(f"{'page':<20}" + "".join(f"{name:>10}" for name in columns))
    for path in sorted(Path(folder).glob("*.html")):
        content, server = path.read_bytes(), StaticServer(folder)
        try:
            used, started = server.seconds(), time.perf_counter()
            answers, most = asyncio.run(visits(server, path.name, len(content), count))
            took, used = time.perf_counter() - started, server.seconds() - used
        finally:
            server.end()
        spent = [answer for answer in answers if isinstance(answer, float)]
        whole = (len(content), len(gzip.compress(content, 6)), len(spent))
        parts = (took, quantile(spent, 0.5), quantile(spent, 0.95), used, most)
        row = [f"{figure:>10,}" for figure in whole] + [f"{figure:>10.2f}" for figure in parts]
        print(f"{path.name:<20}" + "".join(row))
        lost = [answer for answer in answers if isinstance(answer, str)]
        for error in sorted(set(lost)):
            print(f"  {lost.count(error)} x {error}")
        good = good and not lost
    return good


async def crowd(server, count, seconds):
    visitors, together = [Visitor(server, number) for number in range(count)], asyncio.Barrier(count)
    await asyncio.gather(*(visitor.stay(seconds, together) for visitor in visitors))
    return visitors


async def measure(server, seconds, count, workers):
    fresh = server.megabytes()
    await crowd(server, WARM_VISITS * workers * 2, 3 * PAUSE)
    await crowd(server, count, 2 * PAUSE)
    await asyncio.sleep(REST)
    before, used = server.megabytes(), server.seconds()
    stay = asyncio.ensure_future(crowd(server, count, seconds))
    await asyncio.sleep(0.8 * seconds)
    during = server.megabytes()
    visitors = await stay
    used = server.seconds() - used
    await asyncio.sleep(REST)
    return visitors, (fresh, before, during, server.megabytes()), used


def quantile(values, share):
    return sorted(values)[int(share * (len(values) - 1))] if values else float("nan")


def main(page, seconds=SECONDS, count=VISITORS, workers=WORKERS, places=PLACES):
    server = Server(workers, places, page)
    # Tornado's client would let no more than ten visitors ask at a time.
    AsyncHTTPClient.configure(None, max_clients=10 * count)
    try:
        visitors, (fresh, before, during, after), used = asyncio.run(measure(server, seconds, count, workers))
    finally:
        server.end()
    errors = [error for visitor in visitors for error in visitor.errors]
    first = [wait for visitor in visitors for wait in visitor.spent]
    print(
        f"{page}, {count} visitors, {seconds} s, {workers} workers: {len(first)} moves, "
        f"{len(errors)} errors, "
        f"{sum(visitor.refused for visitor in visitors)} refused with the sentence"
    )
    for error in sorted(set(errors))[:5]:
        print(f"  {errors.count(error)} x {error}")
    reached = [vars(visitor) for visitor in visitors]
    opened, answered = (
        [times[name] for times in reached if name in times] for name in ("opened", "answered")
    )
    waits = {
        "all come at once: document": opened,
        "first answers": answered,
        "move to its first frame": first,
    }
    for what, times in waits.items():
        middle, most, last = (1e3 * quantile(times, share) for share in (0.5, 0.95, 1.0))
        print(f"{what:<36}median {middle:6.0f} ms   p95 {most:6.0f} ms   last {last:6.0f} ms")
    print(
        f"memory {fresh:.0f} MB fresh, {before:.0f} before, {during:.0f} with them "
        f"({(during - before) / count:.1f} each), {after:.0f} after "
        f"({100.0 * (after / before - 1.0):+.1f} %)"
    )
    print(f"processor {1e3 * used / seconds / count:.0f} ms a second each; load {os.getloadavg()[1]:.1f}")
    return not errors


if __name__ == "__main__":
    if sys.argv[1:2] == ["site"]:
        sys.exit(0 if site(sys.argv[2], *map(int, sys.argv[3:])) else 1)
    name = sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1] in PAGES else "bias"
    sys.exit(0 if main(name, *map(int, sys.argv[1:])) else 1)
