"""Derivations that several visitors ask a server for: python benchmarks/derivations.py [WORKERS].

Every visitor is a websocket client that opens the page of conjugates with a function of its own. Prints the
seconds to the page and to the derivation: of one visitor, of six who ask for the same at once, of a short
one alone and beside three that are at their limit, and of a page that opens at that time. Sizes are medians;
the load of the machine stands beside them, for with others at work seconds by the clock say little.
"""

import asyncio
import contextlib
import os
import statistics
import sys
import tempfile
import time

import load
import psutil
from load import Server, Visitor

# What the page asks first.
load.FIRST = ("page",)
PRESET = "5 · Logistic"
# Some seconds each, of the same shape, so that none is known from the one before.
SAME = "exp({k}*u) - u"
SHORT = "max(0, {k} - u)"
ENDLESS = "exp(exp(u))*u**20 + log(1 + exp(u))**{k}*cosh(u) + exp(u**2)"
RUNS = 3


class Asker(Visitor):
    """A visitor who waits for a derivation; `opened` and `derived` are seconds from the first request."""

    async def request(self, formula=None):
        own = {"type": "own_pair", "formula": formula, "domain": "", "parameters": ""}
        started = time.perf_counter()
        await self._open()
        # At its limit a derivation is answered by an error.
        with contextlib.suppress(ValueError):
            await self._ask(own if formula else {"type": "pair", "preset": PRESET})
        self.derived = time.perf_counter() - started
        return self

    def close(self):
        self.reading.cancel()
        self.wire.socket.close()


def workers_time(server):
    """Seconds of processor time of all processes below the server's."""
    total = 0.0
    for process in psutil.Process(server.process.pid).children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


def line(what, value, note=""):
    print(f"{what:<72}{value:>9.2f} s  {note}".rstrip(), flush=True)


async def one(server, number, formula=None):
    visitor = Asker(server, number)
    await visitor.request(formula)
    visitor.close()
    return visitor


def median(visitors, name):
    return statistics.median(getattr(visitor, name) for visitor in visitors)


async def repeated(server, count, first):
    """Print medians of the time until `visitors` have the same function, and of the workers' time for it."""
    clock, processor = [], []
    for k in range(first, first + RUNS):
        before = workers_time(server)
        visitors = [Asker(server, number) for number in range(count)]
        await asyncio.gather(*(visitor.request(SAME.format(k=k)) for visitor in visitors))
        clock.append(max(visitor.derived for visitor in visitors))
        processor.append(workers_time(server) - before)
        for visitor in visitors:
            visitor.close()
    return statistics.median(clock), statistics.median(processor)


async def measure(server):
    await one(server, 0)  # what a process loads once
    await one(server, 0, SHORT.format(k=9))
    alone, of_one = await repeated(server, 1, 2)
    line("one visitor, a new function", alone, f"{of_one:.2f} s of the workers' processor time")
    together, of_six = await repeated(server, 6, 2 + RUNS)
    note = f"{of_six:.2f} s; {together / alone:.2f} times one by the clock"
    line("six visitors, a new function, the last of them", together, note)
    shorts = [await one(server, k, SHORT.format(k=11 + k)) for k in range(RUNS)]
    short, opened = median(shorts, "derived"), median(shorts, "opened")
    line("a short one alone", short, f"its page {opened:.2f} s")
    busy = [asyncio.ensure_future(Asker(server, k).request(ENDLESS.format(k=7 + k))) for k in range(3)]
    await asyncio.sleep(4.0)
    before = workers_time(server)
    crowded = [await one(server, k, SHORT.format(k=31 + k)) for k in range(RUNS)]
    spent = (workers_time(server) - before) / RUNS
    late, slow = median(crowded, "derived"), median(crowded, "opened")
    still = sum(not future.done() for future in busy)
    note = f"{spent:.2f} s of all workers' processor time in that time"
    line(f"a short one beside {still} at their limit", late, note)
    line("its page", slow, f"{slow / opened:.2f} times alone")
    for future in busy:
        future.cancel()


def main(workers=1):
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {workers} workers")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WORKBENCH_CACHE"] = folder
        server = Server(workers, load.PLACES, "conjugates")
        try:
            asyncio.run(measure(server))
        finally:
            server.end()


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
