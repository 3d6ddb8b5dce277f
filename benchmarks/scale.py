"""Cost per non-zero, time to a gap and peak memory as data grow, up to a synthetic set of RCV1's size.

    python benchmarks/scale.py                 epochs, memory and growth
    python benchmarks/scale.py epochs 0.25     only these, the largest set with this share of the rows
    python benchmarks/scale.py growth 3e6      only the time to a gap, up to this number of rows
    python benchmarks/scale.py dense 1e7 10    only the memory of dense data of that shape, in shares of it

Every figure comes from a process of its own, so that its peak memory is its own; processor seconds, which a
busy machine stretches least, the fastest of three.
"""

import itertools
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

RUNS = 3
# RCV1's training part as Zhu's Table II has it: rows, columns, non-zeros a row (0.16 %).
ROWS, COLUMNS, ROW = 781_265, 47_236, 76
SHARES = (1 / 16, 1 / 4, 1)
MOST_GIB, REAL_GIB, MOST_RATIO = 4.0, 2.0, 2.0
# The sizes: rows grow at a fixed number of columns, then columns at one of rows; 50 non-zeros a row.
GAP, LAM, NONZEROS, BESIDE = 1e-3, 1e-4, 50, 10**5
GROWING = {"rows": (10**4, 10**5, 10**6), "columns": (10**3, 10**4, 10**5, 10**6)}
LOSSES = ("hinge", "logistic")


def synthetic(rows, columns=COLUMNS, row=ROW, noise=None):
    """Return rows with a number of non-zeros, one in each of as many equal ranges of columns.

    No column is frequent as words are, so caches help least. The labels are those of random weights, with
    this noise; without one they are random.
    """
    import numpy as np
    import scipy.sparse as sp

    rng = np.random.default_rng(0)
    width = columns // row
    indices = rng.integers(0, width, size=(rows, row), dtype=np.int32)
    indices += np.arange(0, row * width, width, dtype=np.int32)
    data = np.full(rows * row, 1.0 / np.sqrt(row))
    X = sp.csr_array((data, indices.ravel(), np.arange(0, rows * row + 1, row)), shape=(rows, columns))
    if noise is None:
        return X, np.where(rng.random(rows) < 0.5, -1.0, 1.0)
    return X, np.where(X @ rng.normal(size=columns) + noise * rng.normal(size=rows) > 0.0, 1.0, -1.0)


def epoch(name):
    """Nanoseconds a non-zero of a gradient epoch with the logistic loss, where every step moves."""
    import workbench as wb

    if name == "reuters21578":
        task = wb.data.load(name)
        X, y = task.X, task.y
    else:
        X, y = synthetic(int(name))
    problem = wb.Problem(X, y, "logistic", lam=1e-4)
    run = wb.Run(problem, wb.solvers.GaussSeidel(update="gradient", eta=1e-3))
    run.epoch()
    spent = []
    for _ in range(RUNS):
        started = time.process_time()
        run.epoch()
        spent.append(time.process_time() - started)
    return {"nonzeros": int(X.nnz), "seconds": min(spent), "ns": 1e9 * min(spent) / X.nnz}


def memory(name):
    """Load a data set, solve it to a relative gap of 1e-3 and certify it."""
    import workbench as wb

    task = wb.data.load(name)
    solution = wb.solve(wb.Problem(task.X, task.y, "hinge", lam=1e-4), tol=1e-3)
    return {"status": solution.status}


def growth(name):
    """Processor seconds from a matrix to a gap of 1e-3, the certificates included."""
    import workbench as wb

    loss, rows, columns = name.split(",")
    wb.solve(wb.Problem(*synthetic(1000, 1000, NONZEROS, 1.0), loss, lam=LAM), tol=GAP)  # compiles
    X, y = synthetic(int(rows), int(columns), NONZEROS, 1.0)
    started = time.process_time()
    solution = wb.solve(wb.Problem(X, y, loss, lam=LAM), tol=GAP)
    facts = {name: getattr(solution, name) for name in ("status", "solver", "epochs")}
    return facts | {"seconds": time.process_time() - started}


