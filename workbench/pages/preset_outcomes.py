"""Write `conjugates/derivations/outcomes.json`, the presets' derivations, or ``--check`` whether it is stale.

python -m workbench.pages.preset_outcomes
"""

import sys

from workbench.conjugates.convex.worker import Deriver
from workbench.conjugates.derivations import outcomes, sketches
from workbench.pages.conjugates import model as conjugates
from workbench.pages.simplex import model as simplex
from workbench.pages.transfer import model as transfer

LIMIT = 120.0  # seconds of processor time for each
PROCESSES = 2
FIX = "run: python -m workbench.pages.preset_outcomes"


def requests():
    """Return the requests of the pages before anything is typed or moved: (function, *arguments)."""
    calls = []
    for preset in conjugates.PRESETS.values():
        calls.append((preset.sketch, *conjugates.request(preset), preset.entry))
    calls += [("transfer", shape.script) for shape in transfer.SHAPES.values() if shape.script]
    calls += [("simplex", *simplex.request(phi)) for phi in simplex.ENTROPIES]
    return calls


def derive():
    """The outcomes of the presets by key, with the curves of those that have no closed form."""
    with Deriver(places=PROCESSES) as deriver:
        first = _outcomes(deriver, requests())
        tables = []
        for function, *arguments in requests():
            outcome = first[outcomes.key(function, *arguments)]
            if function == "pair" and conjugates.tabled(outcome):
                numbers = ()  # as the page asks where there are no parameters
                if outcome["ranges"]:
                    raise ValueError(f"{arguments[0]}: its table follows sliders, so it cannot be shipped")
                tables += [
                    ("table", *arguments[:3], name, tuple(conjugates.TABLE), numbers)
                    for name in conjugates.tabled(outcome)
                ]
        return first | _outcomes(deriver, tables)


def _outcomes(deriver, calls):
    futures = {
        outcomes.key(function, *arguments): deriver.submit(
            getattr(sketches, function), *arguments, timeout=LIMIT
        )
        for function, *arguments in calls
    }
    return {key: future.result() for key, future in futures.items()}


def main(arguments):
    if "--check" not in arguments:
        outcomes.ship(derive())
        return 0
    shipped = outcomes.shipped()
    if shipped and all(outcomes.key(*request) in shipped for request in requests()):
        return 0
    print(f"{outcomes.SHIPPED} is stale; {FIX}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
