"""Columns by the rules, models that keep labels' types, model files that hold no code, and the whole flow."""

import io
import json
import os
import zipfile

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LassoCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

import workbench as wb
from tests.helpers.commands import invoke
from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.data.tables import choice, columns, in_memory, preparation, training
from workbench.data.tables.preparation import Preparation

N = 200
DRAW = np.random.default_rng(4)
TEXTS = [f"text {k}" for k in range(N)]
SEX = DRAW.choice(["female", "male"], N)


# The rules

KINDS = {
    "number": DRAW.normal(size=N),
    "boolean": DRAW.random(N) > 0.5,
    "category": SEX,
    "text": TEXTS,
    "constant": [3.5] * N,
    "counter": range(100, 100 + N),
    "empty": [None] * N,
    "date": pd.date_range("2024-01-01", periods=N),
}
LIKE = {
    "counter": DRAW.permutation(N),
    "constant": ["one"] * N,
    "date": [f"{1 + k % 28:02d}.01.2024" for k in range(N)],
    "number": DRAW.integers(0, 10**6, N),
    "boolean": pd.array([True, False, None, True] * (N // 4), dtype="boolean"),
    "category": pd.Categorical(DRAW.integers(0, 3, N)),
}


@pytest.mark.parametrize("table", [KINDS, LIKE])
def test_the_rules_give_each_column_its_kind(table):
    frame = pd.DataFrame(table)
    assert [decision.kind for decision in columns.decide(frame)] == list(table)
    decisions_with_keep = columns.decide(frame, keep=list(table))
    assert {decision.name for decision in decisions_with_keep if not decision.is_used} <= {"empty"}


def test_a_target_is_not_left_out():
    frame = pd.DataFrame({"a": [1.0, 2.0, 4.0, 3.0], "y": [0, 1, 0, 1]})
    with pytest.raises(InputError, match="leave_out names the target 'y'; take it off that list"):
        wb.fit(frame, "y", lam=0.1, leave_out=["y"])


def test_every_column_is_listed_with_what_was_decided():
    frame = pd.DataFrame(KINDS).assign(y=SEX)
    model = wb.fit(frame, "y", lam=0.1)
    assert list(model.columns().index) == list(KINDS)
    assert [f"column {name!r}: {text}" for name, text in model.columns()["decision"].items()] == [
        note for note in model.notes if note.startswith("column ")
    ]
    assert list(model.features.names) == ["number", "boolean", "category = female", "category = male"]
    wide = pd.DataFrame(DRAW.normal(size=(40, 60))).add_prefix("x").assign(id=range(40), y=["a", "b"] * 20)
    notes = wb.fit(wide, "y", lam=0.1).notes
    assert sum("columns: " in note or "column: " in note for note in notes) == 2
    assert any("it counts the rows (id)" in note for note in notes)


@pytest.mark.parametrize("missing", ["mean", "median"])
def test_a_table_becomes_what_scikit_learn_makes_of_it_by_hand(missing):
    frame = pd.DataFrame({"a": KINDS["number"], "b": 1e6 * KINDS["number"] + 1e9, "c": SEX, "id": range(N)})
    frame.loc[::7, "a"] = np.nan
    model = wb.fit(frame.assign(y=SEX), "y", missing=missing, lam=0.1)
    peer = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy=missing), StandardScaler()), ["a", "b"]),
        (OneHotEncoder(), ["c"]),
    )
    np.testing.assert_allclose(model.X, peer.fit_transform(frame), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(model.X[:, :2].mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(model.X[:, :2].std(axis=0), 1.0, rtol=1e-9)


def test_rare_categories_share_a_column_and_unknown_ones_join_them():
    places = ["big"] * 150 + ["small"] * 47 + ["x", "y", "z"]
    frame = pd.DataFrame({"place": places, "y": SEX})
    model = wb.fit(frame, lam=0.1)
    assert list(model.features.names) == ["place = big", "place = small", "place = (rare)"]
    new = pd.DataFrame({"place": ["z", "elsewhere"]})
    with pytest.raises(InputError, match="'elsewhere' in 'place'"):
        model.predict(new)
    scores = model.predict(new, unknown="ignore")["score"]
    assert scores[0] == scores[1]


def test_rows_that_go_do_not_change_the_rules():
    frame = pd.DataFrame({"id": range(N), "a": KINDS["number"], "y": SEX})
    frame.loc[::3, "a"] = np.nan
    model = wb.fit(frame, missing="drop", test_size=0.25, lam=0.1)
    assert list(model.features.names) == ["a"]
    assert list(wb.fit(frame, missing="drop", keep=["id"], lam=0.1).features.names) == ["id", "a"]


def test_an_array_keeps_its_columns():
    X = np.column_stack([np.arange(N), np.ones(N), KINDS["number"]])
    assert wb.fit(X, SEX, lam=0.1).solution.w.shape == (3,)


REFUSED = {
    "nothing left": (
        lambda: wb.fit(pd.DataFrame({"id": range(N), "y": SEX}), lam=0.1),
        "'id', it counts the rows",
    ),
    "no such column": (
        lambda: wb.fit(pd.DataFrame({"a": SEX, "y": SEX}), keep=["b"]),
        "no column 'b' to keep",
    ),
    "complex": (
        lambda: wb.fit(pd.DataFrame({"a": [1j, 2] * 9, "y": [0, 1] * 9})),
        "'a' holds complex numbers",
    ),
    "infinite": (lambda: wb.fit(pd.DataFrame({"a": [1, np.inf] * 9, "y": [0, 1] * 9})), "row 2, column 'a'"),
    "large": (
        lambda: wb.fit(pd.DataFrame({"a": [1, 1e200] * 9, "y": [0, 1] * 9})),
        "too large to be squared",
    ),
    "twice": (lambda: wb.fit(pd.DataFrame(np.ones((9, 3)), columns=["a", "a", "y"])), "two columns 'a'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_rules_cannot_use_is_refused_by_its_name(case):
    call, words = REFUSED[case]
    with pytest.raises(InputError, match=words):
        call()


# Labels keep their type

LABELS = {
    "int": [0, 1] * 30,
    "bool": [True, False] * 30,
    "str": ["no", "yes"] * 30,
    "numerals": ["0", "1"] * 30,
    "float": [0.5, 2.0] * 30,
    "three": [1, 2, 3] * 20,
    "three texts": ["1", "2", "x"] * 20,
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_a_model_predicts_labels_of_the_type_that_it_got(labels, tmp_path):
    X = np.random.default_rng(1).normal(size=(60, 3))
    model = wb.fit(X, labels, lam=0.1)
    model.save(tmp_path / "m.npz")
    for one in (model, wb.Model.load(tmp_path / "m.npz")):
        predicted = one.predict(X)["label"]
        assert {type(label) for label in predicted.tolist()} == {type(labels[0])}
        assert set(predicted) <= set(labels)
        assert one.task.labels == tuple(sorted(set(labels)))
    if not isinstance(labels[0], float):  # scikit-learn takes fractions for measurements
        estimator = wb.MultinomialClassifier(lam=0.1).fit(X, labels)
        assert type(estimator.predict(X).tolist()[0]) is type(labels[0])


def test_a_target_with_empty_cells_stays_whole():
    frame = pd.DataFrame({"a": KINDS["number"], "y": pd.Series([0.0, 1.0] * (N // 2))})
    frame.loc[5, "y"] = None
    assert wb.fit(frame, missing="mean", lam=0.1).task.labels == (0, 1)


# Model files


@pytest.fixture
def saved(tmp_path):
    frame = pd.DataFrame({"a": KINDS["number"], "c": SEX, "y": SEX})
    frame.loc[3, "a"] = np.nan
    model = wb.fit(frame, missing="indicator", lam=0.1)
    model.save(tmp_path / "m.npz")
    return tmp_path / "m.npz"


def rewritten(path, change):
    """Write the model again with another pipeline."""
    meta, arrays = files.load(path)
    dump = arrays.entries["pipeline"].tobytes()
    arrays.entries["pipeline"] = np.frombuffer(change(dump), dtype=np.uint8)
    files.save(path, meta.entries, arrays.entries)


def with_schema(dump, change):
    """The dump with another schema, whose types its author says are right."""
    old, result = zipfile.ZipFile(io.BytesIO(dump)), io.BytesIO()
    with zipfile.ZipFile(result, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "schema.json":
                text = json.dumps(change(json.loads(text))).encode()
            new.writestr(name, text)
    return result.getvalue()


def bomb():
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("schema.json", b" " * 2**20)
    return result.getvalue()


def replaced(old, new):
    return lambda dump: with_schema(dump, lambda schema: json.loads(json.dumps(schema).replace(old, new)))


HOSTILE = {
    "a function": (lambda dump: skops.io.dumps(FunctionTransformer(os.system)), "not trusted"),
    "a function within": (
        lambda dump: skops.io.dumps(ColumnTransformer([("a", FunctionTransformer(os.getcwd), ["a"])])),
        "not trusted",
    ),
    "another class": (replaced('"StandardScaler"', '"FunctionTransformer"'), "FunctionTransformer"),
    "another module": (replaced("sklearn.impute._base", "os"), r"type os\."),
    "another loader": (replaced('"ObjectNode"', '"OperatorFuncNode"'), "not trusted"),
    "a method": (replaced('"DictNode"', '"MethodNode"'), "not trusted"),
    "no archive": (lambda dump: b"not a zip", "damaged"),
    "cut": (lambda dump: dump[: len(dump) // 2], "damaged"),
    "a bomb": (lambda dump: bomb(), "too large"),
    "another estimator": (lambda dump: skops.io.dumps(StandardScaler()), "not the one of the columns"),
    "other columns": (
        lambda dump: skops.io.dumps(
            ColumnTransformer([("number", StandardScaler(), ["a"])]).fit(pd.DataFrame({"a": [1.0, 2.0]}))
        ),
        "does not fit the columns",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_model_file_is_refused_in_a_sentence(case, saved, monkeypatch):
    change, words = HOSTILE[case]
    monkeypatch.setattr(preparation, "LARGEST_DUMP", 2**20 - 1)
    rewritten(saved, change)
    with pytest.raises(InputError, match=words) as refusal:
        wb.Model.load(saved)
    assert "\n" not in str(refusal.value)
    assert str(saved) in str(refusal.value)


def test_an_untouched_model_file_is_read_and_holds_trusted_types_alone(saved):
    rewritten(saved, lambda dump: dump)
    model = wb.Model.load(saved)
    assert list(model.features.names) == ["a", "a is empty", "c = female", "c = male"]
    assert "pickle" not in str(zipfile.ZipFile(saved).namelist())


# Choosing lambda


def regression(seed=0, scale=1000.0):
    X = np.random.default_rng(seed).normal(size=(240, 120))
    noise = np.random.default_rng(seed + 100).normal(size=240)
    return X, scale * (X[:, :8] @ np.arange(1.0, 9.0) + 10.0 * noise + 3.0)


def test_a_chosen_lambda_is_as_good_as_lasso_cv():
    X, y = regression()
    train, test = slice(0, 120), slice(120, 240)
    model, peer = wb.fit(X[train], y[train], regularizer="l1"), LassoCV().fit(X[train], y[train])
    assert model.choice.path[0].nonzeros == 0
    ours, theirs = (y[test] - model.predict(X[test])["score"]) ** 2, (y[test] - peer.predict(X[test])) ** 2
    assert ours.mean() <= theirs.mean() + theirs.std() / np.sqrt(120)
    assert 0 < np.count_nonzero(model.solution.w) < 60


REGULARIZERS = ["l1", "l2", "elastic-net:epsilon=0.5", "group-l1l2:size=2"]


@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize(("loss", "bias"), [("squared", True), ("logistic", True), ("logistic", False)])
def test_all_weights_vanish_at_the_first_lambda_and_not_below(regularizer, loss, bias):
    X, y = regression()
    y = y if loss == "squared" else np.where(y > 5000.0, 1.0, -1.0)
    problem = wb.Problem(X, y, loss, regularizer, 1.0, bias=bias)
    largest = choice.largest_lambda(problem)
    assert choice.grid(problem)[0] == largest
    above, below = (wb.solve(problem.replace(lam=t * largest), tol=1e-10) for t in (1.0, 0.98))
    assert np.abs(above.w).max() <= 1e-6 * np.abs(below.w).max()
    assert np.abs(below.w).max() > 0.0


@pytest.mark.parametrize("regularizer", ["l1", "squared-l2"])
def test_the_unit_of_the_target_does_not_matter(regularizer):
    (X, y), (_, small) = regression(), regression(scale=1e-3)
    large, small = (wb.fit(X, target, regularizer=regularizer) for target in (y, small))
    assert large.choice.chosen == small.choice.chosen
    np.testing.assert_allclose(large.solution.w, 1e6 * small.solution.w, rtol=1e-2, atol=1.0)


def test_a_choice_at_an_end_of_the_grid_is_said():
    X, noise = np.random.default_rng(0).normal(size=(60, 5)), np.random.default_rng(1).normal(size=60)
    model = wb.fit(X, noise, regularizer="l1")
    assert model.choice.chosen == 0
    assert "the largest of the grid" in model.choice.sentence
    assert "the smallest of the grid" in choice.edge(24, 25)
    assert choice.edge(12, 25) == ""


# The documented flow


def titanic():
    return (
        pd.DataFrame(
            {
                "PassengerId": range(1, N + 1),
                "Survived": ((SEX == "female") ^ (DRAW.random(N) < 0.2)).astype(int),
                "Name": TEXTS,
                "Sex": SEX,
                "Age": np.where(DRAW.random(N) < 0.2, np.nan, DRAW.normal(30, 10, N).round(1)),
                "Cabin": np.where(DRAW.random(N) < 0.7, None, TEXTS),
            }
        ).to_csv(index=False),
        ["--target", "Survived", "--leave-out", "Cabin", "--missing", "mean"],
        [],
    )


def houses():
    area = DRAW.normal(1500, 400, N).round()
    frame = {"Id": range(N), "area": area, "pool": DRAW.random(N) > 0.9, "memo": TEXTS, "zone": SEX}
    frame |= {"garage": np.where(DRAW.random(N) < 0.2, np.nan, DRAW.integers(0, 4, N))}
    table = pd.DataFrame(frame).assign(price=area * 120 + DRAW.normal(0, 9000, N).round())
    return table.to_csv(index=False), ["--leave-out", "memo", "--missing", "indicator"], []


def genes():
    X = DRAW.normal(size=(72, 900)).round(2)
    frame = pd.DataFrame(X).add_prefix("g").assign(label=np.where(X[:, :5].sum(axis=1) > 0, "ALL", "AML"))
    return frame.to_csv(index=False), ["--regularizer", "l1", "--lam", "0.1", "--leave-out", "g7"], []


def sales():
    lines = ["Datum;Filiale;Umsatz;Rabatt;Menge"]
    for k in range(N):
        amount = DRAW.integers(1, 500)
        money = f"{12.5 * amount:,.2f}".translate(str.maketrans(",.", ".,"))
        lines.append(f"{1 + k % 28:02d}.03.2024;{'Köln' if k % 3 else 'Bonn'};{money};0,{k % 10};{amount}")
    spelling = ["--thousands", ".", "--decimal", ","]
    return "\n".join(lines), ["--leave-out", "Rabatt", *spelling], spelling


@pytest.mark.parametrize("table", [titanic, houses, genes, sales], ids=lambda table: table.__name__)
def test_solve_certify_predict_and_report_run_as_printed(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, options, spelling = table()
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    solved = invoke("solve", "a.csv", *options, "--out", "m.npz", "--report", "r.html")
    assert solved.exit_code == 0, solved.output
    assert "left out as asked" in solved.stdout
    certified = invoke("certify", "a.csv", "--model", "m.npz", "--tol", "1e-4", *spelling)
    assert certified.exit_code == 0, certified.output
    predicted = invoke("predict", "m.npz", "a.csv", "--out", "p.csv", *spelling)
    assert predicted.exit_code == 0, predicted.output
    model = wb.Model.load("m.npz")
    assert len(pd.read_csv("p.csv")) == len(text.strip().split("\n")) - 1
    names = set(model.features.columns)
    assert not names & {"Cabin", "memo", "g7", "Rabatt", "Id", "PassengerId", "Name", "Datum"}
    assert "What was read" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_model_is_certified_by_its_own_columns_alone(tmp_path):
    frame = pd.DataFrame({"a": KINDS["number"], "memo": TEXTS, "y": SEX})
    frame.loc[2, "memo"] = None
    for missing in (None, "drop"):
        model = wb.fit(frame, leave_out="memo", missing=missing, lam=0.1)
        model.save(tmp_path / "m.npz")
        frame.to_csv(tmp_path / "a.csv", index=False)
        result = invoke("certify", tmp_path / "a.csv", "--model", tmp_path / "m.npz", "--tol", "1e-4")
        assert result.exit_code == 0, result.output


def test_a_matrix_is_divided_by_its_largest_values(tmp_path):
    path = tmp_path / "a.libsvm"
    path.write_text("1 1:2 3:-8\n-1 1:1 2:4\n1 3:4\n-1 2:-1\n" * 5)
    model = wb.fit(path, standardize=True, loss="hinge", lam=0.1)
    np.testing.assert_allclose(abs(model.X).max(axis=0).toarray().ravel(), 1.0)
    model.save(tmp_path / "m.npz")
    loaded = wb.Model.load(tmp_path / "m.npz")
    np.testing.assert_array_equal(loaded.features.scales[1], [2.0, 4.0, 8.0])
    assert loaded.predict(path)["label"].tolist() == model.predict(path)["label"].tolist()


def test_numbers_return_to_their_own_units():
    frame = pd.DataFrame({"a": 1e5 + 30.0 * KINDS["number"], "c": SEX, "flag": KINDS["boolean"]})
    prepared = Preparation(columns.decide(frame), None, True).fit(frame)
    w, b = DRAW.normal(size=len(prepared.names)), 0.7
    own, bias = prepared.in_own_units(w, b)
    X = np.column_stack([frame["a"], frame["flag"], SEX == "female", SEX == "male"]).astype(float)
    np.testing.assert_allclose(X @ own + bias, prepared.transform(frame) @ w + b, rtol=1e-9)
    np.testing.assert_allclose(prepared.from_own_units(own, bias)[0], w, rtol=1e-9)
    assert training.usable(in_memory.table(frame, SEX)).decisions == prepared.decisions
