"""Problems in parts: rounds by the number of parts, and time, bytes and memory on files.

    python benchmarks/parts.py rounds [NAME ...]     rounds of CoCoA+ to three gaps for 1 to 32 parts
    python benchmarks/parts.py newton                both methods on a9a and artificial data, seconds too
    python benchmarks/parts.py make FOLDER ROWS      files of 50,000 rows with 50 non-zeros each
    python benchmarks/parts.py files FOLDER MEMORY   a solve of them by two processes within a bound
    python benchmarks/parts.py others FOLDER         the same rows in one process, and by scikit-learn

Rounds are counted in one process, which computes what the parts would. Of `newton`, Newton's method has
as many blocks as workers, the default, and as many as parts, as coordinate steps have.
"""

import itertools
import resource
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import workbench as wb
from workbench.studies import cluster
from workbench.studies.distributed import parts, rounds, solving
from workbench.studies.distributed.problem import DistributedProblem, framed

COUNTS, GAPS, MOST, PASSES = (1, 2, 4, 8, 32), (1e-2, 1e-3, 1e-4), 400, 5
SETS = {
    "reuters21578": ({"category": "acq"}, 1e-2),
    "a9a": ({}, 1e-2),
    "w8a": ({}, 1e-2),
    "news20": ({"positive": tuple(range(1, 11))}, 1e-3),
}
FEATURES, NONZEROS, ROWS = 100_000, 50, 50_000


def simulated(problem, count, method=rounds, goal=GAPS[-1], most=MOST):
    """Return the relative gap after each round with a number of blocks, and the last certificate."""
    raws = [source.arguments[0] for source in DistributedProblem((problem, count)).sources]
    objective = problem.loss, problem.regularizer, problem.bias, problem.n_features
    blocks = [(parts.prepared(raw, *objective, 0),) for raw in raws]
    frame = framed(problem.n_features, problem.loss, problem.regularizer, problem.lam, problem.bias)
    setting = rounds.Setting(problem.n_samples, problem.lam, count, PASSES, 0)
    states, gaps = [method.begin(block, setting) for block in blocks], []
    center = method.first_center(frame, setting, method.added(*map(method.message, blocks, states)))
    for t in range(most):
        word = center.word
        states = [
            method.advanced(block, state, word, setting, t, k)
            for k, (block, state) in enumerate(zip(blocks, states, strict=True))
        ]
        center = method.combined(frame, setting, center, method.added(*map(method.message, blocks, states)))
        gaps.append((center.primal - center.dual) / max(abs(center.primal), abs(center.dual)))
        if gaps[-1] <= goal:
            break
    word = center.word
    shares = [
        rounds.judge(block, method.alpha_of(state, word), center.best)
        for block, state in zip(blocks, states, strict=True)
    ]
    return np.array(gaps), solving.assembled(frame, problem.n_samples, shares, center.best)


def count_rounds(names):
    """Print the rounds to each gap, and how far the result is from the optimum of one process."""
    for name in names or SETS:
        options, lam = SETS[name]
        data = wb.data.load(name, **options)
        problem = wb.Problem(data.X, data.y, "hinge", "squared-l2", lam, "constant")
        best = wb.solve(problem, tol=1e-7)
        print(f"{name}, hinge, lambda {lam:g}, n {problem.n_samples}: {best.primal:.8g}", flush=True)
        for count in COUNTS:
            gaps, point = simulated(problem, count)
            met = [int(np.argmax(gaps <= gap)) + 1 if (gaps <= gap).any() else f">{MOST}" for gap in GAPS]
            print(
                f"  {count:3d} parts: rounds to 1e-2, 1e-3, 1e-4: {met}, certified {point.relative_gap:.1e}, "
                f"above by {point.primal / best.primal - 1.0:.1e}",
                flush=True,
            )


