"""nbgrader's part of grading: `nbgrader autograde` has the judge decide in place of the submission's kernel.

`nbgrader_config.py` of the lecturer's pack names it. No kernel is started: the cells of a submission run in a
process that the judge confines (see `grading`), and the locked cells show its sentences as their outputs.
"""

import csv
import json
import math
import secrets
import shlex
from pathlib import Path

import nbformat
from nbgrader import utils
from nbgrader.plugins import ExportPlugin, LateSubmissionPlugin
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Float, Integer, Unicode

from workbench.teaching import grading
from workbench.teaching.grading import CHECKS, FLAGGED, SEEDS
from workbench.teaching.needed import needed
from workbench.teaching.source import CHECK, LOCKED

SAID = "The judge gave no verdict: look at this submission by itself, and grade it again."
NO_VERDICT = {"right": False, "said": SAID, "flags": [SAID]}
# The metadata of a copied cell: the name of the cell that it is a copy of.
COPY = "copy_of"
COPIED = "This cell is in the notebook more than once: all copies were run, in their order; look at this one."
# In place of the 117 kB of style that each page of feedback would bring along.
STYLE = """<style>
body { font-family: sans-serif; line-height: 1.45; }
a { color: #1f5c99; }
pre { white-space: pre-wrap; }
.container { max-width: 60em; margin: auto; }
.panel-heading { background: #eee; padding: 0.4em; }
.nbgrader_cell { border: 1px solid #1f5c99; margin: 1em 0; }
.nbgrader_cell .panel-heading { background: #1f5c99; color: white; }
.pull-right { float: right; }
</style>"""
# Where nbgrader collects submissions unless it is told of another place.
EXCHANGE = "/usr/local/share/nbgrader"


class Copies(NbGraderPreprocessor):
    """Makes a copied cell of a lesson an ordinary one, which `Judge` flags; the last of the copies stays.

    nbgrader's own step leaves it without a version of its format, and grading ends there for all students.
    """

    def preprocess(self, notebook, resources):
        known = set()
        for cell in reversed(notebook.cells):
            if not (utils.is_grade(cell) or utils.is_solution(cell) or utils.is_locked(cell)):
                continue
            grade_id = cell.metadata.nbgrader.grade_id
            if grade_id in known:
                del cell.metadata["nbgrader"]
                cell.metadata[COPY] = grade_id
            known.add(grade_id)
        return notebook, resources


class Judge(NbGraderPreprocessor):
    """Has the judge decide on each locked cell; what it flags stands in flagged/ASSIGNMENT/STUDENT.txt."""

    container = Unicode(help="The command that runs another one in a container.").tag(config=True)

    def preprocess(self, notebook, resources):
        course = self.config.CourseDirectory.root
        seeds = json.loads(Path(course, SEEDS).read_text(encoding="utf-8"))
        cells, graded, checks = [], [], []
        for cell in notebook.cells:
            if utils.is_grade(cell) and not utils.is_solution(cell):
                graded.append(cell)
                match = CHECK.search(cell.source)
                if match and match[1] in seeds:
                    checks.append(cell)
                    cells.append(match.groups())
            elif cell.cell_type == "code":
                cells.append(cell.source)
        request = {
            "nonce": secrets.token_hex(16),
            "checks": str(Path(course, CHECKS)),
            "seeds": seeds,
            "hidden": [course, EXCHANGE],
            "container": shlex.split(self.container),
            "cells": needed(cells, _fixed_cells(Path(course), resources["nbgrader"])),
        }
        answer = grading.judge(request) or {"confined": True, "verdicts": []}
        if not answer["confined"]:
            self.log.warning("This system cannot confine submissions: grade in a container (SECURITY.md).")
        verdicts = dict(zip(map(id, checks), answer["verdicts"], strict=False))
        graded_cells = [(cell, verdicts.get(id(cell), NO_VERDICT)) for cell in graded]
        for cell, verdict in graded_cells:
            cell.outputs = [_output(verdict)]
        flags = [(str(cell.metadata[COPY]), COPIED) for cell in notebook.cells if COPY in cell.metadata]
        for cell, verdict in graded_cells:
            flags += [(cell.metadata.nbgrader.grade_id, flag) for flag in verdict["flags"]]
        self._flag(course, resources["nbgrader"], flags)
        return notebook, resources

    def _flag(self, course, of, flags):
        file = Path(course, FLAGGED, of["assignment"], f"{of['student']}.txt")
        file.unlink(missing_ok=True)
        if flags:
            self.log.warning("Flagged, see %s", file)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{name}: {flag}\n" for name, flag in flags), encoding="utf-8")


class Feedback(NbGraderPreprocessor):
    """Makes pages of feedback small, and shows of a locked cell what its student was given."""

    def preprocess(self, notebook, resources):
        resources["include_css"] = lambda name: STYLE
        for cell in notebook.cells:
            cell.source = cell.source.removesuffix(LOCKED)
        return notebook, resources


class LateDays(LateSubmissionPlugin):
    """Some days late are free; each day begun after them costs a share of the points."""

    free = Integer(0, help="Days late that cost nothing.").tag(config=True)
    share = Float(0.25, help="The share of the points that each further day costs.").tag(config=True)

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        days = math.ceil(total_seconds_late / 86400) - self.free
        return min(1.0, days * self.share) * score if days > 0 else None


class Marks(ExportPlugin):
    """Writes a row for each student: the points of each exercise, what lateness cost, and the sum."""

    def export(self, gradebook):
        rows, columns = {each.id: {} for each in gradebook.students}, []
        for assignment in gradebook.assignments:
            name, late = assignment.name, f"{assignment.name} late"
            cells = [cell.name for notebook in assignment.notebooks for cell in notebook.grade_cells]
            if self.assignment and name not in self.assignment:
                continue
            columns += [*map(_exercise, cells), late]
            for submission in gradebook.assignment_submissions(name):
                row = rows[submission.student.id]
                row[late] = -(submission.late_submission_penalty or 0.0)
                for notebook in submission.notebooks:
                    row |= {_exercise(grade.name): grade.score for grade in notebook.grades}
        with open(self.to or "marks.csv", "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(["student", *columns, "sum"])
            for student, row in sorted(rows.items()):
                if not self.student or student in self.student:
                    table.writerow([student, *(row.get(each, "") for each in columns), sum(row.values())])


def _exercise(cell):
    return cell.removeprefix("check-").replace("-", ".")


def _fixed_cells(course, of):
    """The cells of a lesson in which nothing is to be answered."""
    path = course / "source" / of["assignment"] / f"{of['notebook']}.ipynb"
    cells = nbformat.read(path, as_version=4).cells if path.is_file() else []
    return {cell.source for cell in cells if cell.cell_type == "code" and "nbgrader" not in cell.metadata}


def _output(verdict):
    text = verdict["said"]
    if verdict["right"]:
        return nbformat.v4.new_output("stream", name="stdout", text=f"{text}\n")
    return nbformat.v4.new_output("error", ename="NotYet", evalue=text, traceback=[text])
