"""Draw problems over losses, regularizers, biases, shapes and scales: what `auto` reaches in a time.

    python tests/long/score_auto.py 400            400 problems
    python tests/long/score_auto.py 40 --seed 7    others
    python tests/long/score_auto.py --only 13      problem 13 of that seed alone
    python tests/long/score_auto.py --several      classes, or several columns of y, with norms of a matrix

A problem counts as solved where the certified relative gap is 1e-6 or less within 30 s of processor time,
or where the solvers that could be asked of it, each alone, do not get there either: the rest is listed.
"""

import argparse
import time
import warnings
from collections import Counter
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp

import workbench as wb
from workbench._support.errors import InputError
from workbench.solvers import auto
from workbench.solvers import run as runs
from workbench.solvers.in_turn import solve_in_turn

TOL, SECONDS = 1e-6, 30.0
MARGINS = (
    "hinge",
    "squared-hinge",
    "smoothed-hinge",
    "logistic",
    "hinge:p=1.5",
    "own: max(0, 1 - u, 2 - 3*u)",
)
RESIDUALS = (
    "squared",
    "huber",
    "epsilon-insensitive:epsilon=0.1",
    "epsilon-insensitive:epsilon=0.1,p=2",
    "own: max(u/4, -3*u/4)",
)
REGULARIZERS = (
    "squared-l2",
    "elastic-net:epsilon=0.1",
    "l1",
    "l2",
    "linf",
    "group-l1l2:size=5",
    "group-l1linf:size=5",
    "sparse-group:size=5,share=0.5",
    "q-norm:q=1.5",
)
OF_MATRICES = (
    "squared-l2",
    "elastic-net:epsilon=0.1",
    "l1",
    "rows-l1l2",
    "rows-l1linf",
    "linf",
    "trace",
    "group-l1l2:size=5",
)
OUTPUTS = 3
SHAPES = ((60, 10), (400, 30), (2000, 20), (80, 300), (300, 100), (1000, 400))


def drawn(seed, k, several=False):
    """Problem k of a seed, and how it is called; with `several`, one of classes or columns of y."""
    rng = np.random.default_rng([seed, k])
    n, d = SHAPES[rng.integers(len(SHAPES))]
    kind = ("margin", "residual")[rng.integers(2)]
    loss = str(rng.choice(MARGINS if kind == "margin" else RESIDUALS))
    regularizer, bias = str(rng.choice(REGULARIZERS)), (False, "constant", True)[rng.integers(3)]
    if several:
        loss, regularizer = "multinomial" if kind == "margin" else loss, str(rng.choice(OF_MATRICES))
        bias = bias if kind == "margin" else False
    lam, scales, sparse = 10.0 ** rng.uniform(-5, -1), rng.choice([0.0, 0.0, 2.0]), rng.random() < 0.3
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.3 * rng.normal(size=(d, d)) / np.sqrt(d))
    if sparse:
        X *= rng.random((n, d)) < 0.1
    X *= 10.0 ** rng.uniform(-scales, scales, d)
    shape = (OUTPUTS,) * several
    sizes = np.maximum(np.abs(X).max(axis=0), 1e-9).reshape(d, *np.ones_like(shape))
    z = X @ (rng.normal(size=(d, *shape)) * (rng.random((d, *shape)) < 0.3) / sizes)
    z += 0.3 * rng.normal(size=(n, *shape))
    y = np.where(z > np.median(z), 1.0, -1.0) if kind == "margin" else z
    if several and kind == "margin":
        y = z.argmax(axis=1)
    own = loss.removeprefix("own: ")
    chosen = loss if own == loss else wb.losses.custom(own, kind=kind)
    X = sp.csr_array(X) if sparse else X
    named = f"{loss} {regularizer} lam={lam:.1e} bias={bias} {n} x {d}{' sparse' * sparse} scales={scales:g}"
    return wb.Problem(X, y, chosen, regularizer, lam, bias=bias), named


def reached(problem, solver):
    """(relative gap, seconds of processor time, name) of a solver within the time."""
    # The clock of the wall counts other programs, too: a run's seconds are those of this one.
    runs.time = SimpleNamespace(perf_counter=time.process_time)
    started = time.process_time()

    def stop():
        return time.process_time() - started > SECONDS

    if solver == auto.NAME:
        turns = solve_in_turn(problem, TOL, stop=stop)
    else:
        turns = [wb.Run(problem, solver)]
        turns[0].until(TOL, 10**6, stop)
    best = min(run.best.relative_gap for run in turns)
    return best, time.process_time() - started, wb.Solution.of(*turns).solver


def judged(problem):
    """(verdict, what `auto` did as text)."""
    try:
        gap, seconds, name = reached(problem, auto.NAME)
    except InputError as error:
        return "refused", str(error)
    text = f"{name}: gap {gap:.1e} in {seconds:.1f} s"
    if gap <= TOL:
        return "solved", text
    for other, _ in auto.candidates(problem):
        try:
            gap, seconds, _ = reached(problem, other)
        except InputError:
            continue
        if gap <= TOL:
            return "missed", f"{text}; {other} gets there in {seconds:.1f} s"
    return "open", text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--several", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    counts, names = Counter(), Counter()
    for k in range(options.count) if options.only is None else [options.only]:
        problem, named = drawn(options.seed, k, options.several)
        verdict, text = judged(problem)
        counts[verdict] += 1
        names[text.split(":")[0]] += verdict == "solved"
        if verdict != "solved":
            print(f"{k} {verdict}: {named}; {text}", flush=True)
        if (k + 1) % 20 == 0:
            print(k + 1, dict(counts), flush=True)
    print(dict(counts), dict(names))


if __name__ == "__main__":
    main()
