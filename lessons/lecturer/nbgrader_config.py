"""nbgrader's settings in this folder. The README beside this file has the commands of a term."""

from pathlib import Path

from nbgrader.converters.autograde import Autograde
from nbgrader.converters.generate_feedback import GenerateFeedback
from nbgrader.preprocessors import ClearHiddenTests, DeduplicateIds, Execute

from workbench.teaching.autograder import Copies, Run, Submission, take_misnamed

c = get_config()  # noqa: F821, nbgrader gives it
c.CourseDirectory.course_id = "duality"
c.CourseDirectory.root = str(Path(__file__).absolute().parent)
# A file with another name is marked, and one that is not a notebook is flagged, in place of an error.
c.Autograde.pre_convert_hook = take_misnamed
c.Autograde.exporter_class = Submission
# nbgrader's own steps, with two in place of its own: a copied cell and a dead kernel cost their cell alone.
OURS = {DeduplicateIds: Copies, Execute: Run}
steps = Autograde.sanitize_preprocessors.default()
c.Autograde.sanitize_preprocessors = [OURS.get(step, step) for step in steps]
steps = Autograde.autograde_preprocessors.default()
c.Autograde.autograde_preprocessors = [OURS.get(step, step) for step in steps]
# Seconds by the clock for a cell; `check` gives up an answer after 10 s of processor time.
c.Run.timeout = 300
c.Run.iopub_timeout = 60
# Feedback shows a locked cell as its student was given it.
c.GenerateFeedback.preprocessors = [*GenerateFeedback.preprocessors.default(), ClearHiddenTests]
c.ClearHiddenTests.enforce_metadata = False
# Late days: the first of a submission are free; each further one costs this share of its points.
c.AssignLatePenalties.plugin_class = "workbench.teaching.autograder.LateDays"
c.LateDays.free = 2
c.LateDays.share = 0.25
# `nbgrader export` writes marks.csv: a row for each student, a column for each exercise.
c.ExportApp.plugin_class = "workbench.teaching.autograder.Marks"
# `nbgrader zip_collect`: files STUDENT_..._LESSON.ipynb, or any in a folder STUDENT_...; "(1)" is left out.
c.FileNameCollectorPlugin.named_regexp = (
    r"(?:.*/)?(?P<student_id>[^/_]+)_(?:[^/]*[_/])?(?P<file_id>\d\d_\w+?|(?<=/)[^/]+?)(?: ?\(\d+\))?\.ipynb$"
)
