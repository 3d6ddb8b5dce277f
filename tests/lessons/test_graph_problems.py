"""Problems with a graph: keys agree with an evaluation of their own, from the curves and marks as drawn."""

import tomllib

import numpy as np
import pytest

from tests.helpers.made_lessons import FOLDER, LESSONS
from workbench._support.errors import InputError
from workbench.teaching.graphs import LETTERS, read_graph
from workbench.teaching.problems import SEED, find, of_lesson

NUMBERS = sorted(int(path.name[:2]) for path in LESSONS)
PROBLEMS = {name: problem for number in NUMBERS for name, problem in of_lesson(number).items()}
GRAPHS = {name: problem for name, problem in PROBLEMS.items() if problem.graph}
GRID = np.linspace(-40.0, 40.0, 160_001)


def values_of(name):
    number, kind = name.split(".")
    kinds = tomllib.loads((FOLDER / "practice" / f"{int(number):02d}.toml").read_text("utf-8"))["problem"]
    columns = kinds[int(kind[1:-1]) - 1]["with"]
    return {key: float(column["abcdefgh".index(kind[-1])]) for key, column in columns.items()}


def sup(curve, v):
    return np.max(v * GRID - curve(GRID))


def slope(curve, x, h=1e-5):
    return (curve(x + h) - curve(x - h)) / (2 * h)


def top(curve):
    inside = GRID[np.abs(GRID) <= 5]
    return inside[np.argmax(curve(inside))]


# The right number from the drawn curves f, g and marks m, with the values of the parameters.
NUMERIC = {
    "a conjugate off a tangent": lambda f, m, p: sup(f[0], p["v"]),
    "the maximizer off a tangent": lambda f, m, p: GRID[np.argmax(p["v"] * GRID - f[0](GRID))],
    "the slope at a kink": lambda f, m, p: f[0](1e-3) / 1e-3,
    "the Fenchel-Young gap off a graph": lambda f, m, p: f[0](p["u"]) + sup(f[0], p["v"]) - p["u"] * p["v"],
    "the gap between two curves": lambda f, m, p: m[0][1] - m[1][1],
    "an interval for the optimum": lambda f, m, p: m[0][1] - m[1][1],
    "the best bound": lambda f, m, p: np.max(f[0](GRID)),
    "α off a slope": lambda f, m, p: -slope(f[0], m[0][0]),
    "how many samples at a bound": lambda f, m, p: sum(slope(f[0], x) < -0.5 for x, _ in m),
    "a threshold off a transfer function": lambda f, m, p: np.max(GRID[f[0](GRID) == 0]),
    "a bound on the weights": lambda f, m, p: f[0](40.0),
    "the step to the top": lambda f, m, p: top(f[0]) - m[0][0],
    "a step that is clipped": lambda f, m, p: max(np.linspace(0, 1, 1001), key=f[0]),
    "read the gap": lambda f, m, p: 1 - m[1][1] / m[0][1],
    "the repair off a picture": lambda f, m, p: m[0][0] / max(m[0][0], m[1][0]),
    "the bias off a sum": lambda f, m, p: GRID[np.argmin(f[0](GRID))],
    "a violation off a line": lambda f, m, p: m[0][0] - m[1][0],
    "the curvature of a conjugate": lambda f, m, p: 1 / (2 * f[0](1.0)),
    "the promise of Frank-Wolfe": lambda f, m, p: -slope(f[0], 0.0),
    "a price off a kink": lambda f, m, p: slope(f[0], m[0][0]),
    "a multiplier off V": lambda f, m, p: -slope(f[0], m[0][0]),
    "a multiplier off a slope": lambda f, m, p: -slope(f[0], m[0][0]),
    "where an activation leaves zero": lambda f, m, p: np.max(GRID[f[0](GRID) <= 1e-9]),
}


def nearest(curve, points, function):
    """Check if a curve is the function at the points."""
    return all(abs(curve(x) - function(x)) < 1e-3 for x in points)


def always(curve, condition, low=-3.0, end=3.0):
    return bool(np.all(condition(np.array([float(curve(x)) for x in np.linspace(low, end, 241)]))))


def absolute_square(u):
    return np.abs(u) + u**2 / 2


def falls(heights):
    return np.diff(heights) < -1e-9


