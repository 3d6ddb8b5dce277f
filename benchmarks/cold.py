"""First answers: seconds beyond the imports, with an empty cache of compiled kernels and a full one.

    python benchmarks/cold.py                  the four tasks
    python benchmarks/cold.py lines            only this one, README's

"empty" is a first process after an installation, "compiled" one that compiles each kernel at its first call,
"full" the next process with its cache. The columns are wall seconds, processor seconds, and processor seconds
of the imports before (the package, SciPy, numba and scikit-learn).
"""

import json
import os
import subprocess
import sys
import tempfile
import time

BEFORE = (
    "import numpy as np, sklearn.datasets, workbench as wb; from workbench.kernels import compilation; "
    "wb.solve, wb.KernelSVC; r = np.random.default_rng(0).standard_normal"
)
AT_ONCE = "; compilation.patience = 0.0"
SOLVE = "wb.solve(wb.Problem(X, y, {}), tol=1e-4)"
TASKS = {
    "lines": "d = wb.data.load('breast-cancer'); X, y = d.X, d.y; " + SOLVE.format("'hinge', lam=0.01"),
    "kernel": "X = r((500, 10)); wb.KernelSVC().fit(X, X[:, 0] * X[:, 1] > 0.0)",
    "lasso": "X = r((500, 2000)); y = X[:, :9].sum(1); " + SOLVE.format("'squared', 'l1', lam=0.1"),
    "iris": "X = r((150, 4)); y = (X @ r((4, 3))).argmax(1); "  # of its size
    + SOLVE.format("'multinomial', lam=0.01, bias=True"),
}


def one(task, before):
    """Run a task; return its seconds by the clock and of the processor, and the latter of the imports."""
    space, start = {}, time.process_time()
    exec(before, space)
    clock, spent = time.perf_counter(), time.process_time()
    exec(TASKS[task], space)
    return time.perf_counter() - clock, time.process_time() - spent, spent - start


def measured(task, home, before=BEFORE):
    """Return what `one` returns in a new process with this home and cache."""
    environment = os.environ | {"HOME": home, "WORKBENCH_CACHE": home}
    command = [sys.executable, __file__, "--one", task, before]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return json.loads(done.stdout.splitlines()[-1])


def main(arguments):
    if arguments[:1] == ["--one"]:
        print(json.dumps(one(*arguments[1:])))
        return
    for task in arguments or TASKS:
        with tempfile.TemporaryDirectory() as new, tempfile.TemporaryDirectory() as home:
            rows = {
                "empty": measured(task, new),
                "compiled": measured(task, home, BEFORE + AT_ONCE),
                "full": measured(task, home),
            }
        for name, seconds in rows.items():
            print(f"{task:<8}{name:<10}" + "".join(f"{s:7.2f} s" for s in seconds), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
