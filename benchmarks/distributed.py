"""Problems in parts: rounds by the number of parts, and time, bytes and memory on files.

    python benchmarks/distributed.py rounds [NAME ...]     rounds to gaps of 1e-2, 1e-3, 1e-4 for 1 to 32
    parts
    python benchmarks/distributed.py make FOLDER ROWS      files of 50,000 rows with 50 non-zeros each
    python benchmarks/distributed.py files FOLDER MEMORY   a solve of them by two processes within a bound

Rounds are counted in one process, which computes what the parts would.
"""

import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import workbench as wb
from workbench.distributed import parts, rounds
from workbench.distributed.problem import DistributedProblem, framed

COUNTS, GAPS, MOST, PASSES = (1, 2, 4, 8, 32), (1e-2, 1e-3, 1e-4), 400, 5
SETS = {
    "reuters21578": ({"category": "acq"}, 1e-2), "a9a": ({}, 1e-2), "w8a": ({}, 1e-2),
    "news20": ({"positive": tuple(range(1, 11))}, 1e-3),
}  # fmt: skip
FEATURES, NONZEROS, ROWS = 100_000, 50, 50_000


def simulated(problem, count):
    """The relative gaps after each round with so many parts, to 1e-4."""
    raws = [source.arguments[0] for source in DistributedProblem((problem, count)).sources]
    objective = problem.loss, problem.regularizer, problem.bias, problem.n_features
    held = [parts.prepared(raw, *objective, 0) for raw in raws]
    frame = framed(problem.n_features, problem.loss, problem.regularizer, problem.lam, problem.bias)
    setting = rounds.Setting(problem.n_samples, problem.lam, count, PASSES, 0)
    states = [rounds.begun(part) for part in held]
    shares = (rounds.share_of(part, state) for part, state in zip(held, states, strict=True))
    center, gaps = rounds.first_center(frame, setting, rounds.summed(*shares)), []
    for t in range(MOST):
        states = [rounds.advanced(part, state, center.word, setting, t, k)
                  for k, (part, state) in enumerate(zip(held, states, strict=True))]  # fmt: skip
        center = rounds.combined(frame, setting, center, rounds.added(*map(rounds.told, states)))
        gaps.append((center.primal - center.dual) / max(abs(center.primal), abs(center.dual)))
        if gaps[-1] <= GAPS[-1]:
            break
    return np.array(gaps), center


def count_rounds(names):
    """Print the rounds to each gap, and how far the result is from the optimum of one process."""
    for name in names or SETS:
        options, lam = SETS[name]
        data = wb.data.load(name, **options)
        problem = wb.Problem(data.X, data.y, "hinge", "squared-l2", lam, "constant")
        best = wb.solve(problem, tol=1e-7)
        print(
            f"{name}, hinge, lambda {lam:g}, n {problem.n_samples}; one process: {best.primal:.8g}",
            flush=True,
        )
        for count in COUNTS:
            gaps, center = simulated(problem, count)
            met = [int(np.argmax(gaps <= gap)) + 1 if (gaps <= gap).any() else f">{MOST}" for gap in GAPS]
            off = center.primal / best.primal - 1.0
            print(f"  {count:3d} parts: rounds to 1e-2, 1e-3, 1e-4: {met}, gap {gaps[-1]:.1e}, above by "
                f"{off:.1e}",
                  flush=True)  # fmt: skip


def make(folder, count):
    """Write LIBSVM files of random rows of length 1, labelled by a plane with noise."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    truth = np.random.default_rng(0).normal(size=FEATURES)
    for k in range(int(count) // ROWS):
        rng = np.random.default_rng([1, k])
        columns = np.sort(rng.integers(0, FEATURES, size=(ROWS, NONZEROS)), axis=1)
        X = sp.csr_array((np.full(columns.size, 0.1414), columns.ravel(), np.arange(0, columns.size + 1,
        NONZEROS)),
                         shape=(ROWS, FEATURES))  # fmt: skip
        y = np.where(X @ truth + 0.3 * rng.normal(size=ROWS) > 0.0, "+1", "-1")
        with open(folder / f"part{k:04d}.libsvm", "w", encoding="ascii") as file:
            for label, row in zip(y, columns, strict=True):
                file.write(f"{label} {' '.join(f'{j + 1}:0.1414' for j in dict.fromkeys(row.tolist()))}\n")


def solve_files(folder, memory, lam=1e-5):
    """Solve the files with two processes, twice: first they are converted."""
    problem = wb.DistributedProblem(f"{folder}/part*.libsvm", lam=lam)
    size = sum(path.stat().st_size for path in Path(folder).glob("part*.libsvm"))
    for what in ("converted and solved", "solved again"):
        started = time.perf_counter()
        found = wb.solve(problem, tol=1e-3, workers=2, memory=memory)
        said = found.description
        seconds, mib = time.perf_counter() - started, said["memory"] / 2**20
        print(f"{size / 1e9:.2f} GB, {len(said['parts'])} parts: {what} in {seconds:.0f} s, "
              f"{said['rounds']} rounds of {said['passes']} passes, gap {found.relative_gap:.1e}, "
              f"{said['bytes'] / 1e6:.0f} MB sent, {mib:.0f} MiB a worker", flush=True)  # fmt: skip


if __name__ == "__main__":
    {"rounds": lambda *names: count_rounds(names), "make": make, "files": solve_files}[sys.argv[1]](
        *sys.argv[2:]
    )
