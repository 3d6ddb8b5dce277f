"""No problem is its own worked example, for any of its draws."""

import re
import tomllib

import pytest

from tests.helpers.made_lessons import FOLDER
from workbench.teaching.problems import find

FILES = sorted((FOLDER / "practice").glob("*.toml"))
NUMBER = re.compile(r"(?<![\w)] )-?\d+\.?\d*|\d+\.?\d*")


def solves(example, values):
    """Check if the numbers of an example hold all values, repeated ones as often."""
    left = [float(text) for text in NUMBER.findall(example.replace("−", "-"))]
    for value in values:
        close = [number for number in left if abs(value - number) <= 0.005 * abs(value) + 1e-9]
        if not close:
            return False
        left.remove(close[0])
    return True


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_draw_equals_its_example(path):
    equal = []
    for number, kind in enumerate(tomllib.loads(path.read_text("utf-8"))["problem"], 1):
        for letter, draw in zip("abcdefgh", zip(*kind.get("with", {}).values(), strict=True), strict=False):
            problem = find(f"{int(path.stem)}.p{number}{letter}")
            if isinstance(problem.right, float) and solves(
                problem.example, [*map(float, draw), problem.right]
            ):
                equal.append((problem.name, problem.example))
    assert equal == []


def test_an_example_that_is_its_problem_is_found():
    assert solves("f = 0.1: three, that is 3.", [0.1, 3.0])
    assert solves("z = (0, 0): ln 2 = 0.693.", [0.0, 0.0, 0.693147])
    assert not solves("k = 3: 0.4.", [0.0, 1.0])
