"""A cause that one value alone speaks for is offered as perhaps; one of several values is told as such."""

import numpy as np
import pytest

from workbench.teaching.answers import Wrong, expect, expect_function
from workbench.teaching.diagnosis import cause


def sentence(function, *arguments):
    with pytest.raises(Wrong) as refused:
        function(*arguments)
    return str(refused.value)


def test_one_value_is_perhaps():
    assert "is perhaps 3 times the right value" in sentence(expect, 1.5, 0.5)
    assert "is perhaps 0.5 times the right value" in sentence(expect, 0.25, 0.5)
    assert "is perhaps the square" in sentence(expect, 5.0625, 2.25)


def test_several_values_are_a_cause():
    values = [np.array([1.5, 2.5]), np.array([0.25])]
    assert cause([value * 3 for value in values], values).startswith("{:.4g} times")
    text = sentence(expect_function, lambda v: v + 1, [(0.3,), (0.7,), (2.5,)], lambda v: v**2 + 1)
    assert "perhaps" not in text


def test_a_sign_needs_no_perhaps():
    assert "perhaps" not in sentence(expect, -0.7, 0.7)


def test_entries_right_in_three_digits_are_not_called_wrong():
    right = np.array([1 / 3, 2 / 3, 1 / 7])
    expect(np.array([0.333, 0.667, 0.143]), right)
    assert "only entry 1 is 0.5, " in sentence(expect, np.array([0.333, 0.5, 0.143]), right)


def test_a_known_mistake_is_told_in_three_digits():
    assert sentence(expect, 0.667, 1 / 3, [(2 / 3, "Twice.")]) == "Twice."
