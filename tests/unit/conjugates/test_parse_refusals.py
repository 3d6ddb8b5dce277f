"""The sentence that refuses an invalid formula: the column, what stands there and the fix."""

import pytest

from tests.corpora import table
from workbench._support.errors import ExpressionError, InputError
from workbench.conjugates.convex.parse import parse_expression

PARAMETERS = {"a": "a > 0", "p": "p > 1"}

REFUSALS = table("refused_texts")["formula"]


@pytest.mark.parametrize("text", REFUSALS)
def test_refusal(text):
    column, says = REFUSALS[text]
    with pytest.raises(ExpressionError, match=says) as caught:
        parse_expression(text)
    place = f"formula, column {column}: " if column else "formula: "
    assert str(caught.value).startswith(place)
    assert caught.value.__cause__ is None
    assert issubclass(ExpressionError, InputError)


@pytest.mark.parametrize(
    ("text", "column"), [("  u^2^2 + exp(v", 14), ("u^2 + u^3/0", 11), ("u^2^3 ^ ^", 9), ("\tu^2 2", 6)]
)
def test_columns_count_in_the_text_as_it_was_typed(text, column):
    # A ^ becomes two characters for Python, and blanks in front vanish.
    with pytest.raises(ExpressionError, match=f"column {column}:"):
        parse_expression(text)


def test_a_given_variable_leaves_no_other_name():
    with pytest.raises(ExpressionError, match="column 5: 'v' is not known; known names are u, a, p, e, E"):
        parse_expression("u + v", PARAMETERS, "u")
    with pytest.raises(ExpressionError, match=r"'epsilom' is not known; did you mean epsilon[?]"):
        parse_expression("u + epsilom", {"epsilon": "positive"}, "u")
    with pytest.raises(ExpressionError, match=r"'epsilom': did you mean epsilon[?] all but one"):
        parse_expression("u + epsilom", {"epsilon": "positive"})
