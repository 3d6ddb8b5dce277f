"""Print the hand-written lines of each room beside its budget: Python, JavaScript, docstrings and blanks.

A budget is what a room had when it was last lowered; an issue that adds raises it openly.

    python benchmarks/lines.py            print the table
    python benchmarks/lines.py --check    fail where a room exceeds its budget
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Names of files and of folders that hold what is made of others.
GENERATED = {"formulas.py", "claims.json", "kernels.json", "bundles", "build", "node_modules", "__pycache__"}
# Beside the code: what pages say, show first and look like.
CONTENT = (".json", ".css", ".html")
BUDGETS = {
    "_support": 2_837,
    "conjugates": 16_722,
    "kernels": 3_607,
    "problems": 6_930,
    "certificates": 3_539,
    "solvers": 11_764,
    "data": 5_946,
    "estimators": 2_062,
    "studies": 4_832,
    "pages": 35_953,
    "teaching": 2_817,
    "cli": 2_419,
}


def written(folder, pattern="**/*", suffixes=(".py", ".js")):
    """Return the number of lines written by hand in a folder: those of generated files do not count."""
    paths = (path for path in folder.glob(pattern) if path.suffix in suffixes)
    return sum(path.read_bytes().count(b"\n") for path in paths if not GENERATED & {path.name, *path.parts})


def main():
    """Print the table and the sums; with --check print the rooms above their budget alone, and return 1."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail where a room exceeds its budget")
    package, check = ROOT / "workbench", parser.parse_args().check
    counts = {room: written(package / room) for room in BUDGETS}
    above = {room: count for room, count in counts.items() if count > BUDGETS[room]}
    for room, count in (above if check else counts).items():
        over = f"  {count - BUDGETS[room]:+6,}" if room in above else ""
        print(f"{room:32} {count:7,} of {BUDGETS[room]:6,}{over}")
    if check:
        return int(bool(above))
    print(f"{'package':32} {written(package):7,} of {sum(BUDGETS.values()):6,}")
    sizes = {folder: written(ROOT / folder) for folder in ("tests", "benchmarks", "lessons", "apps", "docs")}
    for folder, size in sizes.items():
        print(f"{folder:32} {size:7,}")
    print(f"{'everything':32} {written(package) + sum(sizes.values()):7,}")
    content = sum(written(package, f"**/*{suffix}", (suffix,)) for suffix in CONTENT)
    print(f"{'sentences, settings and styles':32} {content:7,}  in the package's files of JSON, CSS and HTML")
    return 0


if __name__ == "__main__":
    sys.exit(main())
