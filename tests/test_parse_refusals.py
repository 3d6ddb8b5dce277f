"""The sentence that refuses what is no formula: the column, what stands there and the fix."""

import pytest

from workbench.convex.parse import parse_expression
from workbench.errors import ExpressionError, InputError

PARAMETERS = {"a": "a > 0", "p": "p > 1"}

REFUSALS = {
    # text: (column, what the sentence says)
    "a*u + b": (1, 'the names a, u and b are undeclared; .* parameters={"a": "a > 0", "b": "b > 0"}'),
    "v*w": (1, 'the names v and w are undeclared; .* parameters={"w": "w > 0"}'),
    "sqr(u)": (1, "the function 'sqr' is not known; did you mean sqrt[?] known are abs, acos"),
    "u + Exp(u)": (5, "did you mean exp"),
    "softmax(u)": (1, "the function 'softmax' is not known"),
    "u + exp": (5, "exp is a function; write exp"),
    "exp u": (5, r"exp needs parentheses; write exp\(u\)"),
    "2u": (2, r"for a product write '2\*u'"),
    "3 (u)": (3, r"for a product write '3\*\(...\)'"),
    "u(1 - u)": (1, r"write u\*\(...\)"),
    "f(u)": (1, r"write f\*\(...\)"),
    "(u)(u)": (4, "an operator is missing between two values"),
    "u u": (3, r"for a product write 'u\*u'"),
    "|u|": (1, r"write abs\(u\)"),
    "lambda*u": (1, "write lam"),
    "u in (1, 2)": (3, "in is a keyword of Python"),
    "u is 1": (3, "write =="),
    "u = 1": (3, "an equality is written =="),
    "u =< 1": (3, "=< is no comparison; write <="),
    "u!": (2, "there is no factorial"),
    "5 % u": (3, "there is no remainder"),
    "u & 1": (3, "write and"),
    "u[0]": (2, r"write \( and \)"),
    "u.real": (2, "a point belongs into a number"),
    "u; u": (2, "a formula is one expression"),
    "u # note": (3, "leave the remark out"),
    "u\n+1": (2, "a formula stands on one line"),
    "\\frac{u}{2}": (1, "LaTeX is not read"),
    "u − 1": (3, r"− \(MINUS SIGN\) is not ASCII; write -"),
    "2 × u": (3, r"write \*"),
    "u²": (2, r"write \*\*2"),
    "u ≤ 1": (3, "write <="),
    "∞": (1, "write oo"),
    "π": (1, "write pi"),
    "ε*u": (1, "write epsilon"),
    "λ*u": (1, "write lam"),
    "аbs(u)": (1, r"CYRILLIC SMALL LETTER A\) is not ASCII; write a"),
    "ｕ": (1, "write u"),
    "u\u00a0+ 1": (2, "write a plain space"),
    "√u": (1, r"write sqrt\(...\)"),
    "Ω": (1, "write Omega"),
    "u ☃": (3, "SNOWMAN"),
    "(u": (1, r"this \( is never closed"),
    "u)": (2, r"this \) closes no parenthesis"),
    "u +": (3, r"a value is missing after \+"),
    "* u": (1, r"a value is missing at the beginning, where \* stands"),
    "u * / 2": (5, "a value is missing"),
    "u * * 2": (5, r"a power is written \*\* without a space"),
    "exp()": (5, "there is nothing between the parentheses"),
    "max(u, 1,)": (10, "a value is missing"),
    "exp(u, 1)": (1, "exp takes 1 argument, not 2"),
    "log(u, 2, 3)": (1, "log takes 1 or 2 arguments, not 3"),
    "max(u)": (1, "max takes 2 arguments or more, not 1"),
    "u, 1": (1, "write 0.5 for 0,5"),
    "0,5*u": (1, "write 0.5 for 0,5"),
    "u > 0": (1, r"a condition is no number; write where\(u > 0, a, b\)"),
    "1 + (u > 0)": (6, "a condition is no number"),
    "True": (1, "True is a condition and no number"),
    "where(u, 1, 2)": (7, "a condition is wanted here"),
    "where(u > 0, 1)": (1, "where takes 3 arguments, not 2"),
    "indicator(u > 0, 1)": (1, "indicator takes one condition"),
    "piecewise((u, u > 0))": (1, r"end with a pair such as \(0, True\)"),
    "piecewise(u, 0)": (11, r"write piecewise\(\(u, u > 0\), \(0, True\)\)"),
    "u if u": (1, "u if u > 0 else 0"),
    "where(where(u > 0, 1, 2) > 1, 1, 2)": (7, "a condition cannot hold pieces"),
    "where(oo < oo, 1, 2)": (7, "oo is compared with oo"),
    "u + oo": (1, "oo stands only as"),
    "max(u, oo)": (1, "oo stands only as"),
    "u/0": (3, "a division by zero"),
    "u/(u - u)": (4, "a division by zero"),
    "0**-1": (1, "this is not a finite number; leave"),
    "log(0)": (1, "this is not a finite number; leave"),
    "tan(pi/2)": (1, "this is not a finite number; leave"),
    "log(-1)": (1, "not a real number"),
    "sqrt(-2)": (1, "not a real number"),
    "sqrt(-u**2)": (1, "not a real number"),
    "(-8)**(1/3)": (1, "write cbrt"),
    "(-2)**u": (1, "a base that is not positive"),
    "asin(2)": (1, "not a real number"),
    "acosh(0.5)": (1, "not a real number"),
    "log(u, 1)": (1, "a logarithm to base 1"),
    "u_very_long_name_that_goes_on": (1, "has 29 characters; 20 is the most"),
    "__u": (1, "names begin with a letter"),
    "007": (1, "begins with a zero; write 7"),
    "1e400": (1, "out of range"),
    "u + 1234567890123456789012345678901": (5, "31 digits is too long; 30 digits are the most"),
    "u**101": (1, "100 is the most"),
    "exp(800)": (1, "goes beyond"),
    "exp(-800)": (1, "too small"),
    "sin(1e9)": (1, "an angle goes beyond"),
    "": (None, "the text is empty"),
    "oo": (None, "infinite everywhere"),
}


@pytest.mark.parametrize("text", REFUSALS)
def test_refusal(text):
    column, says = REFUSALS[text]
    with pytest.raises(ExpressionError, match=says) as caught:
        parse_expression(text)
    place = "formula: " if column is None else f"formula, column {column}: "
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
