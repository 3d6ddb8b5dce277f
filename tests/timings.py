"""What the last run of the tests took, by file and by kind, from the reports that it left in `build`.

    python tests/timings.py            a table, and the seconds of each file into tests/timings.json

The quick files and the order of the tests follow from that file, so nobody keeps a list by hand.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.table import Table

FOLDER = Path(__file__).resolve().parent
REPORTS = FOLDER.parent / "build"
KEPT = FOLDER / "timings.json"
MOST_ROWS = 40


def cases(reports):
    """(file, kind, seconds) of every test in these reports."""
    for report in reports:
        for case in ElementTree.parse(report).iter("testcase"):
            file = next(part for part in case.get("classname").split(".") if part.startswith("test_"))
            kinds = [each.get("value") for each in case.iter("property") if each.get("name") == "kind"]
            yield f"{file}.py", kinds[0] if kinds else "not run", float(case.get("time"))


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
    reports = sorted(REPORTS.glob("tests*.xml"))
    if not reports:
        sys.exit(f"{REPORTS} holds no report; run: make test")
    files, kinds = defaultdict(lambda: (0, 0.0)), defaultdict(lambda: (0, 0.0))
    for file, kind, seconds in cases(reports):
        for sums, key in ((files, file), (kinds, kind)):
            sums[key] = sums[key][0] + 1, sums[key][1] + seconds
    there = {path.name for path in FOLDER.glob("test_*.py")}
    known = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    known |= {name: round(seconds, 1) for name, (_, seconds) in files.items()}
    kept = {name: known[name] for name in sorted(known) if name in there}
    KEPT.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")
    console = Console()
    console.print(table("kind", kinds), table("file", files))


if __name__ == "__main__":
    main()
