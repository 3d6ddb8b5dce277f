"""Checkers judge by meaning: every form of a right answer passes, every mutant of it is refused."""

import functools
import importlib
import re
import sys

import numpy as np
import pytest
import sympy

from tests.helpers.amounts import amount, some
from tests.helpers.answer_forms import dressed
from tests.helpers.answer_mutants import mutants, nearby
from tests.helpers.made_lessons import SOURCES, refusal, solutions_of
from workbench.teaching import NotYet, answers, check, checking

DRAWS = amount(6, 20)
MOST_SAID = 600
# What an answer or the function of one may be or return by mistake.
ODD = (
    None,
    "text",
    "",
    object(),
    {},
    3,
    -1.5,
    10**400,
    1j,
    np.inf,
    np.array(1.0),
    np.array([]),
    np.zeros((2, 2)),
    np.zeros(50_000),
    np.full(3, np.nan),
    np.array([True, False]),
    np.eye(3) > 0,
    np.array([1j, 2.0]),
    np.array([None, 1.0]),
    [[1.0], [1.0, 2.0]],
    ([[1.0], [1.0, 2.0]], "text"),
    (np.zeros(3), np.zeros(3)),
    (None, None),
    range(3),
    (letter for letter in "ab"),
    {"a": 1.0},
    np,
)
ODD_FUNCTIONS = (
    lambda: 1.0,
    lambda *, only: only,
    lambda *args: 1 / 0,
    lambda *args: (argument for argument in args),
    lambda *args: np.asarray(args[0]) > 0,
    lambda *args: 1e300 * np.asarray(args[0], dtype=float),
    lambda *args: [np.zeros(np.shape(argument)) > 0 for argument in args[:2]],
    functools.partial(divmod, 1),
    max,
    dict,
)
# Of the shortest solution, the name of one function.
LEAST = 5


def solved(number):
    """The name of each exercise of a lesson with the source of its solution and the answer's own name."""
    (path,) = [path for path in SOURCES if int(path.name[:2]) == number]
    source, cells = "", {}
    for cell in solutions_of(path).cells:
        meta = cell.metadata.get("nbgrader", {})
        if meta.get("solution"):
            source = cell.source
        elif meta.get("grade"):
            name, answer = re.search(r'check\("([\d.]+)", (\w+)\)', cell.source).groups()
            cells[name] = (source, answer)
    return cells


NUMBERS = sorted(int(path.name[:2]) for path in SOURCES)
SOLVED = {name: cell for number in NUMBERS for name, cell in solved(number).items()}
# Solvers and proofs of a student's own, which test_lesson_builds.py tries: many values of theirs are right.
BUILT = {
    name
    for number in NUMBERS
    for name in getattr(
        importlib.import_module(f"tests.corpora.lesson_answers.lesson_{number:02d}"), "RIGHT", {}
    )
}
FUNCTIONS = [
    name for name, (source, answer) in SOLVED.items() if f"def {answer}(" in source and name not in BUILT
]


def answer_of(name):
    source, answer = SOLVED[name]
    names = {"np": np}
    exec(source, names)
    return names[answer]


def inputs_of(name, monkeypatch):
    """The arguments that the checker of an exercise tries."""
    values = []
    module = sys.modules[checking.find(name).judge.__module__]
    with monkeypatch.context() as patch:
        patch.setattr(module, "expect_function", lambda answer, inputs, *rest, **more: values.extend(inputs))
        checking.find(name).judge(answer_of(name))
    return values or module.TUBES


def right(name, answer):
    try:
        check(name, answer)
    except NotYet:
        return False
    return True


def value(function, arguments):
    try:
        result = function(*arguments)
        return None if result is None else np.asarray(result)
    except Exception:
        return None


def differs(mutant, solution, places):
    for place in places:
        due, result = value(solution, place), value(mutant, place)
        if due is None:
            continue
        if due.dtype.kind in "US":
            if not np.array_equal(result, due):
                return True
        elif result is None or result.dtype.kind not in "fib" or not answers.same(result, due):
            return True
    return False


