"""nbgrader's steps for the lessons: files and cells that need a look, late days, the table of marks.

`nbgrader_config.py` of the lecturer's pack adds them to nbgrader's own. A submission runs in nbgrader's
kernel, in the container that the pack starts; docs/in-class.md says what that guards.
"""

import csv
import filecmp
import math
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import DeadKernelError
from nbconvert.exporters import NotebookExporter
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.nbgraderformat.common import BaseMetadataValidator
from nbgrader.plugins import ExportPlugin, LateSubmissionPlugin
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Float, Integer

from workbench._support.system.lessons import CHECK
from workbench.teaching.undefined import why_undefined

# In the lecturer's course: a file for each submission that needs a look.
FLAGGED = "flagged"
# The metadata of a notebook between the steps: (name of the cell, sentence) of each flag.
FLAGS = "flags"
COPIED = "This cell is in the notebook more than once: all copies were run, in their order; look at this one."
DIED = "This cell ended the kernel; the others were run without it."
MISSING = "This cell is missing: deleted, or its metadata changed."
UNREADABLE = "The file {}, so nothing of it was marked: ask for it again."
MISNAMED = "The file was handed in as {!r}; it was marked as this lesson."
SECOND = "The folder has another notebook, {!r}, which was not marked: see which one counts."
UNMARKED = "Nothing was marked: {} has no notebook of a lesson, or was not graded."
PERSON, SUM = ("last name", "first name", "email"), "sum"
STRANGER = "This id is not in the list of students: see whose it is."


def take_misnamed(notebooks, **_):
    """Copy the newest notebook of a submission to the lesson's name, where no other has it."""
    folder = Path(notebooks[0]).parent
    file = folder / f"{folder.name}.ipynb"
    if str(file) not in notebooks and Path("source", folder.name, file.name).exists():
        shutil.copy(max(notebooks, key=lambda other: Path(other).stat().st_mtime), file)
        notebooks.append(str(file))


class Submission(NotebookExporter):
    """Read a submission; in place of a file that is not a notebook, one that says so."""

    def from_file(self, file_stream, resources=None, **options):
        file = Path(file_stream.name)
        try:
            notebook = nbformat.reads(file_stream.read(), as_version=4)
            if not (FLAGS in notebook.metadata or any(cell.cell_type == "code" for cell in notebook.cells)):
                raise ValueError("it has no cells of code")
        except Exception as error:
            fault = f"is not a notebook ({error.__cause__ or error})" if file.stat().st_size else "is empty"
            sentence = UNREADABLE.format(fault)
            notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(sentence)])
            notebook.metadata[FLAGS] = [(file.name, sentence)]
        for other in sorted(file.parent.glob("*.ipynb")):
            if file.stem == file.parent.name != other.stem:
                sentence = MISNAMED if filecmp.cmp(file, other, shallow=False) else SECOND
                notebook.metadata.setdefault(FLAGS, []).append((file.name, sentence.format(other.name)))
        return self.from_notebook_node(notebook, resources=resources, **options)


class Copies(NbGraderPreprocessor):
    """Make a copied cell of a lesson an ordinary one, and flag it; the last of the copies stays.

    nbgrader's own step leaves it without a version of its format, and grading ends there for all students;
    so it does at a cell whose metadata is changed, which becomes an ordinary one too.
    """

    def preprocess(self, notebook, resources):
        known = set()
        for cell in reversed(notebook.cells):
            try:
                BaseMetadataValidator.validate_cell(MetadataValidator(), cell)
            except Exception:
                del cell.metadata["nbgrader"]
            if not (utils.is_grade(cell) or utils.is_solution(cell) or utils.is_locked(cell)):
                continue
            grade_id = cell.metadata.nbgrader.grade_id
            if grade_id in known:
                del cell.metadata["nbgrader"]
                notebook.metadata.setdefault(FLAGS, []).append((grade_id, COPIED))
            known.add(grade_id)
        return notebook, resources


