"""Compiles the kernels that tests use, and derives the terms, in one process before those of the tests begin.

Problems of every pair of a loss, a regularizer, a bias or a kernel with a solver do one step each. What they
do not reach is compiled where it is first used.
"""

import contextlib
import sys
import warnings

import combinations

import workbench as wb
from workbench import solvers
from workbench.errors import InputError
from workbench.system import sources, storage


def stamp():
    """The file that says that these kernels are there."""
    roots = [(path, sources.WHOLE) for room in ("compiled", "solvers") for path in folder(room)]
    return storage.cache("tests") / f"kernels-{sources.digest(*roots, state=sys.version)}"


def folder(room):
    return sorted((sources.PACKAGE / room).glob("*.py"))


def main():
    if stamp().exists():
        return
    import derived_terms  # noqa: F401 - it keeps what it derives

    warnings.simplefilter("ignore")
    for cell in combinations.sample(0.0, few=True):
        # What is derived is compiled for a formula that nobody else has.
        if ": " not in cell.loss + cell.regularizer:
            with contextlib.suppress(InputError):
                run = wb.Run(combinations.problem(cell), solvers.get(cell.solver))
                run.step(1)
                run.certificate()
    storage.write(stamp(), "", sync=False)


if __name__ == "__main__":
    main()
