"""The minutes of each lesson, by counting what a student reads and does.

    python lessons/times.py            the counts, and whether lessons and README show what follows from them
    python lessons/times.py --write    writes these minutes into the sources and into the tables of the README

The rates below are assumptions, one for each kind of work, and nobody's clock: change one, and all follow.
After writing, `python -m workbench.teaching.source` makes the students' copies anew.
"""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Minutes for one of each.
RATES = {
    "words": 1 / 130,  # read with a pencil, about half the speed of a novel
    "formulas": 1 / 12,  # within a line
    "displays": 1,  # on a line of their own
    "lines": 1 / 10,  # of code that is there
    "predictions": 2,
    "problems": 2,  # short ones, three a lesson
    "exercises": 5,
    "proofs": 10,
    "last": 30,  # the exercise that builds something
}
PROBLEMS = 3
STATED = re.compile(r"\*\*About (\d+) minutes\.\*\*")
# A day or a week of the syllabus: its lessons, and the sum of their minutes.
SPAN = re.compile(r"(?m)^(\| \d+ \| )([\d, ]+)( \| )(\d+)( \|)")
ROW = r"(?m)^(\| `{name}` \| )(\d+)( \|)"


def counts(cells):
    """How much there is of each kind of `RATES` in the cells of a student's copy."""
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    exercises = re.findall(r"(?m)^### Exercise [\d.]+(: the proof)?", text)
    proofs = sum(map(bool, exercises))
    found = {"displays": len(re.findall(r"\$\$.+?\$\$", text, re.DOTALL))}
    text = re.sub(r"\$\$.+?\$\$", " ", text, flags=re.DOTALL)
    found["formulas"] = len(re.findall(r"\$[^$]+\$", text))
    found["words"] = len(re.sub(r"\$[^$]+\$", " ", text).split())
    found["lines"] = sum(bool(line.strip()) for line in code.splitlines())
    found["predictions"] = text.count("**My prediction**")
    found |= {"problems": PROBLEMS, "exercises": len(exercises) - proofs - 1, "proofs": proofs, "last": 1}
    return found


def minutes(found):
    """The time for what was counted, to five minutes."""
    return 5 * round(sum(RATES[kind] * count for kind, count in found.items()) / 5)


def stated(name):
    """The minutes that a lesson's source shows, and those of the table."""
    source = STATED.findall((HERE / "sources" / f"{name}.ipynb").read_text(encoding="utf-8"))
    rows = re.findall(ROW.format(name=name), (HERE / "README.md").read_text(encoding="utf-8"))
    return [int(each) for each in source] + [int(row[1]) for row in rows]


def write(name, due):
    """Put the minutes into a lesson's source and into the table."""
    for path, pattern, text in (
        (HERE / "sources" / f"{name}.ipynb", STATED, f"**About {due} minutes.**"),
        (HERE / "README.md", re.compile(ROW.format(name=name)), rf"\g<1>{due}\g<3>"),
    ):
        path.write_text(pattern.sub(text, path.read_text(encoding="utf-8")), encoding="utf-8")


def syllabus(due):
    """The README as it is, and with the sums of its syllabus for these minutes, by a lesson's number."""

    def row(found):
        total = sum(due[int(number)] for number in found[2].split(","))
        return f"{found[1]}{found[2]}{found[3]}{total}{found[5]}"

    text = (HERE / "README.md").read_text(encoding="utf-8")
    return text, SPAN.sub(row, text)


def lessons():
    """The name and the counts of each lesson."""
    for path in sorted(HERE.glob("[0-9]*.ipynb")):
        yield path.stem, counts(json.loads(path.read_text(encoding="utf-8"))["cells"])


def main():
    other, all_due = [], {}
    for name, found in lessons():
        due = all_due[int(name[:2])] = minutes(found)
        if "--write" in sys.argv[1:]:
            write(name, due)
        if stated(name) != [due, due]:
            other.append(f"{name}: {due} minutes are counted, and lesson and README show {stated(name)}")
        print(f"{name:24} {due:4} minutes", *(f"{count} {kind}" for kind, count in found.items()), sep="  ")
    before, after = syllabus(all_due)
    if "--write" in sys.argv[1:]:
        (HERE / "README.md").write_text(after, encoding="utf-8")
    elif before != after:
        other.append("the syllabus of the README has other sums")
    print(*other, sep="\n", end="\n" if other else "")
    return bool(other)


if __name__ == "__main__":
    sys.exit(main())