@pytest.mark.parametrize("name", FUNCTIONS)
def test_mutants_of_the_solution_are_refused(name, monkeypatch, capsys):
    rng = np.random.default_rng(0)
    solution, inputs = answer_of(name), inputs_of(name, monkeypatch)
    places = [*inputs, *(nearby(place, rng) for place in inputs for _ in range(DRAWS))]
    source, answer = SOLVED[name]
    with np.errstate(all="ignore"):
        wrong = [mutant for mutant in mutants(source, answer) if differs(mutant[1], solution, places)]
    assert len(wrong) >= LEAST
    assert [text for text, mutant in some(wrong, 8) if right(name, mutant)] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_right_answers_pass_in_every_form(name, monkeypatch, capsys):
    """Whatever holds the values, and whatever is called."""
    solution = answer_of(name)

    class Called:
        def __call__(self, *arguments):
            return solution(*arguments)

    def printing(*arguments):
        print(*arguments)
        return solution(*arguments)

    others = dressed(solution, inputs_of(name, monkeypatch)[0])
    assert [kind for kind, answer in others.items() if not right(name, answer)] == []
    calls = (solution, printing, functools.partial(solution), Called())
    assert [call for call in calls if not right(name, call)] == []


U = sympy.Symbol("u", real=True)
LOPSIDED = (
    sympy.Max(U, -4 * U),
    "max(u, -4*u)",
    "np.maximum(u, -4*u)",
    "numpy.maximum(u, -4.0*u)",
    "abs(u) + 1.5*abs(u) - 1.5*u",
)
HALVED = (
    sympy.Abs(U) / 2 + U**2 / 2,
    "0.5*abs(u) + u**2/2",
    "np.abs(u)/2 + u*u/2",
    "(abs(u) + u**2)/2",
    "np.maximum(u, -u)/2 + u**2/2",
)
TEXTS = {
    "10.1": (
        LOPSIDED,
        (
            "max(u, -4*u, 10*u - 25)",
            "max(u, -4*u) + max(0, u - 1000)",
            "max(u, -4*u, 0.001)",
            "max(4*u, -u)",
            "max(u, -4*u)**2",
            "max(0, -4*u)",
            "max(u, 0)",
            "5*abs(u)",
            "abs(u)",
            "max(u, -3*u)",
            "u**2",
        ),
    ),
    "10.4": (
        HALVED,
        (
            "abs(u) + u**2/2",
            "abs(u)/2",
            "u**2/2",
            "abs(u)/2 + u**2",
            "max(abs(u) - 0.5, 0)**2/2",
            "u**2",
            "abs(u)/2 - u**2/2",
            "max(abs(u)/2, u**2/2)",
            "abs(u)/2 + u**2/2 + max(0, u - 50)",
            "0",
        ),
    ),
    "8.4": (
        (200, 200.0, np.float64(200), np.array(200.0), [200.0], 10 * 20_000 * 1e-3),
        (1e-3, 0.01, 20.0, 2e5, 5e-9, 100, 400, -200, "200", np.inf),
    ),
    "11.1": (
        (np.array([[2.0, 1.0], [0.0, 1.0]]), [[1, 1], [0, 1]], ((0, 2), (1, 3)), np.array([[0, 1], [-1, 0]])),
        (
            np.eye(2),
            np.ones((2, 2)),
            [[1, 2], [2, 1]],
            [[1, 2], [2, 4]],
            np.eye(3),
            1.0,
            "S",
            [[1, 2]],
            [[np.inf, 1], [0, 1]],
            [[0, 0], [0, 0]],
        ),
    ),
    "11.3": ((-1, -1.0, np.float64(-1), np.array(-1.0), [-1]), (1, 0, -2, -0.5, 0.5, 2, "-1", np.inf, None)),
    "11.4": (
        ("beg", "b, e, g", "GEB", "b e g", "b+e+g", ["b", "e", "g"]),
        ("b", "eg", "abeg", "bhg", "abcdefg", "", ["b", "e"], 3, "acdf"),
    ),
    "21.4": (
        ("acf", "f, c, a", "ACF", "a c f", ["a", "c", "f"]),
        ("a", "af", "cf", "abcf", "acdf", "acef", "acfg", "abcdefg", "acfh", "", ["a", "c"], 3),
    ),
}


def test_every_exercise_is_tried():
    every = {name for number in NUMBERS for name in checking.load(number)}
    assert every == {*FUNCTIONS, *TEXTS, *BUILT}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_and_values(name, capsys):
    passing, failing = TEXTS[name]
    assert [answer for answer in passing if not right(name, answer)] == []
    assert [answer for answer in failing if right(name, answer)] == []


def returning(value):
    return lambda *args: value


