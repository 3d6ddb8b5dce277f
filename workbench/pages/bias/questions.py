"""Questions of the page on multipliers, answered by the runs themselves."""

from typing import NamedTuple

SOONER, LATER, SWINGS = "sooner than Algorithm 2", "later, or not at all", "it oscillates until it is stopped"
FIXED, CERTIFIED = "the gap at fixed bias", "the certified gap"


class Question(NamedTuple):
    """What is to be guessed, what it runs, and what a pair of runs says."""

    text: str
    options: tuple
    change: dict  # parameters of the model to their values
    measure: str  # of both runs, a name in live.js: it gives the place of the option that is true
    why: str


RACE = (SOONER, LATER, SWINGS)
QUESTIONS = {
    "A large η": Question(
        "Thirty times Zhang's η, 3 in place of 0.1. When does Algorithm 3 reach the gap?",
        RACE,
        {"eta": 3.0},
        "arrival",
        "In one epoch Σα responds to the change of s. Where the response is larger than the change, each "
        "step of s overshoots by more than the one before, and s oscillates.",
    ),
    "A small η": Question(
        "And with η = 0.003?",
        RACE,
        {"eta": 0.003},
        "arrival",
        "Each epoch multiplies the error of s by about 1 − η, so η = 0.003 takes hundreds of epochs. "
        "Meanwhile the penalty supplies the rest of the bias: s + Σα/μ is nearly right long before s is.",
    ),
    "Which gap is smaller": Question(
        "Before the multiplier has converged, which gap is usually smaller?",
        (FIXED, CERTIFIED),
        {},
        "smaller",
        "The gap at fixed bias compares w with the best weights for that bias; the certified gap compares it "
        "with the optimum over all biases. A small gap at a poor bias says little.",
    ),
}
