"""Measure the figures of the site's Reproductions: `python docs/results.py` writes results.json.

`--papers NAME`, which may be repeated, measures these alone; the others stay as they were, and so does the
race, which `make race` measures.
"""

import argparse
import datetime
import json
import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path

KEPT = Path(__file__).with_name("results.json")


def measured(*arguments):
    """Return the output of `workbench ... --json`."""
    command = [sys.executable, "-m", "workbench", *arguments, "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def stamp(busy, *arguments):
    """When, where and by which command."""
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
    machine += f"Python {platform.python_version()}"
    machine += ", shared with other work" * busy
    command = shlex.join(["workbench", *arguments])
    return {"date": datetime.date.today().isoformat(), "machine": machine, "command": command}


def main():
    """Reproduce papers and store their claims in `results.json`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--papers", action="append", default=[])
    parser.add_argument("--seeds", help="of the papers' draws, where fewer are enough")
    parser.add_argument("--busy", action="store_true", help="say that the machine had other work")
    asked = parser.parse_args()
    results = json.loads(KEPT.read_text("utf-8"))
    for name in asked.papers or ["all"]:
        arguments = ["reproduce", name, *(["--seeds", asked.seeds] if asked.seeds else [])]
        for paper, outcome in measured(*arguments)["experiments"].items():
            said = {part: outcome[part] for part in ("source", "seeds", "claims")}
            results["papers"][paper] = stamp(asked.busy, *arguments) | said
    KEPT.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
