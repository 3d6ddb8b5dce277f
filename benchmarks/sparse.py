"""The race on sparse weights: best peer's time over ours, to marks on the value; peers that are installed.

python benchmarks/sparse.py                     all cells, five rounds
python benchmarks/sparse.py 3 lasso-500x2000    three rounds of these
"""

import sys

from threadpoolctl import threadpool_limits

from workbench import race


def main(arguments):
    """Print a line for each cell."""
    repeats = int(arguments[0]) if arguments else 5
    names = arguments[1:] or (*race.sparse.NAMES, "elastic-net")
    with threadpool_limits(1):
        for row in race.run(names, repeats):
            seconds = ", ".join(f"{name} {1e3 * spent:.1f}" for name, spent in row.seconds.items())
            ratio = f"{row.ratio:7.2f} over {row.against:12s}"
            print(f"{row.task:40s} {row.mark:7.0e} {ratio} ms: {seconds}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
