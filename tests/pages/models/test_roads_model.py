"""The model of the page of roads: certificates, marks, the saddle and the code, against the library."""

import functools

import numpy as np
import pytest

import workbench as wb
from workbench.pages.numerals import numerals
from workbench.pages.roads import model as roads
from workbench.pages.roads.engine import first_roads, statistics
from workbench.pages.roads.figures import HOLDS, STROKES, RoadsDrawing, picture, table
from workbench.pages.roads.page import PRESETS, TABLE, question_text
from workbench.pages.theme import LIGHT

CASES = (
    {},
    {"source": roads.APART, "lam": 0.01, "loss": "Smoothed hinge"},
    {"source": "Overlapping", "loss": "Logistic", "intercept": True},
    {"loss": "Logistic", "regularizer": "ℓ1"},
    {"loss": "Squared", "regularizer": "Elastic net", "source": "Overlapping"},
    {"loss": "Logistic", "source": "Overlapping", "compare": "parts", "passes": 2},
)


def lab(previous=None, **values):
    return roads.build(roads.RoadsModel(**values).settings(), previous)


@functools.cache
def played(tolerance=1e-4, **values):
    model = lab(**values)
    while not roads.play(model, 10.0, tolerance):
        pass
    return model


@pytest.mark.parametrize("case", CASES)
def test_every_road_is_a_run_of_the_library_within_the_bracket(case):
    model = played(**case)
    low, high = model.optimum.dual, model.optimum.primal
    assert high - low <= 1e-9 * model.run.problem.zero_value
    solvers = roads.solvers(model.settings)
    assert set(model.roads) | set(model.refused) == set(solvers)
    assert not set(model.roads) & set(model.refused)
    for name, road in model.roads.items():
        own = wb.Run(road.problem, solvers[name], seed=model.settings["seed"])
        own.record()
        for turn, row in enumerate(road.rows[1:], 1):
            own.epoch(case.get("passes", 1))
            own.record()
            assert row["epoch"] == turn
            assert {key: row[key] for key in ("primal", "dual")} == {
                key: own.rows[-1][key] for key in ("primal", "dual")
            }
            assert row["primal"] >= low - 1e-12
            assert row["dual"] <= high + 1e-12
        for mark in roads.MARKS:
            reached = [row["epoch"] for row in road.rows if row["relative_gap"] <= mark]
            assert road.first(mark) == (min(reached) if reached else None)


def test_a_hard_problem_is_bracketed_by_the_closest_solver(monkeypatch):
    monkeypatch.setattr(roads, "MAX_EPOCHS", 3)  # so that any problem is hard
    model = lab(source=roads.CANCER, regularizer="ℓ1", loss="Logistic", lam=0.01)
    wide = model.optimum.primal - model.optimum.dual
    assert wide > 1e-9
    model.run.rows.append(model.run.rows[-1] | {"dual": model.optimum.dual + 0.5 * wide})
    frame = roads.frame(model, 1)
    assert frame["bracket"][1] - frame["bracket"][0] <= 0.51 * wide
    assert all((curve["above"] > 0.0).all() for curve in frame["curves"].values())


def test_a_road_that_is_refused_says_why_and_the_others_go_on():
    model = lab(regularizer="ℓ1", loss="Logistic")
    assert "no differentiable conjugate" in model.refused["Frank-Wolfe"]
    assert {"PDHG", "Proximal gradient"} <= set(model.roads)
    text = table(roads.table(model), model.refused, LIGHT)
    assert "not applicable: the norm l1 has no smooth conjugate<" in text
    assert "Augmented Lagrangian" in lab(source="Overlapping", intercept=True).roads


@pytest.mark.parametrize("passes", [1, 5])
def test_one_part_has_the_gaps_of_gauss_seidel_round_by_round(passes):
    model = played(source="Overlapping", compare="parts", passes=passes)
    own = wb.Run(model.run.problem, wb.solvers.GaussSeidel(), seed=1)
    for row in model.roads["1 part"].rows:
        assert row["gap"] == pytest.approx(own.certificate().gap, rel=1e-9, abs=1e-15)
        own.epoch(passes)


