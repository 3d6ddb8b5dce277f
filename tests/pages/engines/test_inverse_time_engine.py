"""The messages of the page of inverse time: the worker's answers are those of the engine in Python."""

import numpy as np
import pytest

from tests.helpers import coroutines, node_engine
from workbench.data.examples.gaussians import CANCER
from workbench.pages.hosts.engines import Engines
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import training_sets
from workbench.pages.inverse_time.engine import InverseTimeEngine
from workbench.pages.inverse_time.sweep import LOOKS
from workbench.pages.wasm import bundle
from workbench.solvers import PrimalGradient

SETTINGS = {
    "gaussians": {"samples": 200},
    "batches": {
        "source": "Two Gaussians, 20 features",
        "p": 1.5,
        "batch": 10,
        "order": "shuffled",
        "samples": 400,
        "seed": 3,
        "measure": "Direction",
        "target": 0.2,
        "lam": 0.01,
    },
    "rows": {"source": CANCER, "samples": 60, "measure": "Test accuracy", "lam": 0.01, "p": 1.2},
}
# Of a certificate, in units of P(0).
SAME = 1e-10
CERTIFIED = ("primal", "dual", "gap", "last", "last_gap")


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    with node_engine.engine(tmp_path_factory.mktemp("engine"), "inverse_time/worker.js") as engine:
        yield engine


def messages(settings, people, **terms):
    """A run, steps of the past and on from it, and a cell of a sweep, as the page asks for them."""
    solver = bundle.solver_facts(PrimalGradient()) | {name: settings[name] for name in ("batch", "order")}
    m, seed, p, lam = (settings[name] for name in ("samples", "seed", "p", "lam"))
    asked = {"limit": None, "tolerance": -1.0}
    goal = {name: settings[name] for name in ("measure", "target")}
    return (
        ("people", {"people": people}),
        ("paced_problem", {"m": m, "seed": seed, "p": p, "lam": lam, "solver": solver, **terms}),
        ("paced_steps", {"after": 0, "count": 1, **asked}),
        ("paced_steps", {"after": 1, "count": 60, **asked}),
        ("paced_steps", {"after": 1, "count": None, "budget": 0, **asked}),
        ("constants", {"m": m, "seed": seed, "p": p}),
        (
            "cell",
            {
                "m": m,
                "seed": seed,
                "choices": {"p": p, "lam": lam, "solver": solver, **terms},
                "goal": goal,
                "looks": LOOKS.tolist(),
            },
        ),
    )


@pytest.mark.parametrize("name", SETTINGS)
def test_the_worker_answers_as_python_does(name, node):
    settings = inverse_time.InverseTime(**SETTINGS[name]).settings()
    source, m, seed = (settings[name] for name in ("source", "samples", "seed"))
    contents, terms = (
        training_sets.contents(source, 1, [(seed, m)]),
        training_sets.terms(source, settings["p"]),
    )
    data = {"data": contents["small"], "losses": {}, "regularizers": {}}
    node.ask("data", packed=bundle.engine() | {"problem": bundle.compressed(node_engine.text(data))})
    theirs = [
        node.ask(type, **contents) for type, contents in messages(settings, contents["people"], **terms)
    ]
    ours = node_engine.in_python(InverseTimeEngine, None, messages(settings, {"source": source}))
    size = inverse_time.make_problem(settings, m, seed).zero_value
    for one, other in zip(ours, theirs, strict=True):
        assert one["type"] == other["type"], (one, other)
        for row, same in zip(rows_of(one), rows_of(other), strict=True):
            assert row.keys() == same.keys()
            assert row["step"] == same["step"]
            assert row["score"] == pytest.approx(same["score"], abs=1.0 / inverse_time.TESTED)
            for field in CERTIFIED:
                assert abs(row[field] - same[field]) <= SAME * size, field
    begun, constants, cell = ours[1], ours[-2], ours[-1]["cell"]
    for numbers, other in ((begun, theirs[1]), (constants, theirs[-2])):
        assert [numbers["L"], numbers["G"]] == pytest.approx([other["L"], other["G"]], rel=1e-12)
    assert begun["n"] == theirs[1]["n"]
    assert [cell[field] for field in ("m", "seed", "steps")] == [
        theirs[-1]["cell"][field] for field in ("m", "seed", "steps")
    ]
    # L-BFGS is not in the browser.
    assert "reference_steps" not in theirs[-1]["cell"]
    assert set(cell) - set(theirs[-1]["cell"]) == {"reference_steps", "reference_seconds"}


def rows_of(answer):
    return [*answer.get("rows", ()), *([answer["row"]] if "row" in answer else [])]


@pytest.mark.parametrize(
    ("type", "changed", "said"),
    [
        ("people", {"people": {"source": "nobody"}}, "should not"),
        ("people", {"people": 3}, "should not"),
        ("paced_problem", {"m": 10**9}, "should not"),
        ("paced_problem", {"p": 1.0}, "should not"),
        ("paced_problem", {"lam": "small"}, "should not"),
        ("paced_problem", {"solver": None}, "should not"),
        ("paced_problem", {"more": 1}, "more is not known"),
        ("paced_steps", {"after": 10**12}, "at once"),
        ("paced_steps", {"count": 10**9}, "at most"),
        ("paced_steps", {"count": 0}, "at least 1"),
        ("paced_steps", {"limit": 0}, "at least"),
        ("paced_steps", {"budget": "long"}, "not a number"),
        ("paced_steps", {"tolerance": []}, "should not"),
        ("constants", {"seed": -1}, "should not"),
        ("cell", {"goal": {"measure": "luck"}}, "should not"),
        ("cell", {"choices": {}}, "should not"),
    ],
)
def test_a_message_may_hold_anything(type, changed, said):
    settings, replies = inverse_time.InverseTime(samples=200).settings(), []

    async def send(message):
        replies.append(message["answer"])

    async def talk():
        engines = Engines(lambda names: training_sets.small_problem(names["source"]), send, InverseTimeEngine)
        source = settings["source"]
        asked = [("data", {"source": source}), *messages(settings, {"source": source})]
        asked = asked[:-1] if type != "cell" else asked
        wrong = next((kind, contents | changed) for kind, contents in asked if kind == type)
        last = ("paced_steps", {"after": 1, "count": 1, "limit": None, "tolerance": -1.0})
        for id, (kind, contents) in enumerate([*asked, wrong, last]):
            await engines.take("one", {"version": 1, "id": id, "type": kind, **contents})

    coroutines.run(talk())
    *_, refused, after = replies
    assert refused["type"] == "error"
    assert said in refused["text"]
    assert after["type"] == "paced_steps"
    assert np.isfinite(after["rows"][0]["gap"])
