"""nbgrader's part of grading: `nbgrader autograde` has the judge decide in place of the submission's kernel.

`nbgrader_config.py` of the lecturer's pack names it. No kernel is started: the cells of a submission run in a
process that the judge confines (see `grading`), and the locked cells show its sentences as their outputs.
"""

import json
import secrets
import shlex
from pathlib import Path

import nbformat
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from workbench.teaching import grading
from workbench.teaching.grading import CHECKS, FLAGGED, SEEDS
from workbench.teaching.source import CHECK

SAID = "The judge gave no verdict: look at this submission by itself, and grade it again."
UNJUDGED = {"right": False, "said": SAID, "flags": [SAID]}
# Where nbgrader collects submissions unless it is told of another place.
EXCHANGE = "/usr/local/share/nbgrader"


class Judge(NbGraderPreprocessor):
    """Has the judge decide on each locked cell; what it flags stands in flagged/ASSIGNMENT/STUDENT.txt."""

    container = Unicode(help="The command that runs another one in a container.").tag(config=True)

    def preprocess(self, notebook, resources):
        course = self.config.CourseDirectory.root
        seeds = json.loads(Path(course, SEEDS).read_text(encoding="utf-8"))
        cells, graded, asked = [], [], []
        for cell in notebook.cells:
            if utils.is_grade(cell) and not utils.is_solution(cell):
                graded.append(cell)
                found = CHECK.search(cell.source)
                if found and found[1] in seeds:
                    asked.append(cell)
                    cells.append(found.groups())
            elif cell.cell_type == "code":
                cells.append(cell.source)
        request = {
            "nonce": secrets.token_hex(16), "checks": str(Path(course, CHECKS)), "seeds": seeds,
            "hidden": [course, EXCHANGE], "container": shlex.split(self.container), "cells": cells,
        }  # fmt: skip
        answer = grading.judge(request) or {"confined": True, "verdicts": []}
        if not answer["confined"]:
            self.log.warning("This system cannot confine submissions: grade in a container (SECURITY.md).")
        verdicts = dict(zip(map(id, asked), answer["verdicts"], strict=False))
        judged = [(cell, verdicts.get(id(cell), UNJUDGED)) for cell in graded]
        for cell, verdict in judged:
            cell.outputs = [_output(verdict)]
        self._flag(course, resources["nbgrader"], judged)
        return notebook, resources

    def _flag(self, course, of, judged):
        flags = [(cell.metadata.nbgrader.grade_id, flag) for cell, told in judged for flag in told["flags"]]
        file = Path(course, FLAGGED, of["assignment"], f"{of['student']}.txt")
        file.unlink(missing_ok=True)
        if flags:
            self.log.warning("Flagged, see %s", file)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{name}: {flag}\n" for name, flag in flags), encoding="utf-8")


def _output(verdict):
    said = verdict["said"]
    if verdict["right"]:
        return nbformat.v4.new_output("stream", name="stdout", text=f"{said}\n")
    return nbformat.v4.new_output("error", ename="NotYet", evalue=said, traceback=[said])
