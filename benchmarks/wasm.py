"""The kernels in WebAssembly against the native ones: an epoch on Reuters in Node, in turn, and the sizes.

    python benchmarks/wasm.py

Each figure is the median of the epochs of `ROUNDS` rounds, in which both engines do the same steps one after
the other; WORKBENCH_DATA holds Reuters.
"""

import gzip
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS, EPOCHS = 5, 8
# The modules lie in no package of npm that says what they are.
QUIET = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
# The cases: the loss, the regularizer, the solver, the options of the problem.
RUNS = {
    "hinge, squared l2": ("hinge", "squared-l2", {}, {}),
    "hinge, squared l2, shrinking": ("hinge", "squared-l2", {"shrinking": True}, {}),
    "logistic, squared l2": ("logistic", "squared-l2", {}, {}),
    "hinge, elastic net": ("hinge", "elastic-net", {}, {}),
    "hinge, elastic net, bounded": ("hinge", "elastic-net", {"update": "bounded"}, {}),
    "hinge, entropy, bounded": ("hinge", "normalized-entropy", {"update": "bounded"}, {"embed": "balanced"}),
    "pairs, rbf kernel, 1,500 samples": ("hinge", "squared-l2", None, {"kernel": "rbf:gamma=0.01"}),
}
# Reads packed problems and numbers of epochs, and says how long they took.
HARNESS = """
const lines = createInterface({ input: process.stdin });
const engine = new Engine(() => {});
let before = Promise.resolve();
lines.on("line", (line) => { before = before.then(async () => {
  const { packed, choices, steps } = JSON.parse(line);
  if (packed) {
    const kernels = await inflated(packed.kernels);
    const data = await opened(packed.problem);
    await engine.take({ version: 1, type: "data", kernels, functions: packed.functions, ...data });
    await engine.take({ version: 1, type: "problem", ...choices });
  }
  const start = process.hrtime.bigint();
  const done = steps ? engine.solver.advance(steps, engine.steps) : 0;
  engine.steps += done;
  console.log(JSON.stringify([Number(process.hrtime.bigint() - start) / 1e9, done]));
}); });
"""


def sizes():
    from workbench.pages.wasm import build, bundle

    for name, content in (("kernels.wasm", build.MODULE.read_bytes()), ("engine", bundle.source().encode())):
        print(f"{name:<44}{len(content):>10,} bytes {len(gzip.compress(content, 9)):>10,} compressed")


def data(solver, options):
    import numpy as np

    import workbench as wb

    task = wb.data.load("reuters21578", category="acq")
    chosen = slice(0, 1500) if solver is None else slice(None)
    return task.X[chosen], np.asarray(task.y, float)[chosen], options


def measure(node, loss, regularizer, solver, options):
    """Median seconds of an epoch, native and in Node, and the steps of each."""
    import workbench as wb
    from workbench.pages.wasm import bundle

    if solver is None:
        method, options = wb.solvers.MaximalViolatingPair(tol=0.0, shrinking=False), {**options, "bias": True}
    else:
        method = wb.solvers.GaussSeidel(**solver)
    X, y, options = data(solver, options)
    problem = wb.Problem(X, y, loss, regularizer, lam=1e-3, **options)
    choices = {
        "loss": repr(problem.loss),
        "regularizer": repr(problem.regularizer),
        "lam": problem.lam,
        "solver": bundle.plain(bundle.solver_facts(method)),
        "seed": 0,
    }

    def request(**contents):
        node.stdin.write(json.dumps(contents) + "\n")
        node.stdin.flush()
        return json.loads(node.stdout.readline())

    native, printed = [], []
    for _ in range(ROUNDS):
        run = wb.Run(problem, method, seed=0)
        request(packed=bundle.packed(problem), choices=choices)
        for _ in range(EPOCHS):
            started = time.perf_counter()
            done = run.step(run.epoch_steps)
            native.append(time.perf_counter() - started)
            seconds, answer = request(steps=run.epoch_steps)
            printed.append(seconds)
            if not done or not answer:
                break
    return statistics.median(native), statistics.median(printed)


def main():
    from workbench.pages import bundling

    sizes()
    node = bundling.node()
    if node is None:
        sys.exit("node is not installed; run: make venv")
    modules = (bundling.PACKAGE / bundling.ENGINE).as_uri()
    names = {"node:readline": "createInterface", f"{modules}/engine.js": "Engine"}
    names[f"{modules}/page.js"] = "inflated, opened"
    text = (
        "".join(f'import {{ {imported} }} from "{where}";\n' for where, imported in names.items()) + HARNESS
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "engine.mjs"
        file.write_text(text, encoding="utf-8")
        for name, run in RUNS.items():
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            with subprocess.Popen([node, QUIET, file], text=True, **pipes) as process:
                native, printed = measure(process, *run)
                process.stdin.close()
            times = f"{1e3 * native:>8.2f} ms native {1e3 * printed:>8.2f} ms in WebAssembly"
            print(f"{name:<44}{times} {printed / native:>6.2f}", flush=True)


if __name__ == "__main__":
    main()
