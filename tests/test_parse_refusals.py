"""The sentence that refuses what is no formula, and the formulas that somebody hostile would try."""

import time

import pytest

from workbench.convex.parse import domain_of, parse_domain, parse_expression, parse_parameters
from workbench.errors import ExpressionError, InputError

PARAMETERS = {"a": "a > 0", "p": "p > 1"}
PATIENCE = 1.0  # seconds; a refusal takes milliseconds, on a machine with nothing else to do

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


HOSTILE = {
    "attribute": "u.__class__.__mro__",
    "method": "(1).bit_length()",
    "import": "__import__('os').system('true')",
    "dunder": "__builtins__",
    "eval": "eval(u)",
    "open": "open(u)",
    "sympify": "sympify(u)",
    "Symbol": "Symbol(u)",
    "Integral": "Integral(exp(u), u)",
    "lambda": "(lambda: u)()",
    "lambda chain": "(lambda f: f(f))(lambda f: f(f))",
    "list": "[u, u]",
    "list comprehension": "[u for u in range(10**9)]",
    "generator": "max(u for u in range(10))",
    "set": "{u}",
    "dict": "{u: u}",
    "f-string": "f'{u}'",
    "string": "'u'",
    "long string": "",
    "bytes": "b'u'",
    "walrus": "(u := 5)",
    "star": "max(*u, 1)",
    "double star": "max(**u)",
    "keyword": "max(u, key=u)",
    "evaluate": "exp(u, evaluate=False)",
    "subscript": "u[0]",
    "slice": "u[::2]",
    "await": "await u",
    "yield": "(yield u)",
    "statement": "import os",
    "two statements": "u; import os",
    "assignment": "u = 1",
    "line break": "u\n+ 1",
    "carriage return": "u\r+ 1",
    "continuation": "u \\\n + 1",
    "null byte": "u\0",
    "only null bytes": "\0" * 100,
    "form feed": "u\x0c+ 1",
    "escape": "\x1b[31mu",
    "surrogate": "u\ud800",
    "right to left": "u\u202e+ 1",
    "line separator": "u\u2028+ 1",
    "full-width": "ｅｘｐ(u)",
    "Cyrillic": "ехр(u)",
    "mathematical": "𝑒𝑥𝑝(u)",
    "Arabic digits": "u + ١",
    "ellipsis": "...",
    "None": "None",
    "matrix product": "u @ u",
    "shift": "1 << 100",
    "floor": "u // 2",
    "complex": "1j",
    "hexadecimal": "0xFFFF",
    "underscores": "1_000_000",
    "long integer": "9" * 31,
    "very long integer": "9" * 900,
    "huge exponent": "1e999999999",
    "tiny exponent": "1e-999999999",
    "long exponent": "1e" + "9" * 500,
    "tower": "9**9**9",
    "tower of carets": "9^9^9^9^9",
    "grouped tower": "(9**9)**(9**9)",
    "power of a power": "2**(3**50)",
    "google": "10**100**100",
    "nested powers": "((((10**99)**99)**99)**99)**99",
    "square of squares": "square(" * 20 + "10" + ")" * 20,
    "powers of a sum": "(((((u + 10)**99)**99)**99)**99) / (((((u + 10)**99)**99)**99)**98)",
    "exponents that cancel": "2**(u + 10**20) * 2**(-u)",
    "exponents that add": "*".join(["(7*u)**90"] * 40),
    "hidden in exp": "exp(10**29 * log(7))",
    "hidden in a quotient": "7**(log(5)/log(7)*10**9)",
    "hidden near one": "3**(10**9*log(1000000001/1000000000)/log(3))",
    "hidden under exp": "exp(10**9*log(1000000001/1000000000))",
    "tower of exp": "exp(exp(exp(6 + u - u)*3))",
    "exp": "exp(" * 30 + "1" + ")" * 30,
    "factors": "*".join(["9" * 29] * 20) + "*" + "*".join(["9" * 29] * 10),
    "surds that cancel": "abs((sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11))**2 - 28 - 2*(sqrt(6)+sqrt(10)"
    "+sqrt(14)+sqrt(22)+sqrt(15)+sqrt(21)+sqrt(33)+sqrt(35)+sqrt(55)+sqrt(77)))",
    "sine of a large number": "sin(10**29)",
    "a million characters": "u+" * 500_000 + "u",
    "a million parentheses": "(" * 10**6,
    "a million blanks": " " * 10**6,
    "a million nulls": "\0" * 10**6,
    "parentheses": "(" * 300 + "u" + ")" * 300,
    "calls": "exp(" * 200 + "u" + ")" * 200,
    "minus": "-" * 900 + "u",
    "not": "not " * 240 + "u",
    "powers": "u**" * 300 + "u",
    "conditionals": "u if u > 0 else " * 60 + "u",
    "many parts": "u+" * 400 + "u",
    "commas": "," * 999,
    "many names": "+".join(f"v{k}" for k in range(100)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_at_once_wherever_it_stands(name):
    text = HOSTILE[name]
    readers = [
        lambda: parse_expression(text, PARAMETERS),
        lambda: parse_expression(text, PARAMETERS, "u"),
        lambda: parse_domain(f"u > {text}", "u", PARAMETERS),
        lambda: parse_domain(f"[0, {text})", "u", PARAMETERS),
        lambda: domain_of((0, text), "u", PARAMETERS),
        lambda: parse_parameters({"q": f"q > {text}"}),
        lambda: parse_parameters({text: "positive"}),
    ]
    for read in readers:
        start = time.monotonic()
        with pytest.raises(ExpressionError) as caught:
            read()
        assert time.monotonic() - start < PATIENCE
        sentence = str(caught.value)
        assert sentence.isprintable()
        assert len(sentence) < 1000


@pytest.mark.parametrize("text", [None, 5, b"u", ["u"], object(), float, 1.5])
def test_only_text_is_read(text):
    with pytest.raises(ExpressionError, match="is no text; write it as in"):
        parse_expression(text)


def test_text_of_a_class_of_its_own_is_read_as_text():
    class Sly(str):
        def __len__(self):
            return 1

        def __getitem__(self, key):
            return "u"

        def strip(self, *_):
            return "u"

    with pytest.raises(ExpressionError, match="has no place in a formula"):
        parse_expression(Sly("u.__class__"))
    with pytest.raises(ExpressionError, match="1001 characters are too many; 1000 is the most"):
        parse_expression(Sly("u" * 1001))


def test_long_sums_and_products_are_no_depth():
    assert parse_expression("+".join(["u"] * 140)).expr == 140 * parse_expression("u").expr
    assert parse_expression("*".join(["u"] * 60)).expr == parse_expression("u").expr ** 60
