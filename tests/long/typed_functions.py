"""Functions as they are typed against suprema to 50 digits: domains that simplification loses, tiny and huge
scales, dips far out and half lines.

    python tests/long/typed_functions.py          all functions
    python tests/long/typed_functions.py 20       every 20th
"""

import argparse
import collections
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.helpers.typed_functions import LIMIT_SECONDS, all_functions, judged

FAULTS = ("wrong", "not convex", "raw error", "slow")


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Conjugates of typed functions against 50-digit suprema.")
    parser.add_argument("step", nargs="?", type=int, default=1, help="judge every step-th function")
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    options = parser.parse_args(arguments)
    functions = all_functions()[:: options.step]
    outcomes, longest = collections.Counter(), 0.0
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.workers, mp_context=fresh) as pool:
        for case, (outcome, detail, seconds) in zip(functions, pool.map(judged, functions), strict=True):
            outcome = "slow" if seconds > LIMIT_SECONDS else outcome
            outcomes[outcome] += 1
            longest = max(longest, seconds)
            if outcome not in ("right", "refused"):
                print(f"{outcome}: {case.text} on {case.domain}, {seconds:.1f} s: {detail}", flush=True)
    print(f"{len(functions)} functions, the longest took {longest:.1f} s: {dict(outcomes)}")
    return 1 if any(outcomes[fault] for fault in FAULTS) else 0


if __name__ == "__main__":
    sys.exit(main())