def test_more_parts_need_more_rounds_to_a_gap_that_numpy_finds_too():
    model = played(**PRESETS["Breast cancer, in 1 to 32 parts"])
    (X, y, _), lam = roads.load(roads.CANCER), 0.01
    rounds = [road.first(1e-4) for road in model.roads.values()]
    assert list(model.roads) == list(roads.PARTS)
    assert rounds == sorted(set(rounds))
    for road in model.roads.values():
        # The logistic loss and the squared norm, with a = alpha y between 0 and 1.
        a, y = road.last.alpha * np.sign(y), np.sign(y)
        w = X.T @ (a * y) / (lam * y.size)
        primal = np.mean(np.logaddexp(0.0, -y * (X @ w))) + 0.5 * lam * w @ w
        entropy = -np.where(a > 0.0, a * np.log(np.where(a > 0.0, a, 1.0)), 0.0) - (1.0 - a) * np.log1p(-a)
        dual = np.mean(entropy) - 0.5 * lam * w @ w
        assert road.rows[-1]["gap"] == pytest.approx(primal - dual, rel=1e-6)


def test_parts_say_what_a_round_costs_and_why_some_are_not_there():
    model = played(source=roads.CANCER, loss="Logistic", compare="parts", passes=5, tolerance=1e-2)
    made = picture(roads.frame(model, 1), LIGHT)
    assert "A round is 5 passes of each part over its samples" in made.captions["gaps"]
    assert "sends 30 numbers" in made.captions["gaps"]
    assert made.models["axes"]["gaps_x"]["axis_label"].startswith("rounds")
    few = lab(compare="parts")
    assert list(few.roads) == ["1 part", "2 parts"]
    assert "parts = 4" in few.refused["4 parts"]
    with pytest.raises(wb.InputError, match="cocoa: bias = True asks"):
        lab(source="Overlapping", compare="parts", intercept=True)
    with pytest.raises(wb.InputError, match="cocoa: the norm l1 has no smooth"):
        lab(source="Overlapping", compare="parts", loss="Logistic", regularizer="ℓ1")


def test_the_surface_is_the_saddle_and_its_lines_cross_at_the_star():
    X, y, _ = roads.load(roads.TOGETHER)
    model = lab()
    seen, star = roads.frame(model, 3)["saddle"], model.optimum
    sample, feature = model.plane
    assert (sample, feature) == (1, 0)

    def value(w, a):
        alpha = [star.alpha[0], a]
        fit = sum(alpha[i] * y[i] - alpha[i] * w * X[i, 0] for i in range(2)) / 2.0
        return fit + 0.1 * 0.5 * w**2

    here = value(star.w[0], star.alpha[1])
    for row, a in list(enumerate(seen["dual"]))[::10]:
        for column, w in list(enumerate(seen["weight"]))[::10]:
            expected = value(w, a) - here if 0.0 <= a <= 1.0 else np.nan
            assert seen["surface"][row, column] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    # Weak duality: the best values along both ways hold R between them, everywhere.
    R = seen["surface"][np.isfinite(seen["surface"]).any(axis=1)]
    least = seen["least"][np.isfinite(seen["surface"]).any(axis=1)]
    assert np.all(seen["most"] + 1e-12 >= R)
    assert np.all((least[:, None] - 1e-12 <= R) | np.isnan(least)[:, None])
    for column, w in list(enumerate(seen["weight"]))[::10]:
        assert seen["most"][column] == pytest.approx(max(value(w, 0.0), value(w, 1.0)) - here, abs=1e-12)
    for row, a in list(enumerate(seen["dual"]))[::10]:
        best = (star.alpha[0] * X[0, 0] + a * X[1, 0]) / 0.2
        if np.isfinite(seen["least"][row]):
            assert seen["least"][row] == pytest.approx(value(best, a) - here, abs=1e-12)
    assert np.isfinite(seen["least"]).sum() > 30
    valley = np.interp(star.alpha[1], seen["dual"], seen["valley"])
    assert valley == pytest.approx(star.w[0], abs=1e-3)


