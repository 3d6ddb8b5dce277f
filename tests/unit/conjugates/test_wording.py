"""Conditions on parameters in words."""

import pytest
import sympy as sp

from workbench.conjugates.convex.wording import typed, words

A, B = sp.symbols("a b", real=True)


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (sp.true, ""),
        (sp.false, "never"),
        (A <= 5, "a ≤ 5"),
        (sp.StrictGreaterThan(5, A), "a < 5"),
        (sp.Eq(A, 5), "a = 5"),
        (sp.Ne(A, B), "a ≠ b"),
        ((A > 0) & (A <= 5), "0 < a ≤ 5"),
        ((A >= 3) | (A <= 1), "a ≤ 1 or a ≥ 3"),
        ((A > 0) & (B > A), "a > 0 and b > a"),
        (((A > 1) & (A < 2)) | (A > 3), "1 < a < 2 or a > 3"),
        (((A > 0) & (B > 0)) | (A < -1), "a < -1 or (a > 0 and b > 0)"),
        ((A > 0) & (A < 5) & (B > 2), "a > 0 and b > 2 and a < 5"),
    ],
)
def test_words(condition, text):
    assert words(condition) == text


@pytest.mark.parametrize("condition", [(A > 0) & (A <= 5), sp.Eq(A, 5), (A >= 3) | (A <= 1), sp.Ne(A, 2)])
def test_a_typed_condition_has_its_meaning(condition):
    text = typed(condition)
    for value in (-1, 0, 1, 2, 3, 4, 5, 6):
        chained = eval(text, {"a": value})
        assert chained == bool(condition.subs(A, value))
