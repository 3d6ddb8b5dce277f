"""nbgrader's steps for the lessons: copied cells, kernels that die, late days, the table of marks.

`nbgrader_config.py` of the lecturer's pack adds them to nbgrader's own. A submission runs in nbgrader's
kernel, in the container that the pack starts; docs/in-class.md says what that guards.
"""

import csv
import math
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import DeadKernelError
from nbgrader import utils
from nbgrader.plugins import ExportPlugin, LateSubmissionPlugin
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Float, Integer

# In the lecturer's course: a file for each submission that needs a look.
FLAGGED = "flagged"
# The metadata of a copied cell: the name of the cell that it is a copy of.
COPY = "copy_of"
COPIED = "This cell is in the notebook more than once: all copies were run, in their order; look at this one."
DIED = "This cell ended the kernel; the others were run without it."


class Copies(NbGraderPreprocessor):
    """Make a copied cell of a lesson an ordinary one, which `Run` flags; the last of the copies stays.

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


class Run(Execute):
    """Run a submission as nbgrader does, and again without a cell at which the kernel died.

    Such cells and copied ones stand in flagged/ASSIGNMENT/STUDENT.txt. Of outputs, texts and errors stay.
    """

    def preprocess(self, notebook, resources, km=None):
        flags = [(cell.metadata[COPY], COPIED) for cell in notebook.cells if COPY in cell.metadata]
        while True:
            try:
                super().preprocess(notebook, resources, km)
                break
            except DeadKernelError:
                cell = notebook.cells[self.cell_index]
                cell.metadata.tags = [self.skip_cells_with_tag]
                cell.outputs = [nbformat.v4.new_output("error", ename="DeadKernelError", evalue=DIED)]
                flags.append((cell.metadata.get("nbgrader", {}).get("grade_id", "a cell"), DIED))
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = list(_plain_outputs(cell))
        self._flag(resources["nbgrader"], flags)
        return notebook, resources

    def preprocess_cell(self, cell, resources, cell_index):
        self.cell_index = cell_index
        return super().preprocess_cell(cell, resources, cell_index)

    def _flag(self, names, flags):
        file = Path(self.config.CourseDirectory.root, FLAGGED, names["assignment"], f"{names['student']}.txt")
        file.unlink(missing_ok=True)
        if flags:
            self.log.warning("Flagged, see %s", file)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{name}: {flag}\n" for name, flag in flags), encoding="utf-8")


def _plain_outputs(cell):
    """Yield texts and errors; of a locked cell neither its hidden line nor a warning, which costs points."""
    for output in cell.outputs:
        if output.output_type == "error":
            if utils.is_grade(cell):
                output.traceback = [output.evalue]
            yield output
        elif output.output_type == "stream" and not (utils.is_grade(cell) and output.name == "stderr"):
            yield output


class LateDays(LateSubmissionPlugin):
    """Some days late are free; each day begun after them costs a share of the points."""

    free = Integer(0, help="Days late that cost nothing.").tag(config=True)
    share = Float(0.25, help="The share of the points that each further day costs.").tag(config=True)

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        days = math.ceil(total_seconds_late / 86400) - self.free
        return min(1.0, days * self.share) * score if days > 0 else None


class Marks(ExportPlugin):
    """Write a row for each student, with the id, name and e-mail that the gradebook has.

    For each lesson the points of its exercises, what lateness cost, and its total; at the end the sum.
    """

    def export(self, gradebook):
        rows: dict[str, dict[str, Any]] = {entry.id: {} for entry in gradebook.students}
        people = {
            entry.id: [entry.last_name or "", entry.first_name or "", entry.email or ""]
            for entry in gradebook.students
        }
        columns: list[str] = []
        totals: list[str] = []
        for assignment in gradebook.assignments:
            name = assignment.name
            late, total = f"{name} late", f"{name} total"
            cells = [cell.name for notebook in assignment.notebooks for cell in notebook.grade_cells]
            if self.assignment and name not in self.assignment:
                continue
            columns += [*map(_exercise, cells), late, total]
            totals.append(total)
            for submission in gradebook.assignment_submissions(name):
                row = rows[submission.student.id]
                points = {
                    _exercise(grade.name): grade.score
                    for notebook in submission.notebooks
                    for grade in notebook.grades
                }
                penalty = submission.late_submission_penalty or 0.0
                # 0 and not -0.0 for those in time.
                row |= {**points, late: 0.0 - penalty, total: sum(points.values()) - penalty}
        with Path(self.to or "marks.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(["student", "last name", "first name", "email", *columns, "sum"])
            for student, row in sorted(rows.items()):
                if not self.student or student in self.student:
                    entries = (row.get(column, "") for column in columns)
                    total = sum(row.get(column, 0.0) for column in totals)
                    table.writerow([student, *people[student], *entries, total])


def _exercise(cell):
    return cell.removeprefix("check-").replace("-", ".")
