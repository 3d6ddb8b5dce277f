"""What nbgrader does in this folder. The README beside this file has the commands of a term."""

import os

from nbgrader.converters.autograde import Autograde
from nbgrader.converters.generate_feedback import GenerateFeedback
from nbgrader.preprocessors import DeduplicateIds, Execute

from workbench.teaching.autograder import Copies, Feedback, Judge

c = get_config()  # noqa: F821, nbgrader gives it
c.CourseDirectory.course_id = "duality"
c.CourseDirectory.root = os.path.dirname(os.path.abspath(__file__))
# `workbench.teaching.grading` judges, in place of a kernel. Its limits count processor time, so that a busy
# machine fails no honest answer: 10 s a call of an answer, 120 s a cell, half an hour in all by the clock.
steps = Autograde.autograde_preprocessors.default()
c.Autograde.autograde_preprocessors = [Judge if step is Execute else step for step in steps]
steps = Autograde.sanitize_preprocessors.default()
c.Autograde.sanitize_preprocessors = [Copies if step is DeduplicateIds else step for step in steps]
c.GenerateFeedback.preprocessors = [*GenerateFeedback.preprocessors.default(), Feedback]
# Late days: so many of a submission are free; each further one costs this share of its points.
c.AssignLatePenalties.plugin_class = "workbench.teaching.autograder.LateDays"
c.LateDays.free = 2
c.LateDays.share = 0.25
# `nbgrader export` writes marks.csv: a row for each student, a column for each exercise.
c.ExportApp.plugin_class = "workbench.teaching.autograder.Marks"
# `nbgrader zip_collect`: files STUDENT_..._LESSON.ipynb, or LESSON.ipynb in a folder STUDENT_...
c.FileNameCollectorPlugin.named_regexp = (
    r"(?:.*/)?(?P<student_id>[^/_]+)_(?:[^/]*[_/])?(?P<file_id>\d\d_\w+)\.ipynb$"
)
# For systems that cannot confine a submission, and for whoever wants more; README.md makes the image.
# c.Judge.container = (
#     "docker run --rm -i --network none --read-only --tmpfs /tmp:exec,size=1g --workdir /tmp "
#     "--env HOME=/tmp --user 65534:65534 --cap-drop ALL --security-opt no-new-privileges --memory 4g "
#     "--pids-limit 200 --ulimit cpu=900 duality-submission"
# )
