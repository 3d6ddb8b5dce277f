"""Certificates and proximal gradient steps, cell by cell, alone or in turn with another checkout.

    python benchmarks/kernels.py                      microseconds a call
    python benchmarks/kernels.py --against FOLDER     the same of another checkout, in turn, and the ratios
    python benchmarks/kernels.py --dense              building and certifying 10^6 x 20, in passes X @ w

Each round is a process of its own; the median round counts, of its fastest calls, in processor seconds, which
a busy machine stretches least: set OPENBLAS_NUM_THREADS=1, since threads that wait count as well.
WORKBENCH_DATA holds Reuters.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS, CALLS = 5, 15
SECONDS = 0.4
SHAPES = {"dense 20,000 x 50": (20_000, 50), "dense 2,000 x 500": (2_000, 500)}
# The loss and the regularizer of a step, the bias of both.
STEPS = (("logistic", "squared-l2", False), ("logistic", "l1", False), ("squared", "group-l1l2:size=5", True))
CERTIFIED = (("hinge", "squared-l2"), ("logistic", "elastic-net"), ("squared", "l1"))
ROWS, COLUMNS = 1_000_000, 20


def dense(n, d):
    import numpy as np

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, np.where(X @ rng.normal(size=d) + rng.normal(size=n) > 0.0, 1.0, -1.0)


def data():
    """(name, X, y) of each set."""
    import workbench as wb

    for name, shape in SHAPES.items():
        yield name, *dense(*shape)
    task = wb.data.load("reuters21578", category="acq")
    yield "reuters acq", task.X, task.y
    task = wb.data.load("breast-cancer")
    yield "breast-cancer", task.X, task.y


def fastest(call):
    """Return the median processor seconds of the faster half of the calls."""
    call()
    spent, until = [], time.perf_counter() + SECONDS
    while len(spent) < CALLS or (time.perf_counter() < until and len(spent) < 40 * CALLS):
        started = time.process_time()
        call()
        spent.append(time.process_time() - started)
    return statistics.median(sorted(spent)[: len(spent) // 2])


def measure():
    """Processor seconds of each cell."""
    import numpy as np

    import workbench as wb
    from workbench.certificates import certify

    seconds = {}
    for name, X, y in data():
        for loss, regularizer in CERTIFIED:
            problem = wb.Problem(X, y, loss, regularizer, lam=1e-3)
            w = 0.01 * np.random.default_rng(1).normal(size=problem.design.shape[1])
            alpha = certify(problem, w).alpha
            cell = f"{name:<18} {loss} {regularizer}"
            seconds[f"{cell}: certificate of w"] = fastest(lambda p=problem, w=w: certify(p, w))
            seconds[f"{cell}: certificate of alpha"] = fastest(lambda p=problem, a=alpha: certify(p, alpha=a))
        for loss, regularizer, bias in STEPS:
            problem = wb.Problem(X, y, loss, regularizer, lam=1e-3, bias=bias)
            for step in ("lipschitz", "backtracking"):
                run = wb.Run(problem, wb.solvers.ProximalGradient(step=step))
                run.step(5)
                cell = f"{name:<18} {loss} {regularizer}{', bias' if bias else ''}"
                seconds[f"{cell}: {step} step"] = fastest(lambda r=run: r.step(10)) / 10
    return seconds


def in_turn(folders):
    """Return the seconds of each cell in each folder, the rounds in turn."""
    rounds = {folder: [] for folder in folders}
    for _ in range(ROUNDS):
        for folder in folders:
            command = [sys.executable, __file__, "--one"]
            environment = {**os.environ, "PYTHONPATH": str(folder)}
            output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
            rounds[folder].append(json.loads(output.stdout))
    return rounds


def against(other):
    """Print both checkouts' figures and the median of the rounds' ratios, the largest last."""
    here = Path(__file__).resolve().parents[1]
    ours, theirs = in_turn((here, Path(other).resolve())).values()
    ratios = {}
    for cell in ours[0]:
        mine, others = ([1e6 * times[cell] for times in rounds] for rounds in (ours, theirs))
        ratios[cell] = statistics.median(a / b for a, b in zip(mine, others, strict=True))
        text = f"{statistics.median(others):>10.1f} {statistics.median(mine):>10.1f} us {ratios[cell]:>6.2f}"
        print(f"{cell:<72}{text}", flush=True)
    print(f"{'largest ratio':<72}{max(ratios.values()):>31.2f}")


def large_dense():
    """Print what building and certifying a large dense problem cost in passes X @ w of NumPy's."""
    import workbench as wb

    X, y = dense(ROWS, COLUMNS)
    w = wb.solve(wb.Problem(X[:20_000], y[:20_000], "hinge", lam=1e-5), tol=1e-4).w
    problem = wb.Problem(X, y, "hinge", lam=1e-5)
    best = 1e-3 * w + wb.solve(problem, tol=1e-3).w
    calls = {
        "X @ w": lambda: X @ w,
        "Problem(X, y)": lambda: wb.Problem(X, y, "hinge", lam=1e-5),
        "certificate(w), w = a part's optimum": lambda: wb.certificate(problem, w=w),
        "certificate(w), w near the optimum": lambda: wb.certificate(problem, w=best),
    }
    seconds = {name: fastest(call) for name, call in calls.items()}
    for name, value in seconds.items():
        print(f"{name:<40}{1e3 * value:>10.1f} ms {value / seconds['X @ w']:>8.2f} passes", flush=True)


def main(arguments):
    if arguments[:1] == ["--one"]:
        print(json.dumps(measure()))
    elif arguments[:1] == ["--dense"]:
        large_dense()
    elif arguments[:1] == ["--against"]:
        against(arguments[1])
    else:
        for cell, seconds in measure().items():
            print(f"{cell:<72}{1e6 * seconds:>10.1f} us", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
