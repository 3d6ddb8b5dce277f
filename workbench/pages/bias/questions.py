"""Questions of the page on multipliers, answered by the runs themselves."""

from typing import NamedTuple

from workbench.pages.wording import content


class Question(NamedTuple):
    """What is to be guessed, what it runs, and what a pair of runs says."""

    text: str
    options: tuple
    change: dict  # parameters of the model to their values
    measure: str  # of both runs, a name in live.js: it gives the place of the option that is true
    why: str


QUESTIONS = {name: Question(**entry) for name, entry in content("bias")["questions"].items()}
