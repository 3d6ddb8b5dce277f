"""Counts of right, wrong and open answers for drawn functions: python tests/long/score_drawn.py [class]"""

import argparse
import sys
from collections import Counter

from tests.helpers.drawn_functions import CLASSES, judged, members

FAULTS = ("wrong accepted", "right refused", "over budget", "raw error")


def outcome(deriver, member):
    """("right", ..., or "over budget"; detail; seconds of processor time), within a derivation's budget."""
    import workbench as wb

    try:
        return deriver.run(judged, member)
    except wb.DerivationTimeout as error:
        return "over budget", str(error), 0.0
    except Exception as error:
        return "raw error", f"{type(error).__name__}: {error}", 0.0


def main(arguments=None):
    from workbench.conjugates.convex.worker import Deriver

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(CLASSES), help="classes; all by default")
    parser.add_argument("--count", type=int, default=30, help="members of each")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    faults = 0
    with Deriver() as deriver:
        for name in options.names:
            counts, proofs, longest = Counter(), Counter(), 0.0
            for member in members(name, options.count, options.seed):
                verdict, detail, seconds = outcome(deriver, member)
                counts[verdict] += 1
                proofs[detail] += verdict == "right" and detail in ("proved", "checked", "failed")
                longest = max(seconds, longest)
                if verdict != "right":
                    description = f"{member.text} {member.domain or ''} {member.parameters or ''}"
                    print(f"    {verdict}: {description}: {detail}", flush=True)
            faults += sum(counts[fault] for fault in FAULTS)
            summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("right", *FAULTS, "undecided"))
            statuses = ", ".join(f"{count} {status}" for status, count in proofs.items() if count)
            print(f"{name}: {summary}; of the accepted {statuses}; longest {longest:.1f} s", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