@pytest.mark.parametrize("number", NUMBERS)
def test_odd_answers_get_a_sentence(number):
    """Every wrong kind of answer is refused in one sentence; no other error is raised."""
    odd = [*ODD, *ODD_FUNCTIONS, *map(returning, some(ODD, 9))]
    for name in checking.load(number):
        for answer in odd:
            sentence = refusal(name, answer)
            assert sentence.startswith(f"Exercise {name}, ")
            assert "\n" not in sentence
            assert len(sentence) < MOST_SAID


@pytest.mark.parametrize(
    ("mine", "right", "said"),
    [
        ([True, False], [False, False], "only entry 0 is 1, too large"),
        ([True, True, False], [False, False, False], "entry 0 of 3 is 1, too large"),
        ([True, True], [False, False], "entry 0 of 2 is 1, the opposite of the right value, each time"),
        ([0.0, 0.5], [True, True], "values other than True and False: a comparison is missing"),
    ],
)
def test_flags_are_compared_as_numbers(mine, right, said):
    with pytest.raises(answers.Wrong, match=said):
        answers.expect(np.array(mine), np.array(right))


COMMON = [
    (lambda y, v, lam: -lam * y * v**2, "right but for its sign"),
    (lambda y, v, lam: 3 * lam * y * v**2, "3 times the right value: look for a factor"),
    (lambda y, v, lam: -1.5 * lam * y * v**2, "-1.5 times the right value: look for a factor"),
    (lambda y, v, lam: lam * v**3, "right with v in place of y"),
    (lambda y, v, lam: y * v**2, "right for lam = 1, as if lam were missing"),
    (lambda y, v, lam: lam * v**2, "right for y = 1, as if y were missing"),
    (lambda y, v, lam: lam * y * v**2 / len(v), r"divided by len\(y\), each time"),
    (lambda y, v, lam: lam * y * v**2 + lam, "the right value plus lam, each time"),
    (lambda y, v, lam: lam * y * v**2 + 0.125, "0.125 more than the right value, each time"),
    (lambda y, v, lam: lam**2 * y * v**2, "right for lam squared in place of lam"),
    (lambda y, v, lam: lam * v * y**2, "right with y and v exchanged"),
    (lambda y, v, lam: lam * y * (v + 1) ** 2, r"right for v \+ 1 in place of v: count again"),
    (lambda y, v, lam: (lam * y * v**2) ** 2, "the square of the right value"),
    (lambda y, v, lam: (lam * y * v**2)[::-1], "among the right values, but in another order"),
    (lambda y, v, lam: 0 * v, "0, each time"),
    (lambda y, v, lam: v, "v itself, unchanged"),
    (lambda y, v, lam: np.tanh(v), "too (large|small)"),
]


@pytest.mark.parametrize(("wrong", "said"), COMMON, ids=[said for _, said in COMMON])
def test_what_wrong_values_have_in_common_is_named(wrong, said):
    cases = [
        (np.array([1.0, -1.0, 1.0]), np.array([0.5, -2.0, 3.0]), 0.25),
        (np.array([1.0, -1.0]), np.array([1.5, 0.75]), 3.0),
    ]
    with pytest.raises(answers.Wrong, match=said):
        answers.expect_function(wrong, cases, lambda y, v, lam: lam * y * v**2)


def test_arguments_without_digits_are_shown():
    def taken(flags, names, value):
        return 0.0

    place = (np.array([True, False]), np.array(["a", "b"]), np.array([0.123456]))
    shown = r"flags = \[True, False\], names = \['a', 'b'\], value = \[0.1235\]"
    with pytest.raises(answers.Wrong, match=shown):
        answers.expect_function(taken, [place], lambda flags, names, value: 1.0)


def test_a_list_by_heart_is_refused():
    said = refusal("3.3", lambda z, y, epsilon: ["zero", "free", "free", "bound", "bound"])
    assert "one text for each of 7 entries" in said
    fitted = ["zero", "free", "free", "bound", "bound", "bound", "zero"]
    assert not right("3.3", lambda z, y, epsilon: fitted[: len(z)])


def test_a_step_that_changes_v_in_place_is_refused(capsys):
    def step(v, x, y, eta, transfer):
        if y * (transfer(v) @ x) <= 0:
            v += eta * y * x
        return v

    def good(v, x, y, eta, transfer):
        new = v.copy()
        if y * (transfer(v) @ x) <= 0:
            new += eta * y * x
        return new

    assert "changes v in place" in refusal("5.2", step)
    assert right("5.2", good)


