"""A class at the Dual lab, scripted: python benchmarks/load.py [SECONDS] [VISITORS] [WORKERS] [PLACES].
Visitors of the static site: python benchmarks/load.py site FOLDER [VISITORS].

Every visitor is a websocket client that speaks Bokeh's protocol: it opens the page as a browser does, moves
lambda every two seconds, or once it has seen the picture of the move before, and says of each picture that it
was painted. Prints errors, how many were refused with the sentence where the places are fewer than the
visitors, the time from a change to the first patch with figures and to the last, the server's processor time
and its memory before the visitors come, while they are there, and after they have left.

Of a site that `workbench site FOLDER` has written, it prints the bytes of each page, plain and as gzip sends
them, and what Python's own `http.server` needs for visitors who all ask for one page at the same moment.
"""

import asyncio
import gzip
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tornado.httpclient import AsyncHTTPClient, HTTPClientError

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from page_browser import free_port
from wire import Wire

SECONDS, VISITORS, WORKERS, PLACES = 300, 30, 2, 200
PAUSE = 2.0
PAGE = "dual-lab?source=Breast+cancer&lam=0.1"
LAM = "λ weight of the regularizer"
# Closed pages have been taken down and cleared away after this many seconds at the latest.
REST = 75
# A visit before the measured ones brings in what a process loads once.
WARM_VISITS = 3
# A picture that has not come by then never will.
LOST = 30.0
# Pages that open all at once on a machine that has other work.
PATIENCE = 900.0
SENTENCE = "visits at the same time. Close a page that you do not need"
# Of a static site: who comes at once, the bytes read at a time, the seconds between two looks at the memory.
CROWD, PIECE, GLANCE = 1000, 2**20, 0.2
# As `python -m http.server`, which lets five connections wait and resets what comes beyond them.
STATIC = """
import functools, http.server, sys
http.server.ThreadingHTTPServer.request_queue_size = 4096
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[2])
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler).serve_forever()
"""


class Visitor:
    """One client; `spent` has the seconds from each change to the first patch that fills a figure.

    `opened` has the seconds to the whole page.
    """

    def __init__(self, base, number):
        self.base, self.number = base, number
        self.spent, self.settled, self.errors = [], [], []
        self.changed = self.last = None
        self.refused = False

    async def stay(self, seconds, together):
        """Open the page, change something now and then once everybody has come, leave."""
        started = time.perf_counter()
        try:
            try:
                await asyncio.wait_for(self._open(), PATIENCE)
                self.opened = time.perf_counter() - started
                reading = asyncio.ensure_future(self._read())
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
            while time.perf_counter() < until and not reading.done():
                await self._change()
            self._settle()
            reading.cancel()
            self.wire.socket.close()
        except Exception as error:
            self.errors.append(f"{type(error).__name__}: {error}")

    async def _open(self):
        self.wire = await Wire.open(self.base, PAGE, patience=PATIENCE)
        self._learn(await self.wire.document())
        self._event("document_ready")

    def _learn(self, document):
        """The ids of the slider, of what answers for the browser, and of the sources of the figures."""
        known = {}

        def walk(node):
            if isinstance(node, dict):
                if "id" in node and "name" in node and "attributes" in node:
                    known[node["id"]] = node
                for value in node.values():
                    walk(value)
            elif isinstance(node, list):
                for value in node:
                    walk(value)

        walk(document)
        self.sources = {key for key, node in known.items() if node["name"] == "ColumnDataSource"}
        for key, node in known.items():
            attributes = node["attributes"]
            data = attributes.get("data")
            if isinstance(data, dict) and re.fullmatch(r"Browser\d*", data.get("name", "")):
                self.browser, self.frames = key, data["id"]
            if isinstance(data, dict) and data.get("attributes", {}).get("label") == LAM:
                self.slider, self.count = data["id"], len(data["attributes"]["options"])
        self.place = self.count // 2

    async def _change(self):
        self._settle()
        self.place += 1 if self.number % 2 else -1
        if not 0 < self.place < self.count - 1:
            self.place = self.count // 2
        self.changed = time.perf_counter()
        self.first = self.last = None
        event = {"kind": "ModelChanged", "model": {"id": self.slider}, "attr": "value", "new": self.place}
        self.wire.send("PATCH-DOC", {"events": [event]})
        await asyncio.sleep(PAUSE)
        while self.first is None and time.perf_counter() < self.changed + LOST:
            await asyncio.sleep(0.1)

    def _settle(self):
        """Note the last change; one without any picture is an error."""
        if self.changed is None:
            return
        if self.first is None:
            self.errors.append("a change without a picture")
            return
        self.spent.append(self.first - self.changed)
        self.settled.append(self.last - self.changed)

    async def _read(self):
        while True:
            header, content = await self.wire.message()
            if header["msgtype"] == "ERROR":
                self.errors.append(content.get("text", "an error"))
            for event in content.get("events", ()) if header["msgtype"] == "PATCH-DOC" else ():
                self._seen(event)

    def _seen(self, event):
        model = event.get("model", {}).get("id")
        if model == self.frames and event.get("attr") == "frame":
            self._event("data_event", model={"id": self.browser}, data={"seen": event["new"]})
        elif model in self.sources and self.changed is not None:
            self.last = time.perf_counter()
            self.first = self.first or self.last

    def _event(self, name, **values):
        values = {"type": "map", "entries": [[key, _as_map(value)] for key, value in values.items()]}
        message = {"type": "event", "name": name, "values": values}
        self.wire.send("PATCH-DOC", {"events": [{
            "kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": message,
        }]})  # fmt: skip


