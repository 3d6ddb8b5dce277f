"""The cost of hostile files to a server: python benchmarks/uploads.py [SECONDS] [served | read].

`read`: each attack of the tests in a fresh process, the memory above what it took before it saw the file and
the seconds of its processor until the file was refused; 300 MB and 5 s are allowed.

`served`: a server with one worker. A visitor of the Dual lab moves lambda and another one loads pages, first
alone, then while a third sends a hostile file eight times, then while the third asks for eight models of the
largest table that is taken. Prints the 95th percentile of the answers, and the memory above idle.
"""

import asyncio
import contextlib
import json
import multiprocessing
import resource
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import load
import numpy as np
import psutil
from load import Channel, Server, Visitor, quantile

from tests.helpers.page_browser import free_port
from tests.helpers.wire import token_of
from workbench.pages.hosts import blocks

SECONDS, TIMES, MEGABYTE = 24, 8, 2**20
# Without a queue, a change of lambda follows the last picture after this number of seconds.
load.PAUSE, PIECE, GLANCE = 0.4, 192 * 1024, 0.2
# A model has this number of seconds, and the way to it.
load.LOST = 150.0
SENT = ("keys.jsonl", "repeated.parquet", "zeros.csv.xz", "cells.csv")
MOST_MEMORY, MOST_SECONDS, MOST_P95 = 300, 5.0, 1.0


def attack(name):
    """Megabytes above idle, seconds of processor time, and the sentence for one file."""
    from tests.unit.data.test_tables_limits import ATTACKS
    from workbench.data.tables import uploads

    content = ATTACKS[name][0]()
    Path("/proc/self/clear_refs").write_text("5")  # the highest mark of memory begins anew
    idle, before = psutil.Process().memory_info().rss, sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    try:
        uploads.read(content, name)
        said = "it was read"
    except Exception as error:
        said = str(error)
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) - before
    return int(status["VmHWM"].split()[0]) / 1024 - idle / MEGABYTE, spent, said


def read_uploads():
    """Print what each attack takes; whether all of them stay within the limits."""
    import pyarrow.parquet
    import sklearn.datasets  # noqa: F401 - as the process that reads has them before the file comes

    from tests.unit.data.test_tables_limits import ATTACKS

    good, _ = True, pyarrow.parquet
    print(f"{'file':<20}{'MB':>8}{'cpu s':>8}  sentence")
    for name in ATTACKS:
        with multiprocessing.get_context("fork").Pool(1) as pool:
            memory, spent, said = pool.apply(attack, (name,))
        fine = memory <= MOST_MEMORY and spent <= MOST_SECONDS and said != "it was read"
        good = good and fine
        print(f"{name:<20}{memory:>8.0f}{spent:>8.2f}  {said[:80]}{'' if fine else '   ABOVE THE LIMIT'}")
    return good


class Everything(Server):
    """All pages by one worker, with the processes that it starts."""

    page = "dual-lab"

    def __init__(self):
        self.port = free_port()
        program = Path(sys.executable).with_name("workbench")
        self._begin(
            (
                program,
                "serve",
                "--no-show",
                "--port",
                str(self.port),
                "--workers",
                "1",
                "--max-sessions",
                "5000",
                "--max-per-address",
                "5000",
            )
        )

    def _processes(self):
        own = psutil.Process(self.process.pid)
        return [str(process.pid) for process in (own, *own.children(recursive=True))]

    def megabytes(self):
        try:
            return super().megabytes()
        except (OSError, AttributeError):  # one of them has just ended
            return 0.0


class Guest(Visitor):
    """A visitor that sends files to the page Your data, which fits a model to each."""

    def __init__(self, server):
        super().__init__(SimpleNamespace(base=server.base, page="your-data"), 1)
        self.answer, self.token, self.fits = {}, "", 0

    async def come(self):
        self.wire = await Channel.open(self.server.base, self.server.page)
        document = await self.wire.document()
        self.model = next(root["id"] for root in document["roots"] if "esm" in root["attributes"])
        self.wire.event("document_ready")
        self.reading = asyncio.ensure_future(self._read())
        await self._ask({"type": "page"})

    def _take(self, envelope):
        if envelope["type"] == "answer":
            self.answer = blocks.opened(self.wire.block)
        super()._take(envelope)

    async def drop(self, name, content):
        """Send a file; a refusal is passed over."""
        file = {"type": "piece", "purpose": "table", "name": name, "size": len(content)}
        for k in range(0, len(content), PIECE):
            piece = np.frombuffer(content[k : k + PIECE], dtype=np.uint8)
            with contextlib.suppress(ValueError):
                await self._ask(file | {"start": k, "piece": piece})
        self.token = self.answer.get("data", "")

    async def fit(self):
        """Ask for a model that nobody has fitted yet."""
        self.fits += 1
        await self._ask({"type": "model", "data": self.token, "chooses_lam": True, "seed": self.fits})