class Run(Execute):
    """Run a submission as nbgrader does, and again without a cell at which the kernel died.

    What needs a look stands in flagged/ASSIGNMENT/STUDENT.txt. Of outputs, texts and errors stay.
    """

    def preprocess(self, notebook, resources, km=None):
        flags = notebook.metadata.pop(FLAGS, [])
        missing = self._missing(notebook, resources["nbgrader"])
        if any(cell.cell_type == "code" for cell in notebook.cells):
            flags += missing
        while True:
            try:
                super().preprocess(notebook, resources, km)
                break
            except DeadKernelError:
                cell = notebook.cells[self.cell_index]
                cell.metadata.tags = [self.skip_cells_with_tag]
                cell.outputs = [nbformat.v4.new_output("error", ename="DeadKernelError", evalue=DIED)]
                flags.append((_name(cell), DIED))
        flags += _undefined(notebook.cells)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = list(_plain_outputs(cell))
        self._flag(resources["nbgrader"], flags)
        return notebook, resources

    def preprocess_cell(self, cell, resources, cell_index):
        self.cell_index = cell_index
        return super().preprocess_cell(cell, resources, cell_index)

    def _missing(self, notebook, names):
        """Return a flag for each cell of the lesson that is not there, and forget its earlier points."""
        here = set(map(_name, notebook.cells))
        with Gradebook(names["db_url"]) as book:
            lesson = names["notebook"], names["assignment"]
            for grade in book.find_submission_notebook(*lesson, names["student"]).grades:
                if grade.name not in here:
                    grade.auto_score = None
            book.db.commit()
            due = [cell.name for cell in book.find_notebook(*lesson).source_cells]
            return [(name, MISSING) for name in due if name not in here]

    def _flag(self, names, flags):
        file = _flag_file(self, names["assignment"], names["student"])
        file.unlink(missing_ok=True)
        if flags:
            self.log.warning("Flagged, see %s", file)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{name}: {flag}\n" for name, flag in flags), encoding="utf-8")


def _name(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "a cell")


def _undefined(cells):
    """Return a flag for each check whose answer does not exist, and show its sentence there."""
    flags = []
    for place, cell in enumerate(cells):
        check = utils.is_grade(cell) and CHECK.search(cell.source)
        if not check:
            continue
        name, due = check[2], _name(cell).replace("check", "answer", 1)
        answer = [other for other in cells if _name(other) == due] or [nbformat.v4.new_code_cell()]
        sentence = why_undefined(name, list(map(_ran, [*cells[:place], answer[0]])))
        for output in _errors(cell):
            if sentence and output.evalue == f"name {name!r} is not defined":
                output.evalue = sentence
                flags.append((due, sentence))
    return flags


def _errors(cell):
    return [output for output in cell.get("outputs", ()) if output.output_type == "error"]


def _ran(cell):
    error = (_errors(cell) or [{}])[0]
    return cell.source, error.get("ename", ""), error.get("evalue", "")


def _flag_file(step, assignment, student):
    return Path(step.config.CourseDirectory.root, FLAGGED, assignment, f"{student}.txt")


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

    For each lesson the points of its exercises, what lateness cost, and its total; at the end the sum and
    what needs a look. What was not marked is empty: it is not 0 points.
    """

    def export(self, gradebook):
        students = {entry.id: entry for entry in gradebook.students}
        rows: dict[str, dict[str, Any]] = defaultdict(dict)
        flags: dict[str, list[str]] = defaultdict(list)
        columns: list[str] = []
        seen, others = set(), set()
        for assignment in gradebook.assignments:
            name = assignment.name
            late, total = f"{name} late", f"{name} total"
            cells = [cell.name for notebook in assignment.notebooks for cell in notebook.grade_cells]
            if self.assignment and name not in self.assignment:
                others.add(name)
                continue
            columns += [*map(_exercise, cells), late, total]
            for submission in gradebook.assignment_submissions(name):
                student = submission.student.id
                file = _flag_file(self, name, student)
                said = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
                flags[student] += [f"{name}, {flag}" for flag in said]
                points = {
                    _exercise(grade.name): grade.score
                    for notebook in submission.notebooks
                    for grade in notebook.grades
                    if (grade.auto_score, grade.manual_score) != (None, None)
                }
                if points:
                    penalty = submission.late_submission_penalty or 0.0
                    # 0 and not -0.0 for those in time.
                    rows[student] |= {**points, late: 0.0 - penalty, total: sum(points.values()) - penalty}
                    rows[student][SUM] = rows[student].get(SUM, 0.0) + rows[student][total]
                if said or points:
                    seen.add((student, name))
        for folder in sorted(Path(self.config.CourseDirectory.root, "submitted").glob("*/[!.]*")):
            student, name = folder.parts[-2:]
            if (student, name) not in seen and name not in others:
                flags[student].append(UNMARKED.format("/".join(folder.parts[-3:])))
        listed = {student for student, entry in students.items() if entry.last_name or entry.email}
        with Path(self.to or "marks.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(["student", *PERSON, *columns, SUM, "look at"])
            for student in sorted(self.student or {*students, *flags}):
                said = flags[student] + [STRANGER] * bool(listed and student not in listed)
                fields = [
                    getattr(students.get(student), name.replace(" ", "_"), None) or "" for name in PERSON
                ]
                entries = [rows[student].get(column, "") for column in [*columns, SUM]]
                table.writerow([student, *fields, *entries, " | ".join(said)])


def _exercise(cell):
    return cell.removeprefix("check-").replace("-", ".")