def _as_map(value):
    """As Bokeh writes a dict of JavaScript's; a reference to a model stays."""
    if isinstance(value, dict) and "id" not in value:
        return {"type": "map", "entries": [list(entry) for entry in value.items()]}
    return value


class Server:
    """`workbench serve` and what its processes use."""

    def __init__(self, workers, places=200, page="dual-lab"):
        self.port = free_port()
        program = Path(sys.executable).with_name("workbench")
        command = (
            program, "serve", page, "--no-show", "--port", str(self.port), "--workers", str(workers),
            "--max-sessions", str(places),
        )  # fmt: skip
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
        """What the processes hold for themselves; pages that the workers share count once."""
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
        found = [text.rpartition(")")[2].split() for text in texts]
        return [(int(each[11]) + int(each[12])) / os.sysconf("SC_CLK_TCK") for each in found]

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
    """What `visit` says of each of so many at once, and the most memory that the server has had."""
    most = server.megabytes()
    asked = [asyncio.ensure_future(visit(server.port, page, size)) for _ in range(count)]
    while not all(each.done() for each in asked):
        await asyncio.sleep(GLANCE)
        most = max(most, server.megabytes())
    return [each.result() for each in asked], most


def site(folder, count=CROWD):
    """Print what the pages of a static site weigh, and what the visitors of each cost."""
    good = True
    columns = ("bytes", "gzip", "answered", "all s", "p50 s", "p95 s", "cpu s", "MB")
    print(f"{'page':<20}" + "".join(f"{name:>10}" for name in columns))
    for path in sorted(Path(folder).glob("*.html")):
        content, server = path.read_bytes(), StaticServer(folder)
        try:
            used, started = server.seconds(), time.perf_counter()
            found, most = asyncio.run(visits(server, path.name, len(content), count))
            took, used = time.perf_counter() - started, server.seconds() - used
        finally:
            server.end()
        spent = [each for each in found if isinstance(each, float)]
        whole = (len(content), len(gzip.compress(content, 6)), len(spent))
        parts = (took, quantile(spent, 0.5), quantile(spent, 0.95), used, most)
        row = [f"{each:>10,}" for each in whole] + [f"{each:>10.2f}" for each in parts]
        print(f"{path.name:<20}" + "".join(row))
        lost = [each for each in found if isinstance(each, str)]
        for error in sorted(set(lost)):
            print(f"  {lost.count(error)} x {error}")
        good = good and not lost
    return good


async def crowd(server, count, seconds):
    visitors, together = [Visitor(server.base, number) for number in range(count)], asyncio.Barrier(count)
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


def main(seconds=SECONDS, count=VISITORS, workers=WORKERS, places=PLACES):
    server = Server(workers, places)
    # Tornado's client would let no more than ten visitors ask at a time.
    AsyncHTTPClient.configure(None, max_clients=10 * count)
    try:
        visitors, (fresh, before, during, after), used = asyncio.run(measure(server, seconds, count, workers))
    finally:
        server.end()
    errors = [error for visitor in visitors for error in visitor.errors]
    first = [each for visitor in visitors for each in visitor.spent]
    last = [each for visitor in visitors for each in visitor.settled]
    print(f"{count} visitors, {seconds} s, {workers} workers: {len(first)} changes, {len(errors)} errors, "
          f"{sum(visitor.refused for visitor in visitors)} refused with the sentence")
    for error in sorted(set(errors))[:5]:
        print(f"  {errors.count(error)} x {error}")
    opened = [visitor.opened for visitor in visitors if hasattr(visitor, "opened")]
    figures = (
        ("all come at once: page", opened), ("change to the first picture", first),
        ("change to the last picture", last),
    )  # fmt: skip
    for what, found in figures:
        middle, most = 1e3 * quantile(found, 0.5), 1e3 * quantile(found, 0.95)
        print(f"{what:<36}median {middle:6.0f} ms   p95 {most:6.0f} ms")
    print(
        f"memory {fresh:.0f} MB fresh, {before:.0f} before, {during:.0f} with them "
        f"({(during - fresh) / count:.1f} each over a fresh server's), {after:.0f} after "
        f"({100.0 * (after / before - 1.0):+.1f} %)"
    )
    print(f"processor {1e3 * used / seconds / count:.0f} ms a second each; load {os.getloadavg()[1]:.1f}")
    return not errors


if __name__ == "__main__":
    if sys.argv[1:2] == ["site"]:
        sys.exit(0 if site(sys.argv[2], *map(int, sys.argv[3:])) else 1)
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)