def dense(name):
    """Solve dense data that nothing can write to, and certify; the memory in shares of the data."""
    import numpy as np

    import workbench as wb

    loss, regularizer, bias, rows, columns = name.split(",")
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((int(rows), int(columns))), np.arange(int(columns)) - int(columns) / 2.0
    y = np.where(X @ w + 5.0 * rng.standard_normal(int(rows)) > 0.0, 1.0, -1.0)
    X.setflags(write=False)
    options = {"loss": loss, "regularizer": regularizer, "lam": 1e-3, "bias": bias == "True"}
    wb.solve(wb.Problem(X[:1000], y[:1000], **options), tol=1e-4)  # compiles
    own = Path("/proc/self")
    before = int((own / "statm").read_text().split()[1]) * resource.getpagesize()
    (own / "clear_refs").write_text("5")  # makes VmHWM, the most memory, what it is now
    problem = wb.Problem(X, y, **options)
    solution = wb.solve(problem, tol=1e-4)
    most = 1024 * int((own / "status").read_text().split("VmHWM:")[1].split()[0])
    started = time.process_time()
    wb.certificate(problem, w=solution.w)
    facts = {"status": solution.status, "solver": solution.solver, "seconds": time.process_time() - started}
    return facts | {"share": (most - before) / X.nbytes}


def measured(kind, name):
    """Return the result of `kind` from a process of its own, with its peak memory in GiB."""
    command = [sys.executable, __file__, "--one", kind, name]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def line(text, value, note=""):
    print(f"{text:<58}{value:>14}  {note}".rstrip(), flush=True)


def epochs(largest=1.0):
    """Print the cost of an epoch by the number of non-zeros, beside Reuters'."""
    base = measured("epoch", "reuters21578")
    line("reuters21578, ns a non-zero and epoch", f"{base['ns']:.2f}", f"{base['nonzeros']:,} non-zeros")
    for share in SHARES:
        if share > largest:
            continue
        rows = round(ROWS * share)
        result = measured("epoch", str(rows))
        ratio = result["ns"] / base["ns"]
        note = (
            f"{result['nonzeros']:,} non-zeros, {result['seconds']:.3f} s, {ratio:.2f} times Reuters' "
            f"(at most {MOST_RATIO:g}), peak {result['gib']:.2f} GiB (at most {MOST_GIB:g})"
        )
        line(f"synthetic {rows:,} x {COLUMNS:,}", f"{result['ns']:.2f}", note)


def memories():
    """Print the peak memory of the real data sets."""
    for name in ("reuters21578", "news20"):
        result = measured("memory", name)
        line(
            f"{name}, load, solve, certify",
            f"{result['gib']:.2f} GiB",
            f"at most {REAL_GIB:g}; {result['status']}",
        )


def growths(most=GROWING["rows"][-1]):
    """Print the time to a gap as rows or columns grow, and its exponent from one size to the next."""
    for loss in LOSSES:
        for what, sizes in GROWING.items():
            before = None
            for size in sizes if what == "columns" else [*(size for size in sizes if size < most), int(most)]:
                shape = (size, BESIDE) if what == "rows" else (BESIDE, size)
                result = measured("growth", f"{loss},{shape[0]},{shape[1]}")
                note = f"{result['solver']}, {result['epochs']:.0f} epochs, {result['status']}, "
                note += f"peak {result['gib']:.2f} GiB"
                if before is not None:
                    power = math.log(result["seconds"] / before[1]) / math.log(size / before[0])
                    note += f"; exponent {power:.2f}"
                line(f"{loss}, {shape[0]:,} x {shape[1]:,} to {GAP:g}", f"{result['seconds']:.2f} s", note)
                before = size, result["seconds"]


def denses(rows=1e6, columns=20):
    """Print the most memory that a solve of dense data takes, in shares of these."""
    tasks = [(loss, "squared-l2") for loss in ("logistic", "squared-hinge", "hinge")] + [("squared", "l1")]
    for (loss, regularizer), bias in itertools.product(tasks, (False, True)):
        result = measured("dense", f"{loss},{regularizer},{bias},{int(rows)},{int(columns)}")
        note = f"{result['solver']}, {result['status']}, certificate {result['seconds']:.2f} s"
        line(f"{loss}, {regularizer}, {'a' if bias else 'no'} bias", f"{result['share']:.2f} of X", note)


def main(arguments):
    if arguments[:1] == ["--one"]:
        from workbench.kernels.compilation import at_once

        kinds = {"epoch": epoch, "memory": memory, "growth": growth, "dense": dense}
        with at_once():
            result = kinds[arguments[1]](arguments[2])
        # ru_maxrss counts kibibytes on Linux.
        result["gib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(json.dumps(result))
        return
    if arguments[:1] in ([], ["epochs"]):
        epochs(*(float(text) for text in arguments[1:2]))
    if arguments[:1] in ([], ["memory"]):
        memories()
    if arguments[:1] in ([], ["growth"]):
        growths(*(float(text) for text in arguments[1:2]))
    if arguments[:1] in ([], ["dense"]):
        denses(*(float(text) for text in arguments[1:3]))


if __name__ == "__main__":
    main(sys.argv[1:])
