"""Races of solvers by the clock: their process, and those that were recorded."""

import asyncio
import contextlib
import functools
import json
import os
import sys
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import resources
from workbench.data import store
from workbench.pages import datasets
from workbench.pages.compare import model as compare

FILE = Path(__file__).with_name("races.json")
# A race that has not started, or not ended, this long after it should have is stopped.
START_SECONDS, GRACE_SECONDS = 90.0, 20.0
# The settings of a course, and for the regularizers that others have too their texts.
COURSE = ("source", "loss", "regularizer", "lam", "epsilon")
REGULARIZERS = {
    "Squared ℓ2": lambda settings: "squared-l2",
    "Elastic net": lambda settings: f"elastic-net:epsilon={settings['epsilon']:g}",
}
# Races of several visitors take turns: side by side they would measure each other.
TURN = asyncio.Lock()


def course(settings):
    """Return the arguments of `workbench.studies.race.run`.

    Raises
    ------
    InputError
        No race is run on this problem.
    """
    if settings["regularizer"] not in REGULARIZERS or settings["intercept"]:
        raise InputError(
            "race: it takes the regularizers Squared ℓ2 and Elastic net, without a free intercept, since "
            "other libraries minimize the same only there"
        )
    source = settings["source"]
    arguments = {
        "loss": compare.LOSSES[settings["loss"]],
        "regularizer": REGULARIZERS[settings["regularizer"]](settings),
        "lam": settings["lam"],
        "seconds": float(settings["seconds"]),
    }
    if source in (*compare.TYPED, compare.CLOUD):
        X, y, _ = compare.load(source)
        return {"data": [X.tolist(), list(map(float, y))], "options": {}} | arguments
    name, options, _ = datasets.entry(source)
    arguments |= {"data": name, "options": options}
    if store.is_upload(source):
        arguments["stored"] = (str(store.store().folder), source.removeprefix(store.PREFIX))
    return arguments


def code(settings):
    """Return the Python that gives the same race in a notebook, after that which loads X and y."""
    names = ("loss", "regularizer", "lam", "seconds")
    arguments = ", ".join(f"{name}={course(settings)[name]!r}" for name in names)
    return (
        "from workbench.studies import race\n\n"
        f"for event in race.run(\n  (X, y), {{}},\n  {arguments}):\n"
        '  if event["kind"] == "fit":\n'
        '    print(event["name"], event["seconds"],\n          event["relative"])'
    )


async def run(arguments, send):
    """Run a race in a process of its own, which ends with this coroutine.

    Parameters
    ----------
    arguments : dict
        Of `course`.
    send : callable
        Takes each event.
    """
    if TURN.locked():
        send({"kind": "wait"})
    async with TURN:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "workbench.studies.race",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=os.environ | resources.ONE_THREAD,
        )
        try:
            process.stdin.write(json.dumps(arguments).encode())
            process.stdin.write_eof()
            await _listen(process.stdout, send, arguments["seconds"] + GRACE_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _listen(lines, send, seconds):
    clock = asyncio.get_running_loop().time
    deadline = clock() + START_SECONDS
    while True:
        try:
            line = await asyncio.wait_for(lines.readline(), max(0.0, deadline - clock()))
        except TimeoutError:
            send({"kind": "end", "why": "stopped"})
            return
        event = json.loads(line) if line else {"kind": "refused", "why": "The race's process failed."}
        if event["kind"] == "refused":
            raise InputError(f"race: {event['why']}")
        if event["kind"] == "start":
            deadline = clock() + seconds
        send(event)
        if event["kind"] == "end":
            return


@functools.cache
def recorded():
    """Return the recorded races: the settings of each, and its events."""
    return json.loads(FILE.read_text("utf-8"))
