"""Helpers of the lessons: `begin`, `check`, `live` and `practice`.

    from workbench.teaching import begin, check, live
    begin(3)                      in the first cell: figures, and sentences in place of tracebacks
    live(draw, lam=[0.01, 0.1])   a figure with sliders
    check("3.1", answer)          right, or a sentence that names the error
    practice("3.p1a")             a short problem; hint("3.p1a") helps with it

The checkers of a lesson are in `lessons/checks`; `answers` is what they are made of. What notebooks import as
`workbench.teaching.step_figures` and so on is in `lessons/figures`; `autograder` has the steps that nbgrader
runs beside its own.
`testing` has the checks that every term, solver and page passes, also for those of other authors.

Read first: `checking.py`. This room does not know commands or servers.
"""

from workbench._support.system import resources
from workbench.teaching.checking import NotYet, check
from workbench.teaching.notebook import begin, formula, lab_figure, live
from workbench.teaching.problems import hint, practice

__all__ = ["NotYet", "begin", "check", "formula", "hint", "lab_figure", "live", "practice"]

# The figures of notebooks, the program of the lecturer's pack and that of the module lie beside the lessons.
__path__ += [str(resources.folder() / name) for name in ("figures", "lecturer", "module")]