def make(folder, count):
    """Write LIBSVM files of random rows of length 1, labelled by a plane with noise."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    truth = np.random.default_rng(0).normal(size=FEATURES)
    for k in range(int(count) // ROWS):
        rng = np.random.default_rng([1, k])
        columns = np.sort(rng.integers(0, FEATURES, size=(ROWS, NONZEROS)), axis=1)
        ends = np.arange(0, columns.size + 1, NONZEROS)
        X = sp.csr_array((np.full(columns.size, 0.1414), columns.ravel(), ends), shape=(ROWS, FEATURES))
        y = np.where(X @ truth + 0.3 * rng.normal(size=ROWS) > 0.0, "+1", "-1")
        with (folder / f"part{k:04d}.libsvm").open("w", encoding="ascii") as file:
            for label, row in zip(y, columns, strict=True):
                file.write(f"{label} {' '.join(f'{j + 1}:0.1414' for j in dict.fromkeys(row.tolist()))}\n")


def cut(folder, lam):
    """Return the problem whose parts are the files."""
    return wb.DistributedProblem(f"{folder}/part*.libsvm", lam=lam)


def solve_files(folder, memory, lam=1e-5):
    """Solve the files with two processes, twice: first they are converted."""
    problem = cut(folder, lam)
    size = sum(path.stat().st_size for path in Path(folder).glob("part*.libsvm"))
    for what in ("converted and solved", "solved again"):
        started = time.perf_counter()
        solution = wb.solve(problem, tol=1e-3, workers=2, memory=memory)
        said = solution.description
        seconds, mib = time.perf_counter() - started, said["memory"] / 2**20
        print(
            f"{size / 1e9:.2f} GB, {len(said['parts'])} parts: {what} in {seconds:.0f} s, "
            f"{said['rounds']} rounds of {said['passes']} passes, gap {solution.relative_gap:.1e}, "
            f"{said['bytes'] / 1e6:.0f} MB sent, {mib:.0f} MiB a worker",
            flush=True,
        )


def solve_by_others(folder, lam=1e-5):
    """Solve the rows of the files in this process: by the workbench, liblinear and scikit-learn's SGD."""
    from sklearn.linear_model import SGDClassifier
    from sklearn.svm import LinearSVC

    whole, rows, targets, started = cut(folder, lam), [], [], time.perf_counter()
    for source in whole.sources:
        raw = source.function(*source.arguments)
        objective = whole.loss, whole.regularizer, False, FEATURES
        part_problem = parts.prepared(raw, *objective, raw.look.first).problem()
        rows.append(part_problem.design.rows.copy())
        targets.append(part_problem.y.copy())
    X, y = sp.vstack(rows, format="csr"), np.concatenate(targets)
    del rows
    print(f"{X.shape[0]} rows read in {time.perf_counter() - started:.0f} s", flush=True)
    problem = wb.Problem(X, y, lam=lam)
    models = {
        "one process": lambda: wb.solve(problem, tol=1e-3).w,
        "liblinear": lambda: (
            LinearSVC(C=1.0 / (lam * y.size), loss="hinge", fit_intercept=False, tol=0.1).fit(X, y).coef_[0]
        ),
        "SGD, 5 epochs": lambda: (
            SGDClassifier(alpha=lam, fit_intercept=False, max_iter=5, tol=None).fit(X, y).coef_[0]
        ),
    }
    for name, fit in models.items():
        started = time.perf_counter()
        w = fit()
        seconds, value = time.perf_counter() - started, wb.certificate(problem, w=w).primal
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
        print(f"{name}: {seconds:.1f} s, objective {value:.6f}, at most {peak:.0f} MiB so far", flush=True)


def compare_methods():
    """Print rounds, epochs and seconds to 1e-3 on two workers, by the number of parts."""
    ways = [(method, by_part) for method in solving.METHODS for by_part in (False, True)]
    ways.remove(("cocoa+", False))
    with cluster.connected(None, 2, 2, solving.SETTINGS, memory_limit=0) as client:
        for name in ("a9a", "zhang-artificial"):
            data, lam = wb.data.load(name), 1e-4
            for loss in ("logistic", "hinge"):
                problem = wb.Problem(data.X, data.y, loss, "squared-l2", lam, "constant")
                for (method, by_part), count in itertools.product(ways, (2, 8, 32)):
                    blocks = count if by_part else None
                    options = {"client": client, "tol": 1e-3, "method": method, "blocks": blocks}
                    started = time.perf_counter()
                    solution = wb.solve(DistributedProblem((problem, count)), **options)
                    print(
                        f"{name}, {loss}, lambda {lam:g}, {method}, {count} parts"
                        f"{' and blocks' if by_part else ''}: {solution.status}, "
                        f"{solution.description['rounds']} rounds, {solution.epochs:g} epochs, "
                        f"{time.perf_counter() - started:.1f} s, gap {solution.relative_gap:.1e}",
                        flush=True,
                    )


COMMANDS = {
    "rounds": lambda *names: count_rounds(names),
    "newton": compare_methods,
    "make": make,
    "files": solve_files,
    "others": solve_by_others,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
