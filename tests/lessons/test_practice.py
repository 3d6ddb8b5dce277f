"""Short problems: right answers in any form, wrong ones with their sentence, hints and solutions."""

import tomllib
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import sympy

from tests.helpers.made_lessons import FOLDER, LESSONS, refusal
from workbench._support.errors import InputError
from workbench.teaching import answers, check, hint, practice
from workbench.teaching.problems import TRIED, find, of_lesson

PROBLEMS = {name: problem for path in LESSONS for name, problem in of_lesson(int(path.name[:2])).items()}
NUMBERS = {name: problem.right for name, problem in PROBLEMS.items() if isinstance(problem.right, float)}
# Other ways to write a number.
FORMS = (
    sympy.Float,
    lambda x: np.array([x]),
    lambda x: np.array([[x]]),
    lambda x: pd.Series([x]),
    np.float64,
    lambda x: Fraction(x) if np.isfinite(x) else sympy.oo,
    lambda x: [x],
    lambda x: x * (1 + 1e-7),
)


def test_there_are_many_problems():
    assert len(PROBLEMS) >= 250
    assert all(len(of_lesson(int(path.name[:2]))) >= 10 for path in LESSONS)


def test_problems_are_whole():
    for name, problem in PROBLEMS.items():
        texts = [problem.title, problem.ask, problem.example, *problem.hints, problem.solution]
        assert len(problem.hints) == 3, name
        assert all(texts), name
        assert not any("<answer>" in text or "None" in text for text in texts), name
        assert len(set(problem.choices)) == len(problem.choices), name


def test_right_answers_written_otherwise(capsys):
    count = 0
    for place, (name, right) in enumerate(NUMBERS.items()):
        check(name, FORMS[place % len(FORMS)](right))
        count += 1
    for name, problem in PROBLEMS.items():
        if problem.choices:
            check(name, "ABC"[problem.choices.index(problem.right)])
    assert count >= 200


def test_wrong_answers_get_their_sentence():
    count = 0
    for name, problem in PROBLEMS.items():
        for wrong, sentence in problem.wrong if name in NUMBERS else ():
            TRIED.clear()
            # Two mistakes may come to the same number: the first one's sentence is told.
            others = [sentence for value, sentence in problem.wrong if answers.same(value, wrong)]
            assert any(text in refusal(name, wrong) for text in [sentence, *others])
            count += 1
    assert count >= 200


def test_choices_are_shuffled_and_wrong_ones_say_why():
    for name, problem in PROBLEMS.items():
        for choice, sentence in problem.wrong if problem.choices else ():
            assert sentence in refusal(name, "abc"[problem.choices.index(choice)])
    places = [problem.choices.index(problem.right) for problem in PROBLEMS.values() if problem.choices]
    assert max(map(places.count, range(3))) <= 0.4 * len(places)


def test_formulas_as_text_sympy_and_functions(capsys):
    for answer in ("v^2/4", "v*v/4", sympy.Symbol("t") ** 2 / 4, lambda v: v**2 / 4):
        check("1.p7a", answer)
    assert "denominator" in refusal("1.p7a", "v**2")
    assert "cannot be read" in refusal("1.p7a", "v**")
    assert "There it should be" in refusal("1.p7a", "v + 1")


def test_hints_come_one_by_one_and_the_solution_after_two_attempts(capsys):
    TRIED.clear()
    problem = find("5.p1b")
    for place in (0, 1, 2, 2):
        hint("5.p1b")
        assert problem.hints[place] in capsys.readouterr().out
    assert "solution" not in refusal("5.p1b", 77.0)
    assert problem.solution in refusal("5.p1b", 77.0)
    check("5.p1b", problem.right)


def test_a_problem_is_shown_after_its_example(capsys):
    practice("2.p1a", "2.p6a")
    out = capsys.readouterr().out
    assert out.index("Example: ") < out.index(find("2.p1a").ask)
    assert "  c. " not in out.partition("2.p6a")[0]
    assert "  c. " in out


@pytest.mark.parametrize("name", ["5.p99a", "5.p1z", "99.p1a", "p", None])
def test_unknown_problems(name):
    with pytest.raises(InputError, match="unknown problem"):
        practice(name)


def kind(title):
    """Return the problems of a kind of lesson 3 with their drawn numbers."""
    file = tomllib.loads((FOLDER / "practice" / "03.toml").read_text("utf-8"))["problem"]
    drawn = next(table["with"] for table in file if table["title"] == title)
    problems = [problem for problem in of_lesson(3).values() if problem.title == title]
    draws = [dict(zip(drawn, values, strict=True)) for values in zip(*drawn.values(), strict=True)]
    return [
        pytest.param(problem, draw, id=problem.name) for problem, draw in zip(problems, draws, strict=True)
    ]


@pytest.mark.parametrize(("problem", "draw"), kind("the dual term of a density"))
def test_dual_term_of_a_density_is_the_largest_of_a_grid(problem, draw):
    z = np.linspace(1e-3, 5.0, 100_000)
    assert problem.right == pytest.approx(np.max(np.log(z) - draw["al"] * z), abs=1e-6)


@pytest.mark.parametrize(("problem", "draw"), kind("the best weight of a component"))
def test_best_weight_has_the_least_loss_of_a_grid(problem, draw):
    p, q, m, n = draw.values()
    w = np.linspace(0.0, 1.0, 10_001)
    heads = w * p + (1.0 - w) * q
    losses = -m * np.log(heads) - (n - m) * np.log(1.0 - heads)
    assert problem.right == pytest.approx(w[losses.argmin()], abs=1e-4)


@pytest.mark.parametrize(("problem", "draw"), kind("a bound on the likelihood"))
def test_bound_on_the_likelihood_is_the_dual_value(problem, draw):
    """Equal samples have the sums of the problem; alpha at the mixture proves the bound, and no less."""
    n, likelihood, *sums = draw.values()
    density = np.exp(likelihood / n)
    rows, alpha = np.tile(density * np.array(sums) / n, (n, 1)), np.full(n, 1 / density)
    weights = np.linspace(0.0, 1.0, 1001)
    z = rows @ np.stack([weights, 1.0 - weights])
    assert problem.right == pytest.approx((alpha @ z - (1.0 + np.log(alpha)).sum()).max())
    assert np.log(z).sum(axis=0).max() <= problem.right