async def phase(server, seconds, deed=None):
    """Seconds of the changes and of the pages of others while `deed` goes on, and the most memory."""
    mover, pages, most = Visitor(server, 0), [], server.megabytes()
    stay = asyncio.ensure_future(mover.stay(seconds, asyncio.Barrier(1)))
    deed = asyncio.ensure_future(deed()) if deed else None

    async def come_and_go():
        while not stay.done():
            started = time.perf_counter()
            await token_of(server.base, "conjugates")
            pages.append(time.perf_counter() - started)
            await asyncio.sleep(load.PAUSE)

    loads = asyncio.ensure_future(come_and_go())
    while not stay.done():
        most = max(most, server.megabytes())
        await asyncio.sleep(GLANCE)
    await loads
    if deed is not None:
        await deed
    return mover.spent, pages, most, mover.errors


def large():
    """Return the largest table that is taken: a million numbers, and labels that overlap."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 49)).round(3)
    y = np.where(X[:, :5].sum(axis=1) + rng.normal(size=len(X)) > 0.0, "yes", "no")
    heads = ",".join([*(f"x{j}" for j in range(X.shape[1])), "label"])
    rows = [",".join([*map(repr, row), label]) for row, label in zip(X.tolist(), y, strict=True)]
    return "\n".join([heads, *rows]).encode()


async def _served(server, seconds):
    from tests.unit.data.test_tables_limits import ATTACKS

    guest = Guest(server)
    await guest.come()
    await asyncio.sleep(load.PAUSE * 10)
    await phase(server, seconds / 2)  # what a process loads once
    idle, good = server.megabytes(), True

    def send(name):
        content = ATTACKS[name][0]()

        async def deed():
            for _ in range(TIMES):
                await guest.drop(name, content)
                await asyncio.sleep(seconds / TIMES)

        return deed

    async def fit():
        await guest.drop("large.csv", large())
        await asyncio.sleep(seconds / TIMES)
        for _ in range(TIMES):
            await guest.fit()
            await asyncio.sleep(seconds / TIMES)

    print(f"{'':<30}{'answers':>8}{'p50 ms':>8}{'p95 ms':>8}{'pages':>7}{'p95 ms':>8}{'MB above idle':>15}")
    for title, deed in (
        ("alone", None),
        *((f"{TIMES} x {name}", send(name)) for name in SENT),
        (f"{TIMES} x a model", fit),
    ):
        answers, pages, most, errors = await phase(server, seconds, deed)
        waits = quantile(answers, 0.5), quantile(answers, 0.95), quantile(pages, 0.95)
        print(
            f"{title:<30}{len(answers):>8}{1e3 * waits[0]:>8.0f}{1e3 * waits[1]:>8.0f}{len(pages):>7}"
            f"{1e3 * waits[2]:>8.0f}{most - idle:>15.0f}",
            flush=True,
        )
        for error in errors + guest.errors:
            print("  ", json.dumps(error))
        good = good and not errors and max(waits[1:]) <= MOST_P95
    return good


def served(seconds):
    """Print how long others wait; whether that stays within the limit."""
    server = Everything()
    try:
        return asyncio.run(_served(server, seconds))
    finally:
        server.end()


if __name__ == "__main__":
    asked = sys.argv[1:]
    seconds = next((int(argument) for argument in asked if argument.isdigit()), SECONDS)
    parts = [part for part in ("read", "served") if part in asked] or ["read", "served"]
    results = [read_uploads() if part == "read" else served(seconds) for part in parts]
    sys.exit(0 if all(results) else 1)
