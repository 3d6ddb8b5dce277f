"""The formulas that somebody hostile would try: each is refused, at once and wherever it stands."""

import time

import pytest

from workbench.convex.parse import domain_of, parse_domain, parse_expression, parse_parameters
from workbench.errors import ExpressionError

PARAMETERS = {"a": "a > 0", "p": "p > 1"}
PATIENCE = 5.0  # seconds of this thread's processor time; a refusal takes milliseconds

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
        start = time.thread_time()
        with pytest.raises(ExpressionError) as caught:
            read()
        assert time.thread_time() - start < PATIENCE
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
