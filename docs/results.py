"""Measure the figures of the site's Reproductions: `python docs/results.py` writes reproductions.json.

`--papers NAME`, which may be repeated, measures these alone; the others stay as they were. `--from FILE`
takes what `workbench reproduce NAME --json` printed earlier.
"""

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from workbench import studies

KEPT = Path(__file__).with_name("reproductions.json")
LIST = re.compile(r"\[[-\d.e+,\snul]*\]")


def measured(*arguments):
    """Return the output of `workbench ... --json`."""
    command = [sys.executable, "-m", "workbench", *arguments, "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def stamp(busy, command):
    """Return when, where and by which command."""
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
    machine += f"Python {platform.python_version()}"
    machine += ", shared with other work" * busy
    return {"date": datetime.date.today().isoformat(), "machine": machine, "command": command}


def as_text(results):
    """Return JSON with lists of numbers on one line each, rounded to six digits."""
    rounded = json.loads(json.dumps(results), parse_float=lambda text: float(f"{float(text):.6g}"))
    text = json.dumps(rounded, indent=1, ensure_ascii=False) + "\n"
    return LIST.sub(lambda match: " ".join(match[0].split()), text)


def recorded(paper, outcome):
    """Return the parts of an outcome that the site shows."""
    parts = ("source", "seeds", "tables", "plots", "claims", "notes")
    return {"title": studies.get(paper).title} | {part: outcome.get(part) for part in parts}


def main():
    """Reproduce papers and store their tables, figures and claims."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--papers", action="append", default=[])
    parser.add_argument("--seeds", help="of the papers' draws, where fewer are enough")
    parser.add_argument("--busy", action="store_true", help="say that the machine had other work")
    parser.add_argument("--from", dest="files", action="append", default=[], type=Path)
    asked = parser.parse_args()
    results = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    outputs = [json.loads(file.read_text("utf-8")) for file in asked.files]
    for name in asked.papers or ([] if outputs else ["all"]):
        arguments = ["reproduce", name, *(["--seeds", asked.seeds] if asked.seeds else [])]
        outputs.append(measured(*arguments))
    for output in outputs:
        for paper, outcome in output["experiments"].items():
            results[paper] = stamp(asked.busy, outcome["command"]) | recorded(paper, outcome)
    KEPT.write_text(as_text(results), encoding="utf-8")


if __name__ == "__main__":
    main()
