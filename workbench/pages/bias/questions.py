"""Questions of the page on multipliers, answered by the runs themselves."""

from collections.abc import Callable
from typing import NamedTuple

SOONER, LATER, SWINGS = "sooner than Algorithm 2", "later, or not at all", "it oscillates until it is stopped"
FIXED, CERTIFIED = "the gap at fixed bias", "the certified gap"


class Question(NamedTuple):
    """What is to be guessed, what it runs, and what a pair of runs says."""

    text: str
    options: tuple
    change: dict  # parameters of the model to their values
    measure: Callable  # of the runs of Algorithms 2 and 3
    why: str


def _arrival(full, small):
    if small.status == "diverged":
        return SWINGS
    reached = {each: each.epochs for each in (full, small) if each.status == "converged"}
    return SOONER if small in reached and reached[small] < reached.get(full, float("inf")) else LATER


def _smaller(full, small):
    """Which gap is below the other in most rows of both runs."""
    rows = [row for run in (full, small) for row in run.rows[1:]]
    below = sum(row["fixed"] < row["gap"] for row in rows)
    return FIXED if 2 * below > len(rows) else CERTIFIED


RACE = (SOONER, LATER, SWINGS)
QUESTIONS = {
    "A large η": Question(
        "Thirty times Zhang's η, 3 in place of 0.1. When does Algorithm 3 reach the gap?", RACE,
        {"eta": 3.0}, _arrival,
        "In one epoch Σα responds to the change of s. Where the response is larger than the change, each "
        "step of s overshoots by more than the one before, and s oscillates.",
    ),
    "A small η": Question(
        "And with η = 0.003?", RACE, {"eta": 0.003}, _arrival,
        "Each epoch multiplies the error of s by about 1 − η, so η = 0.003 takes hundreds of epochs. "
        "Meanwhile the penalty supplies the rest of the bias: s + Σα/μ is nearly right long before s is.",
    ),
    "Which gap is smaller": Question(
        "Before the multiplier has converged, which gap is usually smaller?", (FIXED, CERTIFIED),
        {}, _smaller,
        "The gap at fixed bias compares w with the best weights for that bias; the certified gap compares it "
        "with the optimum over all biases. A small gap at a poor bias says little.",
    ),
}  # fmt: skip


def outcome(question, lab):
    """Which option the ended runs make true; None while one runs, or where an algorithm is missing."""
    runs = {each.algorithm: each.run for each in lab.pair}
    if len(runs) < 2 or any(run.status is None for run in runs.values()):
        return None
    return QUESTIONS[question].measure(*(runs[name] for name in sorted(runs)))