# Tests of one part: a curve f or a mark (x, y), with the values of the parameters.
PICKED = {
    "which line supports the graph": lambda f, p: (
        always(f, np.isfinite) and abs(np.min(absolute_square(GRID) - f(GRID))) < 1e-3
    ),
    "which graph is the conjugate": lambda f, p: nearest(
        f, (-1, 0.5, 2), lambda v: sup(lambda u: p["a"] * u**2 / 2, v)
    ),
    "the conjugate of a shift": lambda f, p: nearest(
        f, (-1, 0.5, 2), lambda v: sup(lambda u: (u - p["t"]) ** 2 / 2, v)
    ),
    "the domain of a conjugate": lambda f, p: all(
        np.isfinite(f(x)) == (abs(x) < p["a"]) for x in np.linspace(-2.97, 2.97, 78)
    ),
    "a counterexample to convexity": lambda m, p: m[1] > 0,
    "the biconjugate": lambda m, p: (
        abs(m[1] - max(m[0] * v - sup(lambda u: p["h"] * (u**2 - 1) ** 2, v) for v in (-1, 0, 1))) < 1e-3
    ),
    "which dual point is feasible": lambda m, p: m[0] * p["lab"] == np.clip(m[0] * p["lab"], 0, 1),
    "which curve is a lower bound": lambda f, p: always(f, lambda h: h <= p["m"], 0, 5),
    "a saddle off its curves": lambda f, p: nearest(
        f, (-2, 0.3, 1), lambda v: np.min(GRID**2 / 2 - v * GRID) + v * p["t"]
    ),
    "which α is at a bound": lambda m, p: m[1] > 0,
    "which sample is free": lambda m, p: m == (1, 0),
    "which loss is sparse": lambda f, p: all(
        abs(slope(f, x)) < 1e-9 for x in (p["m"] + 0.1, p["m"] + 1, p["m"] + 5)
    ),
    "which loss is bounded in α": lambda f, p: (
        np.max(np.abs(np.diff(f(GRID)) / np.diff(GRID))) <= p["s"] + 1e-6
    ),
    "which weight is zero at this λ": lambda m, p: max(m[0] - p["l"], 0) == 0,
    "which kink is the transfer function’s": lambda f, p: nearest(
        f, (-2, 0.2, 2), lambda v: GRID[np.argmax(v * GRID - p["e"] * np.abs(GRID) - GRID**2 / 2)]
    ),
    "which transfer function is dense": lambda f, p: np.all(np.diff(f(GRID)) > 0),
    "a jump is not allowed": lambda f, p: np.any(falls(f(GRID))),
    "which row of weights stays positive": lambda f, p: always(f, lambda h: h > 0),
    "which gap curve belongs to a solver": lambda f, p: not np.any(falls(f(np.linspace(0, 6, 601)))),
    "which repair is best": lambda m, p: (
        abs(m[0] - max(np.linspace(0, p["e"], 1001), key=lambda t: -((t - 2) ** 2))) < 1e-6
    ),
    "which point may be the optimum": lambda m, p: p["w"] - 1 <= m[0] <= p["w"] + 1,
    "which label is certain": lambda m, p: np.sign(m[0] - p["r"]) == np.sign(m[0] + p["r"]),
    "which α is balanced": lambda m, p: abs(sum(m) - p["c"]) < 1e-12,
    "the top of the violating pair": lambda m, p: m[0] == p["m"],
    "which kernel column is a Gaussian": lambda f, p: nearest(
        f, (-2, 0.4, 1.5), lambda x: np.exp(-p["g"]) ** (x * x)
    ),
    "which projection is sparsemax": lambda m, p: (
        abs(m[0] - min(np.linspace(0, 1, 8001), key=lambda t: (t - p["a"]) ** 2 + (1 - t - p["b"]) ** 2))
        < 1e-3
    ),
    "which group vanishes": lambda m, p: max(0, 1 - p["t"] / m[0]) == 0,
    "which column is screened": lambda m, p: m[0] < 3 - p["r"],
    "which plan is allowed": lambda m, p: min(*m, p["b"] - sum(m)) >= -1e-12,
    "which target is held by the corner": lambda m, p: np.all(
        np.linalg.solve([[1, 2], [2, 1]], np.subtract(m, (2, 1))) >= 0
    ),
    "which curve is a last layer’s": lambda f, p: np.all(np.diff(f(np.linspace(-2, 2, 401)), 2) >= -1e-9),
    "which line supports V": lambda f, p: (
        abs(f(p["t"]) - (p["t"] - 3) ** 2 / 2) < 1e-9
        and np.all(f(GRID[GRID <= 3]) <= (GRID[GRID <= 3] - 3) ** 2 / 2 + 1e-9)
    ),
}


def test_there_are_150_kinds_and_50_with_a_graph():
    assert len({name[:-1] for name in PROBLEMS}) >= 150
    assert len({name[:-1] for name in GRAPHS}) >= 50


@pytest.mark.parametrize("name", GRAPHS)
def test_keys_agree_with_the_drawing(name):
    problem, values = GRAPHS[name], values_of(name)
    graph = problem.graph
    if graph.pick:
        parts = graph.curves if graph.pick == "curves" else graph.marks
        with np.errstate(all="ignore"):
            right = [
                letter
                for letter, part in zip(LETTERS, parts, strict=True)
                if PICKED[problem.title](part, values)
            ]
        assert right == [problem.right]
    else:
        found = NUMERIC[problem.title](graph.curves, graph.marks, values)
        assert found == pytest.approx(problem.right, abs=1e-3)


@pytest.mark.parametrize("name", GRAPHS)
def test_lettered_parts_and_marks_are_visible(name):
    graph = GRAPHS[name].graph
    for x, y in graph.marks:
        assert graph.x[0] <= x <= graph.x[1], name
        assert graph.y[0] <= y <= graph.y[1], name
    drawing = graph.svg()
    assert drawing.count("data-pick=") == 3 * bool(graph.pick)
    assert "nan" not in drawing
    assert not drawing.count('d=""')


def test_a_test_that_fits_several_parts_is_refused():
    entry = {"x": [0, 3], "y": [0, 1], "pick": "marks", "marks": [["1", "0"], ["2", "0"], ["3", "0"]]}
    with pytest.raises(InputError, match=r"1.p1a: graph: the test must hold for one"):
        read_graph("1.p1a", entry | {"test": "x > 1"}, {}, SEED)
    assert read_graph("1.p1a", entry | {"test": "x > 2"}, {}, SEED).right in LETTERS


def test_a_graph_is_displayed_in_a_notebook(monkeypatch, capsys):
    from IPython import display

    from workbench.teaching import practice

    shown = []
    monkeypatch.setattr(display, "display", shown.append)
    name = next(iter(GRAPHS))
    practice(name)
    assert len(shown) == 1
    assert find(name).graph.svg() == shown[0].data
