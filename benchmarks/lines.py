"""Print the hand-written lines of each room beside its budget: Python, JavaScript, docstrings and blanks.

A room above its budget says why in its `__init__`, or is the next to be made smaller.

    python benchmarks/lines.py
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Names of files and of folders that hold what is made of others.
GENERATED = {"formulas.py", "claims.json", "kernels.json", "bundles", "build", "node_modules", "__pycache__"}
# Beside the code: what pages say, show first and look like.
CONTENT = (".json", ".css", ".html")
# Rooms of `workbench` that share a budget, and the budget; "" stands for the modules at the top.
BUDGETS = {
    "convex": 6500,
    "terms codegen derivations": 2300,
    "problem losses regularizers": 3300,
    "certificates gaps bounds": 2100,
    "compiled": 2500,
    "solvers": 5800,
    "": 1600,
    "tables data": 6000,
    "browser": 1500,
    "pages": 13000,
    "server cli faces system": 2700,
    "teaching": 1800,
    "misprints": 1000,
    "experiments": 2000,
    "race": 500,
    "distributed": 900,
    "foreign": 900,
}


def written(folder, pattern="**/*", suffixes=(".py", ".js")):
    """Return the number of lines written by hand in a folder: those of generated files do not count."""
    paths = (path for path in folder.glob(pattern) if path.suffix in suffixes)
    return sum(path.read_bytes().count(b"\n") for path in paths if not GENERATED & {path.name, *path.parts})


def main():
    """Print the table, and the sums of the package and of everything."""
    package = ROOT / "workbench"
    counts = {
        rooms: sum(written(package / room) for room in rooms.split()) if rooms else written(package, "*")
        for rooms in BUDGETS
    }
    rest = written(package) - sum(counts.values())
    for rooms, budget in BUDGETS.items():
        over = "" if counts[rooms] <= budget else f"  {counts[rooms] - budget:+6,}"
        print(f"{rooms or 'top level':32} {counts[rooms]:7,} of {budget:6,}{over}")
    print(f"{'rooms without a budget':32} {rest:7,}")
    print(f"{'package':32} {written(package):7,} of {sum(BUDGETS.values()):6,}")
    beside = ("tests", "benchmarks", "lessons", "apps", "docs")
    sizes = {folder: written(ROOT / folder) for folder in beside}
    for folder, size in sizes.items():
        print(f"{folder:32} {size:7,}")
    print(f"{'everything':32} {written(package) + sum(sizes.values()):7,}")
    content = sum(written(package, f"**/*{suffix}", (suffix,)) for suffix in CONTENT)
    print(f"{'sentences, settings and styles':32} {content:7,}  in the package's files of JSON, CSS and HTML")


if __name__ == "__main__":
    main()
