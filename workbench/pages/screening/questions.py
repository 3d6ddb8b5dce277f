"""Questions of the page on screening: how much can go, before the solve and on its way."""

from typing import NamedTuple

from workbench.pages.screening.model import BOUNDS
from workbench.pages.wording import content

NONE, FEW, MANY, ALL = "none", "fewer than half", "half or more", "all"
OPTIONS = (NONE, FEW, MANY, ALL)
EPOCHS = 10


class Question(NamedTuple):
    """What is to be guessed of a λ that is not shown yet, and what its run says."""

    text: str  # {lam} stands for the share of λ_max
    change: dict  # parameters of the model to their values
    epochs: int  # after which it is counted how many are discarded
    why: str


QUESTIONS = {name: Question(**entry) for name, entry in content("screening")["questions"].items()}


def question_text(question, ratio):
    """The text of a question and the λ that it asks about: half of the present one, as two digits."""
    target = max(float(f"{ratio / 2.0:.2g}"), BOUNDS["ratio"][0])
    return QUESTIONS[question].text.format(lam=f"{target:g}"), target


def outcome(count, total):
    """Which option a count makes true."""
    if count in (0, total):
        return ALL if count else NONE
    return FEW if 2 * count < total else MANY


def came(question, lab):
    """The option that a lab's run makes true and the sentence with its numbers; None while it goes on."""
    run = lab.run
    if run.status is None and run.epochs < EPOCHS:
        return None
    count, total = run.count_at(QUESTIONS[question].epochs), run.since.size
    option = outcome(count, total)
    before, later = run.counts[0], run.count_at(EPOCHS)
    return option, (
        f"{option}, {count:,} of {total:,} ({before:,} before the solve, {later:,} after {EPOCHS} epochs)"
    )