def test_with_one_sample_the_dual_walks_in_the_valley_and_the_primal_on_the_ridge():
    model = played(source=roads.ONE, loss="Logistic", lam=0.01)
    for road in model.roads.values():
        w, a = np.array(road.path).T
        if road.holds == ("alpha",):
            np.testing.assert_allclose(w, a / 0.01, atol=1e-9)
        elif road.holds == ("w",):
            np.testing.assert_allclose(a, 1.0 / (1.0 + np.exp(w)), atol=1e-9)
    # PDHG starts on neither line and ends where they cross.
    off = [abs(w - a / 0.01) for w, a in model.roads["PDHG"].path]
    assert max(off) > 10.0 * off[-1] > 0.0


def test_a_step_is_one_pass_of_every_road():
    model = lab()
    roads.move(model, 1e-6)
    assert {road.epochs for road in model.roads.values()} == {1.0}
    assert all(road.status is None for road in model.roads.values())


@pytest.mark.parametrize("case", CASES)
def test_a_frame_fills_the_figures(case):
    model, drawing = played(**case), RoadsDrawing()
    frame = roads.frame(model, 1)
    made = picture(frame, LIGHT)
    assert set(made.captions) == set(made.keys) == set(drawing.figures)
    sources = {name: source["data"] for name, source in made.models["sources"].items()}
    by_hand = {"hand", "best"}  # the point that one drags, which the browser fills
    assert {name: set(columns) for name, columns in drawing.columns.items() if name not in by_hand} == {
        name: set(columns) for name, columns in sources.items()
    }
    # A key names what is drawn and nothing else.
    assert {name for name in roads.NAMES if f">{name}<" in made.keys["gaps"]} == set(model.roads)
    for name in roads.NAMES:
        count = len(sources[name]["passes"])
        assert count == (len(model.roads[name].rows) if name in model.roads else 0)
    for name, row in zip(model.roads, frame["table"], strict=True):
        assert row.holds in HOLDS
        assert numerals(f"{row.relative_gap:.1e}") in table(frame["table"], model.refused, LIGHT), name
    assert f"{model.optimum.primal:.7g}" in statistics(model, frame)
    assert "<span>certified to 10⁻⁶</span>" in statistics(model, frame)
    ends = sources["ends of gaps"]
    assert ends["value"] == [road.rows[-1]["relative_gap"] for road in model.roads.values()]
    # Closer means a smaller window around the same point.
    near = roads.frame(model, 10)["saddle"]
    assert np.ptp(near["weight"]) == pytest.approx(np.ptp(frame["saddle"]["weight"]) / 10.0)
    assert near["weight"][0] <= frame["star"][0] <= near["weight"][-1]


def test_a_zero_gap_is_drawn_at_the_edge():
    models = picture(roads.frame(played(tolerance=1e-6), 1), LIGHT).models
    ends, low = models["sources"]["ends of gaps"]["data"], models["ranges"]["gaps_y"]["start"]
    at = ends["name"].index("Gauss-Seidel")
    assert ends["value"][at] < low < ends["height"][at]
    assert ends["marker"][at] == "inverted_triangle"


@pytest.mark.parametrize("case", CASES)
def test_the_code_gives_the_same_numbers(case, capsys):
    model = played(**case)
    exec(roads.code(model, 1e-4), {})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    for (name, passes, gap), road in zip(printed, model.roads.values(), strict=True):
        assert name in (road.solver.name, str(getattr(road.solver, "parts", None)))
        assert float(passes) == road.epochs * case.get("passes", 1)
        assert float(gap) == pytest.approx(road.rows[-1]["gap"], rel=1e-6, abs=1e-12)


def test_the_question_is_answered_by_the_runs():
    assert question_text(0.1) == (
        "At λ = 0.01: which method is the first to certify a relative gap of 0.0001?",
        0.01,
    )
    assert question_text(0.005)[1] == 0.05
    model = played(lam=0.01)
    names, passes = roads.winners(model, 1e-4)
    assert passes == min(road.first(1e-4) for road in model.roads.values() if road.first(1e-4) is not None)
    first, said = first_roads(model)
    assert first == names
    assert f"after {passes:g} pass" in said
    assert roads.winners(lab(), 1e-4) == ((), None)


def test_every_choice_has_a_control_and_presets_keep_the_bounds():
    names = {name for entries in TABLE.values() for name in entries}
    assert names == {*roads.INPUTS, "tolerance", "zoom"}
    assert set(STROKES) == set(roads.NAMES)
    for values in PRESETS.values():
        roads.RoadsModel(**values)
