"""The engine's script in Node, driven by messages, for the tests and the benchmark."""

import contextlib
import functools
import json
import math
import os
import subprocess

import pytest

from workbench.pages import bundling
from workbench.pages.wasm import bundle

PAGES = bundling.PACKAGE / bundling.PAGES
MODULES = bundling.PACKAGE / bundling.ENGINE
# Numbers that JSON lacks travel as text.
HARNESS = (
    f"""
import {{ createInterface }} from "node:readline";
import * as worker from "{(MODULES / "engine.js").as_uri()}";
import {{ inflated, opened, revived }} from "{(MODULES / "page.js").as_uri()}";
"""
    + """
const written = (_, x) => ArrayBuffer.isView(x) ? Array.from(x)
  : typeof x === "number" && !Number.isFinite(x) ? String(x) : x;
const engine = new worker.Engine((answer) => console.log(JSON.stringify(answer, written)), setImmediate);
const lines = createInterface({ input: process.stdin });
let before = Promise.resolve();
lines.on("line", (line) => { before = before.then(async () => {
  const { packed, memory, ...message } = JSON.parse(line, revived);
  if (memory) return console.log(engine.kernels.memory.buffer.byteLength);
  if (packed) {
    message.kernels = await inflated(packed.kernels);
    Object.assign(message, { functions: packed.functions, ...(await opened(packed.problem)) });
  }
  await engine.take(message);
}); });
"""
)


def in_python(engine_type, problem, asked):
    """Return the answers of the Python engine of that type to the messages sent to the one in Node."""
    answers = []
    engine = engine_type(problem, answers.append)
    for id, (type, contents) in enumerate(asked):
        engine.take({"version": 1, "id": id, "type": type, **contents})
    return answers


def _numbers(reply):
    texts = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
    return {name: texts.get(part, part) if isinstance(part, str) else part for name, part in reply.items()}


class Node:
    """The engine in a process: `ask` sends a message and gives the answers up to the one that ends it."""

    def __init__(self, process):
        self.process, self.count = process, 0

    def start(self, problem, losses=(), regularizers=()):
        return self.ask("data", packed=bundle.packed(problem, losses, regularizers, spectrum=True))

    def memory(self):
        """The bytes that the kernels have."""
        self.process.stdin.write('{"memory": true}\n')
        self.process.stdin.flush()
        return self.read()

    def send(self, type, **contents):
        self.count += 1
        message = bundle.plain({"version": 1, "id": self.count, "type": type, **contents})
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return self.count

    def read(self):
        return json.loads(self.process.stdout.readline(), object_hook=_numbers)

    def ask(self, type, **contents):
        """The one answer to a message; of a run its last frame."""
        self.send(type, **contents)
        last = answer = self.read()
        while type == "run" and answer["type"] not in ("ended", "error"):
            last, answer = answer, self.read()
        return last if type == "run" and answer["type"] == "ended" else answer


def text(value):
    """Pack the contents of a message "data", apart from the kernels."""
    return json.dumps(bundle.plain(value)).encode()


def missing(reason):
    """Skip with a reason; under CI fail with it."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


def node():
    """The program, or a skip."""
    return bundling.node() or missing("no node on this machine; run: make venv")


@functools.cache
def module_script(*names):
    """Return a script that makes globals of what modules export; their names are paths below `pages`."""
    entry = "".join(f'export * from "./{name}.js";\n' for name in names)
    command = [
        node(),
        bundling.tools() / "node_modules" / bundling.PROGRAMS["esbuild"],
        "--bundle",
        "--format=iife",
        "--global-name=modules",
        "--log-level=error",
    ]
    done = subprocess.run(command, input=entry, cwd=PAGES, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return f"{done.stdout}Object.assign(globalThis, modules);\n"


def printed(program):
    """Return the lines that a program prints, as JSON; of one line its value alone."""
    done = subprocess.run([node(), "-"], input=program, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return lines[0] if len(lines) == 1 else lines


@contextlib.contextmanager
def engine(tmp_path, messages=None):
    """The engine, with the messages of a page's own where the name of their module is given."""
    program = node()
    file = tmp_path / "engine.mjs"
    own = f'import "{(PAGES / messages).as_uri()}";\n' if messages else ""
    file.write_text(own + HARNESS, encoding="utf-8")
    # The modules lie in no package of npm that says what they are.
    command = [program, "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", file]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Node(process)
        process.stdin.close()
