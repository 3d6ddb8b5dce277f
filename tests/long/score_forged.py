"""Count the forged proofs that the checker accepts, and check that what they state still holds.

    python tests/long/score_forged.py                  every forgery of every genuine proof
    python tests/long/score_forged.py --drawn 200      and 200 drawn changes of each genuine proof
    python tests/long/score_forged.py --family names   those of one family ("drawn" for the drawn ones)

Each accepted forgery is put to an oracle of numeric suprema; the exit code is 0 where none is contradicted.
"""

import argparse
import json
import sys
import time
from collections import Counter

from tests.corpora.forged_proofs import GENUINE, drawn, forgeries
from tests.helpers.proof_oracle import counterexample
from workbench.conjugates.convex.checker import claims

SECONDS = 20.0


def accepted(proof):
    """True if every claim is shown; the first that is not ends the check."""
    try:
        read = claims.Proof(proof)
    except claims.ProofError:
        return False
    return not any(getattr(read, name)() for name in claims.NAMES)


def judged(proof):
    """("rejected" | "true" | "false", the contradiction) of a proof."""
    if not accepted(proof):
        return "rejected", ""
    problem = counterexample(proof)
    return ("false" if problem else "true"), problem


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--drawn", type=int, default=0)
    parser.add_argument("--family", default="")
    parser.add_argument("--names", default="")
    options = parser.parse_args()
    counts, wrong, slowest = Counter(), [], (0.0, "", "")
    for name in [name for name in GENUINE if options.names in name]:
        rows = [*forgeries(name), *(("drawn", drawn(name, k, 1 + k % 3)) for k in range(options.drawn))]
        seen = set()
        for family, proof in rows:
            key = json.dumps(proof)
            if key in seen or proof == GENUINE[name] or (options.family and family != options.family):
                continue
            seen.add(key)
            start = time.process_time()
            outcome, problem = judged(proof)
            slowest = max(slowest, (time.process_time() - start, name, family))
            counts[family, outcome] += 1
            if outcome == "false":
                wrong.append((name, family, problem, key))
                print(f"FALSE {name} ({family}): {problem}\n  {key}", flush=True)
    for (family, outcome), count in sorted(counts.items()):
        print(f"{family:14s} {outcome:9s} {count}")
    print(f"{sum(counts.values())} forgeries, {len(wrong)} accepted and false; slowest {slowest}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
