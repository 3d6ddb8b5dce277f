"""Questions of the page on screening: how much can go, before the solve and on its way."""

from collections.abc import Callable
from typing import NamedTuple

from workbench.pages.screening.model import BEFORE, BOUNDS, ZERO

NONE, FEW, MANY, ALL = "none", "fewer than half", "half or more", "all"
OPTIONS = (NONE, FEW, MANY, ALL)
EPOCHS = 10


class Question(NamedTuple):
    """What is to be guessed of a λ that is not shown yet, and what its run says."""

    text: str  # {lam} stands for the share of λ_max
    change: dict  # parameters of the model to their values
    measure: Callable  # of a ScreeningRun: how many are discarded
    why: str


QUESTIONS = {
    "Before the solve": Question(
        "At λ = {lam} λ_max: how many can be discarded before the solve, by w = 0 alone?",
        {"start": ZERO},
        lambda run: run.counts[0],
        "The radius is √(2nL·gap), and at w = 0 the gap is at least all that the solve can still gain. A "
        "ball that large reaches the lines of nearly every feature, unless λ is close to λ_max.",
    ),
    "After 10 epochs": Question(
        "At λ = {lam} λ_max, from w = 0: how many are discarded after 10 epochs?",
        {"start": ZERO},
        lambda run: run.count_at(EPOCHS),
        "Each epoch divides the gap by a factor, and the radius by its square root. Most features are about "
        "equally far from their lines, and are discarded together once the radius is below that distance.",
    ),
    "Before the solve, from the λ before": Question(
        "At λ = {lam} λ_max: how many before the solve, by the solution at the λ before (1.26 λ)?",
        {"start": BEFORE},
        lambda run: run.counts[0],
        "The dual point of the λ before is feasible here, and the two optima are near each other: the gap is "
        "small at once. That is sequential screening; the smaller the step of λ, the more it discards.",
    ),
}


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
    count, total = QUESTIONS[question].measure(run), run.since.size
    option = outcome(count, total)
    before, later = run.counts[0], run.count_at(EPOCHS)
    return option, (
        f"{option}, {count:,} of {total:,} ({before:,} before the solve, {later:,} after {EPOCHS} epochs)"
    )