def test_a_gap_by_subtraction_is_refused(capsys):
    def subtracted(X, y, w, alpha, lam):
        v = X.T @ alpha / (lam * len(y))
        P = np.mean((X @ w - y) ** 2) + lam / 2 * w @ w
        return P + np.mean(alpha**2 / 4 - alpha * y) + lam / 2 * v @ v

    def expanded(X, y, w, alpha, lam):
        v = X.T @ alpha / (lam * len(y))
        z = X @ w
        return np.mean((z - y) ** 2 + alpha**2 / 4 + alpha * (z - y)) + lam / 2 * (w @ w + v @ v - 2 * w @ v)

    def halves(X, y, w, alpha, lam):
        r = 2 * (y - X @ w) - alpha
        d = w - X.T @ alpha / (lam * len(y))
        return r @ r / (4 * len(y)) + lam * np.linalg.norm(d) ** 2 / 2

    assert "subtracting" in refusal("6.1", subtracted)
    assert "subtracting" in refusal("6.1", expanded)
    assert right("6.1", halves)


@pytest.mark.parametrize("up", [np.ceil, lambda T: int(np.ceil(T)) if np.isfinite(T) else np.inf])
def test_steps_may_be_rounded_up(up, capsys):
    steps = answer_of("9.4")
    assert right("9.4", lambda *point: up(steps(*point)))
    assert not right("9.4", lambda *point: np.floor(steps(*point)))


def test_a_function_that_reads_the_notebook_is_told_so():
    names = {"n": 569, "X": np.ones((569, 30)), "np": np}
    exec("def kappa(alpha):\n    return -alpha / (2 * n)", names)
    said = refusal("0.3", names["kappa"])
    assert "reads n from the notebook" in said
    assert "use len(alpha)" in said
    exec("def bound(eps, G, L, c, m):\n    return n", names)
    assert "reads n from the notebook" in refusal("9.4", names["bound"])
    exec("def alpha_from_w(w, data, y):\n    return [-2 * (X[i] @ w - y[i]) for i in range(len(y))]", names)
    assert "reads X from the notebook" in refusal("2.3", names["alpha_from_w"])
    n = 569
    assert "reads n from the notebook" in refusal("0.3", lambda alpha: -alpha / (2 * n))
    # A constant or a helper of the notebook is allowed, and a wrong answer without one gets no remark on it.
    exec("def half(x):\n    return x / 2\ndef kappa(alpha):\n    return -half(alpha) / len(alpha)", names)
    assert right("0.3", names["kappa"])
    assert "notebook" not in refusal("0.3", lambda alpha: alpha)
    # Nor is a constant blamed in place of a size, or a variable of the function itself; helpers are read.
    names.update(passes=30)
    exec("def kappa(alpha):\n    return -alpha / (passes - 28) / n", names)
    assert "reads n from the notebook" in refusal("0.3", names["kappa"])
    names.update(passes=25)
    exec("def kappa(alpha):\n    return -alpha / passes", names)
    assert "notebook" not in refusal("0.3", names["kappa"])
    exec("def kappa(alpha):\n    n = len(alpha)\n    return (lambda: alpha / n)()", names)
    assert "notebook" not in refusal("0.3", names["kappa"])
    exec("def over(x):\n    return x / n\ndef kappa(alpha):\n    return -over(alpha) / 2", names)
    assert "reads n from the notebook" in refusal("0.3", names["kappa"])


def _kernel_ridge(diagonal):
    return lambda X, y, lam: np.linalg.solve(X @ X.T + diagonal(lam, len(y)) * np.eye(len(y)), y)


DIAGONALS = [lambda lam, n: lam * n, lambda lam, n: lam * n / 2, lambda lam, n: lam, lambda lam, n: lam / 2]


@pytest.mark.parametrize("diagonal", DIAGONALS)
def test_kernel_ridge_is_named(diagonal):
    assert "kernel ridge" in refusal("2.1", _kernel_ridge(diagonal))


def test_beta_for_alpha_is_named():
    step = answer_of("5.1")
    assert "beta = alpha y" in refusal("5.1", lambda a, y, *rest: y * step(a, y, *rest))
    assert "beta = alpha y" in refusal("5.1", lambda a, y, *rest: step(y * a, y, *rest))
    assert "beta = alpha y" in refusal("5.1", lambda a, y, *rest: y * step(y * a, y, *rest))


def test_what_nbgrader_leaves_is_no_answer():
    def left(*arguments):
        raise NotImplementedError

    for name in FUNCTIONS:
        assert "answer is still missing" in refusal(name, left)
