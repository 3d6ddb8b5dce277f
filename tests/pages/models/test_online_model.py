"""The model and the drawing of the page of online rules; its JavaScript against the library, on Node."""

import functools
import json

import numpy as np
import pytest

import workbench as wb
from tests.helpers.javascript_engine import engine
from tests.helpers.node_engine import module_script
from workbench._support.errors import InputError
from workbench.data import examples
from workbench.pages.online import model as online
from workbench.pages.online.declaration import Online
from workbench.pages.online.model import PRESETS, RULES, VISITS
from workbench.solvers import GaussSeidel

# The browser's numbers against the library's, whose sums run in another order.
SAME = 1e-12
# A step of the twin ends where its slope is zero to rounding, in both.
SAME_ROOT = 1e-8
ARGUMENTS = ("dimension", "relevant", "margin", "noise", "seed")
PROGRAM = """
const kept = {};
function at(k, s) {
  const key = JSON.stringify([k, s]);
  if (kept.key !== key) {
    const rule = ruleOf(RULES[k], s, s.dimension);
    const stream = makeStream(s);
    const way = walk(rule, stream);
    const limits = bounds(rule, stream, s.gamma, way);
    Object.assign(kept, { key, rule, stream, way, limits, twin: null });
  }
  return kept;
}
const twins = (k, s) => (at(k, s).twin ??= twin(kept.rule, kept.stream, s.lam));
const sample = (s, i, j) => makeStream(s).X[i][j];
const label = (s, i) => makeStream(s).y[i];
const comparator = (s, j) => makeStream(s).u[j];
const count = (k, s, t) => at(k, s).way.count[t];
const weight = (k, s, t, j) => at(k, s).way.w[t][j];
const mean = (k, s, t, j) => at(k, s).way.average[t][j];
const bounded = (k, s, t) => at(k, s).limits.bound[t];
const fact = (k, s, t) => at(k, s).limits.fact[t];
const twin_gap = (k, s, t) => certified(at(k, s).rule, kept.stream, s.lam, twins(k, s), t).gap;
const twin_weight = (k, s, t, j) => twins(k, s).w[t][j];
const steps = (k, s) => {
  const { rule, stream, way, limits } = at(k, s);
  const { values, step } = potential(rule, stream, s.gamma, way, limits);
  const gains = values.slice(1).map((each, t) => values[t] - each);
  const missed = (t) => way.count[t + 1] > way.count[t];
  return Math.min(...gains.map((gain, t) => (missed(t) ? gain - step : -Math.abs(gain))));
};
"""
PLANE = {"dimension": 2, "relevant": 1, "margin": 0.2, "noise": 0.0, "seed": 1, "gamma": 0.2}
CASES = [
    PLANE,
    {**PLANE, "dimension": 40, "relevant": 3, "seed": 7},
    {**PLANE, "dimension": 5, "noise": 0.1, "gamma": 0.4, "seed": 99},
    {**PLANE, "dimension": 8, "relevant": 2, "margin": 0.0, "gamma": 0.3, "seed": 0},
    {**PLANE, "dimension": 20, "orthonormal": 1.0, "gamma": 0.05},
]
MORE = {"p": 4.0, "eta": 0.15, "lam": 0.01, "orthonormal": 0.0}
TIMES = (1, 37, 200, 211, VISITS)


@pytest.fixture(scope="module")
def javascript():
    with engine() as run:
        yield functools.partial(run, source())


@functools.cache
def source():
    """The page's own functions, with the rules as its module has them."""
    rules = Online().answer({"type": "rules"}).values()
    specs = ",\n".join(
        f"{{ ...{json.dumps({name: rule[name] for name in ('norm', 'entropic', 'linear')})}, "
        f"formulas: (() => {{ {rule['script']}\nreturn {{{', '.join(rule['functions'])}}}; }})() }}"
        for rule in rules
    )
    return f"{module_script('online/rule')}const RULES = [{specs}];\n{PROGRAM}"


def stream(case):
    shape = "orthonormal" if case.get("orthonormal") else "uniform"
    return examples.stream(**{name: case[name] for name in ARGUMENTS}, shape=shape)


def library(name, case, t):
    """Mistakes and bound of the library after t points, by the call that the page shows."""
    X, y, u = stream(case)
    order = np.arange(t) % y.size
    values = {**MORE, "margin": case["gamma"]}
    if name == "Winnow":
        return wb.bounds.winnow(X, y, u, values["eta"], 1.0 / u.size, order, values["margin"])
    if name == "Perceptron":
        return wb.bounds.perceptron(X, y, u, order, values["margin"])
    return wb.bounds.p_norm(X, y, u, values["p"], order, values["margin"])


every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"d{case['dimension']}s{case['seed']}")


