"""Print the times of the last run of the tests, by file and by kind, from its reports in `build`.

    python tests/corpora/timings.py    a table, and what it says in timings.json and costly.txt beside

The quick files and the order of the tests follow from the seconds of each file, what `make test` leaves to
`make test-long` from the costly cases, and nobody keeps a list by hand.
"""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.table import Table

FOLDER = Path(__file__).resolve().parent
REPORTS = FOLDER.parents[1] / "build"
KEPT, COSTLY = FOLDER / "timings.json", FOLDER / "costly.txt"
# Of a test of many cases, those that take longer run in `make test-long` alone, but for one case and for
# those by which a mutant of the record dies.
COSTLY_SECONDS = 0.5
MUTANTS = FOLDER / "golden" / "mutants.json"
MOST_ROWS = 40


def cases(reports):
    """(file, name, kind, seconds, those without its fixtures) of every test in these reports."""
    for report in reports:
        for case in ElementTree.parse(report).iter("testcase"):
            parts = case.get("classname").split(".")
            file = next((part for part in parts if part.startswith("test_")), None)
            if file is None:  # a file that could not be imported
                continue
            properties = {child.get("name"): child.get("value") for child in case.iter("property")}
            own = float(properties.get("own", 0.0))
            yield (
                f"{file}.py",
                case.get("name"),
                properties.get("kind", "not run"),
                float(case.get("time")),
                own,
            )


def costly(seconds, known):
    """The costly cases of all tests, by the seconds of `file::name`; what did not run stays what it was."""
    tests = defaultdict(list)
    for case in sorted(seconds, key=seconds.get):
        tests[case.partition("[")[0]].append(case)
    chosen = {case for case in known if case.partition("[")[0] in tests and case not in seconds}
    for cases in tests.values():
        chosen |= {case for case in cases[1:] if seconds[case] > COSTLY_SECONDS}
    killers = (mutant.get("killer", "") for mutant in json.loads(MUTANTS.read_text(encoding="utf-8")))
    return sorted(chosen - {re.sub(r"^.*/(?=test_\w+\.py)", "", killer) for killer in killers})


def table(title, sums):
    """Rows of a name, the number of tests and their seconds, the longest first."""
    made = Table("tests", "seconds", "share", title, box=None)
    total = sum(seconds for _, seconds in sums.values())
    rows = sorted(sums.items(), key=lambda item: -item[1][1])
    for name, (count, seconds) in rows[:MOST_ROWS]:
        made.add_row(f"{count}", f"{seconds:.1f}", f"{seconds / total:.1%}", name)
    if rest := rows[MOST_ROWS:]:
        count, seconds = map(sum, zip(*(sums for _, sums in rest), strict=True))
        made.add_row(f"{count}", f"{seconds:.1f}", f"{seconds / total:.1%}", f"{len(rest)} other files")
    made.add_row(f"{sum(count for count, _ in sums.values())}", f"{total:.1f}", "", "all")
    return made


def main():
    reports = sorted(REPORTS.glob("*.xml"))
    if not reports:
        sys.exit(f"{REPORTS} holds no report; run: make test")
    files, kinds, seconds_by_case = defaultdict(lambda: (0, 0.0)), defaultdict(lambda: (0, 0.0)), {}
    for file, name, kind, seconds, own in cases(reports):
        seconds_by_case[f"{file}::{name}"] = own
        for sums, key in ((files, file), (kinds, kind)):
            sums[key] = sums[key][0] + 1, sums[key][1] + seconds
    there = {path.name for path in FOLDER.parent.rglob("test_*.py")}
    known = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    known |= {name: round(seconds, 1) for name, (_, seconds) in files.items()}
    remaining = {name: known[name] for name in sorted(known) if name in there}
    KEPT.write_text(json.dumps(remaining, indent=0) + "\n", encoding="utf-8")
    before = COSTLY.read_text(encoding="utf-8").splitlines() if COSTLY.exists() else []
    COSTLY.write_text("".join(f"{case}\n" for case in costly(seconds_by_case, before)), encoding="utf-8")
    console = Console()
    console.print(table("kind", kinds), table("file", files))


if __name__ == "__main__":
    main()
