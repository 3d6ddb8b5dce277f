"""Short problems before the exercises, from lessons/practice/NN.toml, judged as `check` judges.

    practice("5.p1a")            the question, after a worked example
    check("5.p1a", 0.25)         right, or what is wrong; after two attempts the solution
    hint("5.p1a")                the first of three hints, then the second, then the third

A file has a table [[problem]] for each kind. `with` lists the values of its parameters, a problem for each
place: "5.p1b" is the second of the first kind. In texts <a> stands for a parameter and <answer> for the
right answer. `answer` and the first of each pair in `wrong` are expressions in NumPy; a formula is one in
`variable`, compared at the places `at`. In a kind with `right` one chooses, and `wrong` has the others. A
kind with a table `graph` has a drawing; where its parts are picked, `wrong` is the sentence on a wrong one.
"""

import random
import re
import string
import tomllib
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.system import resources
from workbench.teaching.answers import Wrong, choice, expect, expect_function
from workbench.teaching.diagnosis import RELATIVE
from workbench.teaching.graphs import LETTERS, Graph, read_graph

NAME = re.compile(r"(\d{1,2})\.p\d+[a-z]")
# Choices are shuffled with this seed, and here alone.
SEED = 2006
ATTEMPTS = 2
# Attempts and hints so far, in this kernel.
TRIED: dict[Any, Any] = {}
HINTED: dict[Any, Any] = {}


class Formula(NamedTuple):
    """A function of one variable that the file of problems writes as an expression."""

    expression: str
    names: dict
    variable: str
    places: list  # where answers are compared with it

    def __call__(self, place):
        return float(eval(self.expression, self.names | {self.variable: place}))


class Problem(NamedTuple):
    """One problem: texts, and what is right and wrong as numbers, functions or choices."""

    name: str
    title: str
    ask: str
    example: str
    hints: list
    solution: str
    right: "float | str | Formula"
    wrong: list
    choices: list
    graph: Graph | None = None

    def judge(self, answer):
        """Raise `Wrong` unless the answer is right; from the second attempt on with the solution."""
        try:
            self._check(answer)
        except Wrong as wrong:
            TRIED[self.name] = TRIED.get(self.name, 0) + 1
            if TRIED[self.name] < ATTEMPTS:
                raise Wrong(f"{wrong} A hint: hint({self.name!r}).") from None
            raise Wrong(f"{wrong} The solution: {self.solution}") from None

    def _check(self, answer):
        if self.choices:
            letters = string.ascii_lowercase[: len(self.choices)]
            option = self.choices[letters.index(choice(answer, letters))]
            for other, sentence in self.wrong:
                if option == other:
                    raise Wrong(sentence)
        elif isinstance(self.right, Formula):
            places = [(place,) for place in self.right.places]
            expect_function(_function(answer), places, self.right, self.wrong, "Your formula")
        else:
            expect(answer, self.right, self.wrong)

    def __str__(self):
        lines = [f"{self.name}  {self.title}", f"Example: {self.example}", self.ask]
        lines += [f"  {letter}. {choice}" for letter, choice in zip(string.ascii_lowercase, self.choices)]  # noqa: B905
        return "\n".join(lines)


def _function(answer):
    """Return the function of a formula in text or in SymPy."""
    from workbench._support.errors import ExpressionError
    from workbench.conjugates.convex.parse import from_sympy, parse_expression

    if callable(answer):
        return answer
    try:
        parsed = parse_expression(answer) if isinstance(answer, str) else from_sympy(answer)
    except ExpressionError as error:
        raise Wrong(f"The formula cannot be read: {error}") from None

    def formula(value):
        return float(parsed.expr.subs(parsed.variable, value))

    return formula


def find(name):
    """Return the problem of that name.

    Raises
    ------
    InputError
        It names those that there are.
    """
    match = NAME.fullmatch(name) if isinstance(name, str) else None
    problems = of_lesson(int(match[1])) if match else {}
    if name not in problems:
        there = f"this lesson has {', '.join(problems)}" if problems else "a name reads like '5.p1a'"
        raise InputError(f"practice: unknown problem {name!r}; {there}")
    return problems[name]


@cache
def of_lesson(lesson):
    """Return the problems of a lesson by their names; empty for a lesson without a file."""
    path = resources.folder() / "practice" / f"{lesson:02d}.toml"
    if not path.is_file():
        return {}
    kinds = tomllib.loads(path.read_text(encoding="utf-8"))["problem"]
    problems = [
        problem for number, kind in enumerate(kinds, 1) for problem in _all(f"{lesson}.p{number}", kind)
    ]
    return {problem.name: problem for problem in problems}


def practice(*names):
    """Show problems: a worked example, then the question."""
    for name in names:
        print(f"{find(name)}\n")
        graph = find(name).graph
        if graph:
            _show(graph.svg())
    print(f'Answer with check("{names[0]}", ...); hint("{names[0]}") helps and costs nothing.')


def _show(svg):
    from IPython.display import SVG, display

    display(SVG(svg))


def hint(name):
    """Show the next of three hints to a problem."""
    problem = find(name)
    place = min(HINTED.get(name, 0), len(problem.hints) - 1)
    HINTED[name] = place + 1
    print(f"Hint {place + 1} of {len(problem.hints)}: {problem.hints[place]}")


def _all(name, kind):
    values = kind.get("with", {})
    count = min(map(len, values.values()), default=1)
    return [
        _one(name + letter, kind, {key: column[place] for key, column in values.items()})
        for place, letter in zip(range(count), string.ascii_lowercase, strict=False)
    ]


def _one(name, kind, values):
    choices, right, graph = [], kind.get("right"), None
    if "graph" in kind:
        graph = read_graph(name, kind["graph"], _names(values), SEED)
        right = graph.right or right
    if graph and graph.pick:
        choices, wrong = [*LETTERS], [(letter, kind["wrong"]) for letter in LETTERS if letter != right]
    elif right is None:
        right = _value(kind["answer"], values, kind)
        wrong = [(_value(expression, values, kind), sentence) for expression, sentence in kind["wrong"]]
        # With some parameters a mistake is right, or not a number.
        wrong = [pair for pair in wrong if callable(right) or _differs(pair[0], right)]
    else:
        wrong = [tuple(pair) for pair in kind["wrong"]]
        choices = [right, *(choice for choice, _ in wrong)]
        random.Random(f"{SEED} {name}").shuffle(choices)
    fields = values | {"answer": kind["answer"] if callable(right) else _short(right)}

    def filled(text):
        return re.sub(r"<(\w+)>", lambda match: _spelled(fields[match[1]]), text)

    return Problem(
        name,
        kind["title"],
        filled(kind["ask"]),
        kind["example"],
        list(map(filled, kind["hints"])),
        filled(kind["solution"]),
        right,
        [(other, filled(sentence)) for other, sentence in wrong],
        choices,
        graph,
    )


def _value(expression, values, kind):
    """Return the number, or the function of the variable, that an expression of the file stands for."""
    names = _names(values)
    if "variable" not in kind:
        with np.errstate(all="ignore"):
            return float(eval(expression, names))
    return Formula(expression, names, kind["variable"], kind["at"])


def _spelled(value):
    """Return a parameter as a text has it: 2.0 is 2."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _names(values):
    """Return what an expression of the file may use: NumPy, and the parameters as floats."""
    return vars(np) | {"__builtins__": {}} | {name: np.float64(value) for name, value in values.items()}


def _differs(wrong, right):
    return not (np.isnan(wrong) or np.isclose(wrong, right, RELATIVE))


def _short(right):
    return right if isinstance(right, str) else f"{right:.6g}"