@every_case
def test_the_stream_is_drawn_bit_for_bit(javascript, case):
    X, y, u = stream(case)
    settings = {**MORE, **case}
    rows, features = (0, 1, 77, 199), range(u.size)
    drawn = javascript([("sample", settings, i, j) for i in rows for j in features])
    assert drawn == X[list(rows)].ravel().tolist()
    assert javascript([("label", settings, i) for i in range(y.size)]) == y.tolist()
    assert javascript([("comparator", settings, j) for j in features]) == u.tolist()
    if case["noise"] == 0.0:
        least = 1.0 / u.size if case.get("orthonormal") else case["margin"]
        assert np.min(y * (X @ u)) >= least - 1e-15
    assert np.abs(X).max() <= 1.0


@every_case
@pytest.mark.parametrize("place", range(len(RULES)), ids=list(RULES))
def test_mistakes_weights_and_bounds_are_the_library_s(javascript, case, place):
    name, settings, d = list(RULES)[place], {**MORE, **case}, case["dimension"]
    for t in TIMES:
        features = range(0, d, max(1, d // 7))
        count, bound, fact = javascript([(what, place, settings, t) for what in ("count", "bounded", "fact")])
        w, mean = (
            np.array(javascript([(what, place, settings, t, j) for j in features]))
            for what in ("weight", "mean")
        )
        if name == "Winnow" and MORE["eta"] * case["gamma"] <= np.log(np.cosh(MORE["eta"])):
            with pytest.raises(InputError, match="is not positive: there is no bound"):
                library(name, case, t)
            assert np.isnan(bound)
            assert count <= fact * (1.0 + SAME)
            continue
        result = library(name, case, t)
        assert count == result.mistakes
        assert bound == pytest.approx(result.bound, rel=SAME)
        assert count <= fact * (1.0 + SAME)
        assert fact <= bound * (1.0 + SAME)
        # The power of the norm changes lengths of the library's w, and no sign.
        theirs, theirs_mean = result.w[list(features)], result.average[list(features)]
        if place != 1:
            np.testing.assert_allclose(w, theirs, rtol=SAME, atol=SAME)
            np.testing.assert_allclose(mean, theirs_mean, rtol=SAME, atol=SAME)
        else:
            np.testing.assert_allclose(
                w * np.linalg.norm(theirs), theirs * np.linalg.norm(w), rtol=1e-10, atol=SAME
            )


@every_case
@pytest.mark.parametrize("place", range(len(RULES)), ids=list(RULES))
def test_a_mistake_with_the_margin_takes_the_promised_step_off_the_divergence(javascript, case, place):
    if case["noise"] or case["margin"] < case["gamma"]:
        return
    (least,) = javascript([("steps", place, {**MORE, **case})])
    assert least >= -1e-9


@pytest.mark.parametrize("place", range(len(RULES)), ids=list(RULES))
@pytest.mark.parametrize("case", [CASES[0], CASES[2]], ids=["plane", "noise"])
def test_the_twin_is_gauss_seidel_on_the_same_problem(javascript, case, place):
    rule, settings = list(RULES.values())[place], {**MORE, **case}
    X, y, _ = stream(case)
    values = {"q": MORE["p"] / (MORE["p"] - 1.0), "mu": 1.0 / X.shape[1]}
    problem = wb.Problem(X, y, "hinge", rule.term.format(**values), lam=MORE["lam"])
    run = wb.Run(problem, GaussSeidel(order="cyclic"))
    for t in (1, 37, 211):
        run.step(t - run.state.steps)
        features = range(X.shape[1])
        w = javascript([("twin_weight", place, settings, t, j) for j in features])
        np.testing.assert_allclose(w, problem.transfer.map(run.state.v)[1], rtol=SAME_ROOT, atol=SAME_ROOT)
        (gap,) = javascript([("twin_gap", place, settings, t)])
        assert gap == pytest.approx(run.certificate().gap, abs=SAME_ROOT)


@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_the_code_shown_runs(rule, bounded, capsys):
    values = {
        **MORE,
        **PLANE,
        "shape": "uniform",
        "seen": 60,
        "output": "average",
        "q": 4.0 / 3.0,
        "mu": 0.5,
    }
    exec(online.python(rule, bounded).format(**values), {})
    assert len(capsys.readouterr().out.splitlines()) >= 2


@pytest.mark.parametrize("values", PRESETS.values(), ids=PRESETS)
def test_presets_lie_within_the_bounds(values):
    Online(**values)


def test_what_no_stream_can_be_is_refused():
    wrong = {"dimension": 0, "relevant": 1.5, "margin": 1.0, "noise": -0.1, "shape": "round", "count": 0}
    for name, value in wrong.items():
        with pytest.raises(InputError, match=f"stream: {name} = "):
            examples.stream(**{name: value})
