"""Distances to a goal as PGS goes on, over sizes of the training set: what the page records.

    python -m workbench.pages.inverse_time.curves            write the curves of the presets
    python -m workbench.pages.inverse_time.curves --check    say whether they are stale

Steps to a target are the first look at which the distance is at most the target, so one record serves all
targets. L-BFGS stands beside PGS where the loss is smooth.
"""

import functools
import lzma
import sys
from pathlib import Path

import numpy as np

from workbench import solve
from workbench._support.errors import InputError
from workbench._support.system import sources
from workbench.pages.hosts import blocks
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.server.turns import Remembered, result_of
from workbench.solvers import LBFGS
from workbench.solvers.run import Run

# The steps at which the distance is computed.
LOOKS = np.unique(np.round(2.0 ** np.arange(3, np.log2(inverse_time.MAX_STEPS) + 0.01, 0.25)).astype(int))
MAX_ITERATIONS = 60
# L-BFGS scatters little over training sets; it ends where an iteration moves its weights by less than this.
REFERENCES, REST = 3, 1e-6
# The settings by which a curve differs; steps to any target are read off it.
NAMES = ("source", "loss", "p", "lam", "batch", "order", "measure", "seeds")
# Of a lower bound for the suboptimality: this share of the smallest target.
SHARE, LEAST_EPOCHS = 0.01, 2000
FILE = Path(__file__).with_name("curves.xz")
FIX = "run: python -m workbench.pages.inverse_time.curves"
MADE_BY = (
    *("pages/inverse_time/model.py", "pages/inverse_time/curves.py", "data/examples/gaussians.py"),
    *("solvers/algorithms/_primal_steps.py", "solvers/algorithms/lbfgs.py"),
)


def curve(settings):
    """Compute the distances of all training sets, the least so far, as work of a piece a training set.

    Returns
    -------
    dict
        "m" (sizes,), "looks" (looks,), "distances" (sizes, seeds, looks) of PGS, "reference" (sizes, seeds,
        iterations) of L-BFGS, empty without it; and for the theorems "length" and "G".
    """
    sizes, seeds = inverse_time.sizes(settings["source"]), settings["seeds"]
    distances = np.empty((len(sizes), seeds, LOOKS.size), dtype=np.float32)
    reference = np.empty((len(sizes), min(seeds, REFERENCES), MAX_ITERATIONS), dtype=np.float32)
    for place, m in enumerate(sizes):
        for seed in range(seeds):
            yield
            distances[place, seed], lbfgs = cell(settings, m, seed)
            if seed < REFERENCES:
                reference[place, seed] = lbfgs
    largest = inverse_time.make_problem(settings, sizes[-1], 0)
    return {
        "m": np.array(sizes, dtype=np.uint32),
        "looks": LOOKS.astype(np.uint32),
        "distances": distances,
        "reference": reference if np.isfinite(reference).any() else reference[:, :0],
        "length": inverse_time.length(largest),
        "G": inverse_time.regularized_reference(settings),
    }


def cell(settings, m, seed):
    """Return the least distance so far of one training set at each look of PGS, and iteration of L-BFGS."""
    problem = inverse_time.make_problem(settings, m, seed)
    lower = lower_bound(problem) if settings["measure"] == "Suboptimality" else 0.0
    goal = inverse_time.Goal(settings, problem, lower)
    run = Run(problem, inverse_time.make_solver(settings, problem.n_samples), seed=seed)
    distances = []
    for steps in LOOKS:
        run.step(int(steps) - run.steps)
        distances.append(goal.distance(run.solver.point(run.state)["w"]))
    reference = np.full(MAX_ITERATIONS, np.inf)
    if seed < REFERENCES:
        lbfgs = _lbfgs(problem, goal)
        reference[: len(lbfgs)] = lbfgs
    return np.minimum.accumulate(distances), np.minimum.accumulate(reference)


def lower_bound(problem):
    """Return a certified lower bound of the problem, close to its value."""
    accuracy = SHARE * inverse_time.InverseTime.param["target"].bounds[0]
    return solve(smooth(problem), tol=accuracy / problem.zero_value, max_epochs=LEAST_EPOCHS).dual


def smooth(problem):
    """Return the same objective with a regularizer that other solvers take: |w|_p^2 / 2 and lam / (p - 1)."""
    p = problem.regularizer.p
    regularizer = "squared-l2" if p == 2.0 else f"q-norm:q={p!r}"
    return problem.replace(regularizer=regularizer, lam=problem.lam / (p - 1.0))


def _lbfgs(problem, goal):
    """Return the distance after each iteration until the weights rest; none if the problem is not smooth."""
    distances, before = [], np.inf
    try:
        run = Run(smooth(problem), LBFGS())
        while len(distances) < MAX_ITERATIONS and run.step():
            w = run.state.w.copy()
            distances.append(goal.distance(w))
            if np.linalg.norm(w - before) <= REST * np.linalg.norm(w):
                break
            before = w
    except InputError:
        return []
    return distances


# Those of the presets


def preset_settings():
    """Return the settings of each preset by which its curve differs."""
    usual = {name: inverse_time.InverseTime.param[name].default for name in NAMES}
    return [
        usual | {name: value for name, value in preset.items() if name in NAMES}
        for preset in inverse_time.PRESETS.values()
    ]


def key(settings):
    """Return the settings by which a curve differs, as one value."""
    return repr([settings[name] for name in NAMES])


def digest():
    """Return a fingerprint of the sources by which curves are made."""
    return sources.digest(*MADE_BY)


@functools.cache
def recorded():
    """Return the recorded curves by key; none where they are stale."""
    record = blocks.opened(lzma.decompress(FILE.read_bytes()))
    return record["curves"] if record["digest"] == digest() else {}


COMPUTED = Remembered(32)


def known(settings):
    """Find a curve, recorded or computed once for all visitors, as work in pieces."""
    result = recorded().get(key(settings))
    return (yield from COMPUTED.steps(key(settings), curve(settings))) if result is None else result


def main(arguments):
    if "--check" in arguments:
        is_fresh = {key(settings) for settings in preset_settings()} == set(recorded())
        if not is_fresh:
            print(f"{FILE} is stale; {FIX}", file=sys.stderr)
        return int(not is_fresh)
    curves = {key(settings): result_of(curve(settings)) for settings in preset_settings()}
    FILE.write_bytes(lzma.compress(blocks.packed({"digest": digest(), "curves": curves})))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
