"""Compiles the kernels that tests use, and derives the terms, before the processes of the tests begin.

Problems of every pair of a loss, a regularizer, a bias or a kernel with a solver do one step each, and so do
those that solvers take which ask for several things at once. What they do not reach is compiled where it is
first used. Each process compiles for solvers of its own.
"""

import contextlib
import itertools
import os
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor

from workbench._support.errors import InputError
from workbench._support.system import sources, storage

# Losses and regularizers, each with all biases and with and without a kernel.
LOSSES, REGULARIZERS = ("hinge", "squared", "logistic", "multinomial"), ("squared-l2", "l1", "rows-l1l2")
KERNELS = (None, "rbf:gamma=0.5")


def stamp():
    """The file that says that these kernels are there."""
    return storage.cache("tests") / f"kernels-{sources.digest('kernels', 'solvers', state=sys.version)}"


def compile_for(names):
    """Do one step of each of these solvers on a problem of every pair."""
    import workbench as wb
    from tests.long import combinations
    from workbench import solvers

    warnings.simplefilter("ignore")
    parts = itertools.product(LOSSES, REGULARIZERS, combinations.BIASES, KERNELS, names)
    together = itertools.starmap(combinations.Cell, parts)
    for cell in itertools.chain(combinations.sample(0.0, few=True), together):
        # What is derived is compiled for a formula that nobody else has.
        if cell.solver in names and ": " not in cell.loss + cell.regularizer:
            with contextlib.suppress(InputError):
                run = wb.Run(combinations.problem(cell), solvers.get(cell.solver))
                run.step(1)
                run.certificate()


def main():
    if stamp().exists():
        return
    from tests.helpers import derived_terms  # noqa: F401 - it keeps what it derives
    from workbench.solvers import REGISTRY

    names, processes = list(REGISTRY), os.cpu_count() or 1
    with ProcessPoolExecutor(processes) as pool:
        list(pool.map(compile_for, [names[k::processes] for k in range(processes)]))
    storage.write(stamp(), "", sync=False)


if __name__ == "__main__":
    main()
