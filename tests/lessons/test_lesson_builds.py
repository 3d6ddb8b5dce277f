"""Solvers and proofs of a student's own: right ones in any form pass, wrong ones are told why."""

import importlib
from pathlib import Path

import pytest

from tests.helpers.made_lessons import refusal
from workbench.teaching import check, checking

FOLDER = Path(__file__).parents[1] / "corpora/lesson_answers"
ANSWERS = {
    int(path.stem[-2:]): importlib.import_module(f"tests.corpora.lesson_answers.{path.stem}")
    for path in sorted(FOLDER.glob("lesson_*.py"))
}
RIGHT = {
    name: answer for answers in ANSWERS.values() for name, answer in getattr(answers, "RIGHT", {}).items()
}
WRONG = {name: mistakes for answers in ANSWERS.values() for name, mistakes in answers.WRONG.items()}
MOST_SAID = 400


def test_there_are_builds():
    assert RIGHT
    assert set(RIGHT) <= {name for number in ANSWERS for name in checking.load(number)}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass_in_three_forms(name, capsys):
    assert len(RIGHT[name]) >= 3
    for answer in RIGHT[name]:
        check(name, answer)


@pytest.mark.parametrize("name", RIGHT)
def test_ten_wrong_answers_are_told_why(name):
    assert len(WRONG[name]) >= 10
    sentences = [refusal(name, answer) for answer in WRONG[name]]
    assert len(set(sentences)) == len(sentences)
    assert max(map(len, sentences)) < MOST_SAID
    assert all(sentence.count("\n") == 0 for sentence in sentences)
