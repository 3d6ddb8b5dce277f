"""The messages of the page of norms: the worker's answers are those of the engine in Python."""

import numpy as np
import pytest

from tests.helpers import coroutines, node_engine
from workbench.pages.hosts.engines import Engines
from workbench.pages.norms import model as norms
from workbench.pages.norms.engine import MAX_STEPS, NormsEngine
from workbench.pages.norms.page import terms
from workbench.pages.wasm import bundle
from workbench.solvers import ProximalGradient

SETTINGS = {
    "groups": {},
    "lines": {"norm": "ℓ1", "ratio": 0.1, "intercept": False, "step": "backtracking", "restart": False},
    "largest": {"source": "Breast cancer", "norm": "Group ℓ1/ℓ∞", "loss": "Logistic", "best": True},
    "tree": {"source": "Breast cancer", "norm": "Tree", "loss": "Smoothed hinge", "first": 3, "second": 13},
    "sparse groups": {
        "source": "Digits · even or odd",
        "norm": "Sparse group",
        "loss": "Huber",
        "second": 9,
    },
    "box": {"norm": "Elastic net"},
    "smooth box": {"source": "Breast cancer", "norm": "Elastic net", "loss": "Logistic"},
}
# Of a certificate, in units of P(0), and of what is drawn: sums of the same terms in another order.
SAME, DRAWN = 1e-10, 1e-9
CERTIFIED = ("primal", "dual", "gap", "relative_gap", "raw", "repaired", "better")


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    with node_engine.engine(tmp_path_factory.mktemp("engine"), "norms/worker.js") as engine:
        yield engine


def messages(settings, **facts):
    """A problem at zero, steps, and a picture of the past, as the page asks for them."""
    solver = ProximalGradient(step=settings["step"], restart=settings["restart"])
    looks = {
        "best": settings["intercept"] and settings["best"],
        "plane": [settings.get("first", 0), settings.get("second", 1)],
    }
    problem = {"solver": bundle.solver_facts(solver), "ratio": settings["ratio"]}
    return (
        ("norm_problem", problem | facts | looks),
        ("norm_steps", {"after": 0, "count": 11, "hurries": False, "tolerance": -1.0} | looks),
        ("norm_picture", {"step": 7} | looks),
    )


@pytest.mark.parametrize("name", SETTINGS)
def test_the_worker_answers_as_python_does(name, node):
    settings = norms.Norms(**{"ratio": 0.1} | SETTINGS[name]).settings()
    settings |= {key: SETTINGS[name][key] for key in ("first", "second") if key in SETTINGS[name]}
    problem = norms.problem(settings)
    data = bundle.data(norms.samples(settings["source"], settings["intercept"]), spectrum=True)
    contents = {"data": data, "losses": {}, "regularizers": {}}
    node.ask(
        "data",
        packed=bundle.engine()
        | {
            "problem": bundle.compressed(node_engine.text(contents)),
        },
    )
    theirs = [node.ask(type, **contents) for type, contents in messages(settings, **terms(problem))]
    size = problem.zero_value
    for ours, other in zip(
        node_engine.in_python(NormsEngine, problem, messages(settings)), theirs, strict=True
    ):
        assert other["type"] != "error", other
        assert ours.keys() == other.keys()
        for row, same in zip(rows_of(ours), rows_of(other), strict=True):
            assert row.keys() == same.keys()
            assert (row["step"], row["reasons"]) == (same["step"], same["reasons"])
            for field in CERTIFIED:
                assert row[field] == same[field] or abs(row[field] - same[field]) <= SAME * size, field
        compare(ours["picture"], other["picture"])


def rows_of(answer):
    return [*answer.get("rows", ()), answer["picture"]["row"]]


def compare(ours, theirs):
    """Two pictures, whose sections begin where a minimum is found."""
    assert ours.keys() == theirs.keys()
    for name in ("w", "points"):
        np.testing.assert_allclose(ours[name], theirs[name], rtol=DRAWN, atol=DRAWN, err_msg=name)
    for name, corners in ours["edge"].items():
        np.testing.assert_allclose(corners, theirs["edge"][name], atol=1e-6, err_msg=name)
    assert len(ours["bisection"]) == len(theirs["bisection"])
    for step, other in zip(ours["bisection"], theirs["bisection"], strict=True):
        assert step == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize(
    ("type", "changed", "said"),
    [
        ("norm_problem", {"ratio": 0.0}, "above 0"),
        ("norm_problem", {"ratio": "much"}, "not a number"),
        ("norm_problem", {"plane": [0, 0]}, "different features"),
        ("norm_problem", {"plane": [0, 24]}, "at most 23"),
        ("norm_problem", {"plane": "01"}, "different"),
        ("norm_problem", {"more": 1}, "more is not known"),
        ("norm_steps", {"count": MAX_STEPS + 1}, "at most 100"),
        ("norm_steps", {"count": 10**9}, "at most"),
        ("norm_steps", {"after": 10**12}, "at once"),
        ("norm_steps", {"tolerance": "small"}, "should not"),
        ("norm_picture", {"step": 10**12}, "at once"),
        ("norm_picture", {"step": -1}, "at least 0"),
        ("norm_picture", {"step": [0]}, "should not"),
    ],
)
def test_a_message_may_hold_anything(type, changed, said):
    replies = []

    async def send(message):
        replies.append(message["answer"])

    async def talk():
        engines = Engines(lambda names: norms.problem(norms.Norms(**names).settings()), send, NormsEngine)
        asked = [("data", {"norm": "ℓ1"}), *messages(norms.Norms().settings())]
        asked += [(kind, contents | changed) for kind, contents in asked if kind == type] + asked[-1:]
        for id, (kind, contents) in enumerate(asked):
            await engines.take("one", {"version": 1, "id": id, "type": kind, **contents})

    coroutines.run(talk())
    *_, refused, after = replies
    assert refused["type"] == "error"
    assert said in refused["text"]
    assert after["type"] == "norm_picture"


def test_what_is_no_problem_is_refused_in_words():
    (answer,) = node_engine.in_python(
        NormsEngine, norms.problem(norms.Norms().settings()), [("norm_picture", {"step": 0})]
    )
    assert "there is no run yet" in answer["text"]
    one = norms.Norms(source="Breast cancer", loss="Hinge").settings()
    (answer,) = node_engine.in_python(NormsEngine, norms.problem(one), messages(one)[:1])
    assert "has no gradient at its kinks" in answer["text"]
