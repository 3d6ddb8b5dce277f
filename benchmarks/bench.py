"""Figures in seconds, each the median of three runs: `make bench`, or some of them by name.

    python benchmarks/bench.py              all that take minutes
    python benchmarks/bench.py start serve  these; an unknown name lists them

Grading takes long and runs by name alone.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import solving
from timing import PYTHON, WORKBENCH, cold_cache, elapsed, line, median, overhead, seconds

PAGE = "dual-lab"
# A page that has not answered by then is broken, not slow.
PATIENCE = 120.0
HERE = Path(__file__).resolve().parent
TESTS = HERE.parent / "tests"

# Programs that print their own figures, beside this one and among the tests.
PROGRAMS = {
    "pages": (HERE / "pages.py",),
    "load": (HERE / "load.py",),
    "derivations": (HERE / "derivations.py",),
    "scale": (HERE / "scale.py",),
    "kernels": (HERE / "kernels.py",),
    "wasm": (HERE / "wasm.py",),
    "table": (TESTS / "long/combinations.py",),
    "grading": (TESTS / "long/score_grading.py",),
}
HOURS = ("grading",)
EMPTY_TYPER = """
import typer
app = typer.Typer(rich_markup_mode=None, add_completion=False)
@app.command()
def one(): pass
@app.command()
def two(): pass
app()
"""


# start: imports and --help
def start():
    extra, whole = overhead((PYTHON, "-c", "import workbench"), (PYTHON, "-c", "pass"))
    line('python -c "import workbench"', seconds(extra), f"over bare Python; {whole:.3f} s in all")
    extra, whole = overhead((WORKBENCH, "--help"), (PYTHON, "-c", EMPTY_TYPER, "--help"))
    line("workbench --help", seconds(extra), f"over an empty typer app; {whole:.3f} s in all")


# serve: until the page stands, and whether it answers while there are no kernels yet
@contextlib.contextmanager
def served(**environment):
    """Yield the address of a server of the page on a free port."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = (WORKBENCH, "serve", PAGE, "--no-show", "--port", str(port))
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    try:
        yield f"localhost:{port}/{PAGE}"
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()


def answer(address):
    """Ask until the page answers with 200; how long that took."""
    started = time.perf_counter()
    while time.perf_counter() - started < PATIENCE:
        try:
            with urllib.request.urlopen(f"http://{address}", timeout=PATIENCE) as reply:
                reply.read()
            return time.perf_counter() - started
        except (urllib.error.URLError, ConnectionError) as error:
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.01)
    raise TimeoutError(f"{address} did not answer within {PATIENCE:g} seconds")


def first_page(**environment):
    with served(**environment) as address:
        return answer(address)


def first_page_cold():
    with cold_cache() as environment:
        return first_page(**environment)


def slowest_at_a_first_visit(duration=6.0):
    """Return the slowest answer while a session, opened as a browser does, has no kernels yet."""
    from bokeh.client import ClientSession
    from bokeh.document import Document
    from bokeh.document.events import MessageSentEvent
    from bokeh.events import DocumentReady

    with cold_cache() as environment, served(**environment) as address:
        answer(address)
        session = ClientSession(websocket_url=f"ws://{address}/ws")
        session.connect()
        event = MessageSentEvent(Document(), "bokeh_event", DocumentReady())
        session._connection._send_patch_document(session.id, event)
        session.force_roundtrip()
        slowest, until = 0.0, time.perf_counter() + duration
        while time.perf_counter() < until:
            slowest = max(slowest, answer(address))
            time.sleep(0.05)
        session.close()
        return slowest


def serve():
    first_page()
    line(f"workbench serve {PAGE}", seconds(median(first_page)), "to the first HTTP 200, warm cache")
    line(f"workbench serve {PAGE}", seconds(median(first_page_cold)), "to the first HTTP 200, no kernels yet")
    line(
        f"GET /{PAGE}",
        seconds(median(slowest_at_a_first_visit)),
        "the slowest at a first visit, no kernels",
    )


# solve: the whole command, with and without kernels on disk
def solve():
    command = (WORKBENCH, "solve", "breast-cancer", "--tol", "1e-3")

    def cold():
        with cold_cache() as environment:
            return elapsed(*command, **environment)

    elapsed(*command)
    shown = " ".join(["workbench", *command[1:]])
    line(shown, seconds(median(cold)), "the whole command, no kernels yet")
    line(shown, seconds(median(elapsed, *command)), "the whole command, kernels from the cache")


def reproduce():
    """Reproduce the published tables without a cache, on every core; minutes."""
    for name in ("zhang-table-1", *(("zhang-table-2",) if solving.reuters_acq() else ())):
        with cold_cache() as environment:
            line(f"workbench reproduce {name}", seconds(elapsed(WORKBENCH, "reproduce", name, **environment)))


def program(name):
    """Run the programs of a section."""
    for path in PROGRAMS[name]:
        subprocess.run((PYTHON, str(path)), check=True)


SECTIONS = {
    section.__name__: section
    for section in (
        start,
        serve,
        solve,
        solving.reuters,
        solving.epoch,
        solving.certificate,
        solving.svm,
        solving.primal,
        reproduce,
    )
}


def main(asked):
    """Run the sections asked for, or all that do not take hours."""
    known = (*SECTIONS, *PROGRAMS)
    unknown = [name for name in asked if name not in known]
    if unknown:
        sys.exit(f"error: {', '.join(unknown)}: the sections are {', '.join(known)}")
    from workbench.kernels.compilation import at_once

    for name in asked or (name for name in known if name not in HOURS):
        if name in SECTIONS:
            with at_once():
                SECTIONS[name]()
        else:
            program(name)


if __name__ == "__main__":
    main(sys.argv[1:])
