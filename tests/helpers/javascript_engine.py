"""An engine that runs printed JavaScript for the tests: Node where it is installed, else Chromium."""

import contextlib
import json
import os
import subprocess

import numpy as np
import pytest

from tests.helpers.page_browser import CHROMIUM, chromium
from workbench.pages import bundling

# Numbers travel as text, since JSON knows neither nan, infinity nor -0.
ANSWER = """\
function answer(request) {
  const {source, calls} = JSON.parse(request);
  const names = [...new Set(calls.map(([name]) => name))];
  const known = new Function(`"use strict"; ${source}; return {${names.join()}};`)();
  const read = (x) => (typeof x === "string" ? Number(x)
    : Array.isArray(x) ? x.map(read) : Object.fromEntries(Object.entries(x).map(([k, v]) => [k, read(v)])));
  const write = (x) => (typeof x !== "number" ? "nothing" : Object.is(x, -0) ? "-0" : String(x));
  return JSON.stringify(calls.map(([name, ...inputs]) => write(known[name](...inputs.map(read)))));
}
"""
READ_LINES = (
    "require('readline').createInterface({input: process.stdin})"
    ".on('line', (line) => console.log(answer(line)));"
)


def wire(x):
    """A number, an array or an object as the script reads it."""
    if isinstance(x, dict):
        return {key: wire(value) for key, value in x.items()}
    if isinstance(x, (list, tuple, np.ndarray)):
        return [wire(value) for value in x]
    return repr(float(x)).replace("inf", "Infinity").replace("nan", "NaN")


class Engine:
    """Runs a script's functions: `answer` takes and gives one line of JSON."""

    def __init__(self, answer):
        self.answer = answer

    def __call__(self, source, calls):
        request = json.dumps(
            {"source": source, "calls": [(name, *map(wire, inputs)) for name, *inputs in calls]}
        )
        return [float(x) for x in json.loads(self.answer(request))]


@contextlib.contextmanager
def engine():
    """Node where it is installed, else Chromium."""
    node = bundling.node()
    if node:
        with subprocess.Popen(
            [node, "-e", ANSWER + READ_LINES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:

            def ask(request):
                process.stdin.write(request + "\n")
                process.stdin.flush()
                return process.stdout.readline()

            yield Engine(ask)
            process.stdin.close()
        return
    if CHROMIUM is None:
        reason = "neither node nor Chromium on this machine; run: make venv"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with chromium() as browser:
        page = browser.new_page()
        yield Engine(
            lambda request: page.evaluate(f"(request) => {{ {ANSWER} return answer(request); }}", request)
        )
