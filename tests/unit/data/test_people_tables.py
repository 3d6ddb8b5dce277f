"""From a file to predictions: as good as scikit-learn's pipelines, certified, and the same again."""

import warnings

import numpy as np
import pandas as pd
import pytest
import sympy as sp
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV, RidgeCV
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import workbench as wb
from tests.corpora import messy_datasets
from tests.helpers.commands import invoke
from workbench.conjugates.terms.losses import LOSSES, U
from workbench.data.tables import training
from workbench.kernels import formulas

TARGET = messy_datasets.TARGET


def peer(labels):
    """scikit-learn's pipeline for the same file."""
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    words = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (words, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, LogisticRegressionCV(max_iter=300, Cs=5, cv=3) if labels else RidgeCV())


@pytest.mark.parametrize("name", messy_datasets.NAMES)
def test_two_commands_are_as_good_as_a_pipeline_and_certified(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = messy_datasets.frame(name)
    train, test = train_test_split(whole, test_size=0.3, random_state=0)
    train.to_csv("train.csv", index=False)
    test.drop(columns=TARGET).to_csv("new.csv", index=False)
    solved = invoke("solve", "train.csv", "--missing", "mean")
    assert solved.exit_code == 0, solved.output
    predicted = invoke("predict", "train.model.npz", "new.csv", "--out", "predictions.csv")
    assert predicted.exit_code == 0, predicted.output
    predictions = pd.read_csv("predictions.csv", index_col="index")
    labels = name != "diabetes"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's own, of what will change in it
        expected = peer(labels).fit(train.drop(columns=TARGET), train[TARGET])
        reference = expected.score(test.drop(columns=TARGET), test[TARGET])
    truth = test[TARGET].to_numpy()
    if labels:
        assert np.mean(predictions["label"].to_numpy() == truth) >= reference - 0.01 - 0.5 / len(test)
        assert predictions["probability"].between(0.0, 1.0).all()
    else:
        score = 1.0 - np.sum((predictions["score"] - truth) ** 2) / np.sum((truth - truth.mean()) ** 2)
        assert score >= reference - 0.02
    assert wb.Model.load("train.model.npz").solution.relative_gap <= 1e-4


@pytest.mark.parametrize("missing", ["mean", "median", "indicator", "drop"])
def test_the_training_file_gives_the_solutions_own_predictions(missing, tmp_path):
    whole = messy_datasets.frame("wine")
    whole.to_csv(tmp_path / "wine.csv", index=False)
    model = wb.fit(tmp_path / "wine.csv", missing=missing, lam=0.01)
    model.save(tmp_path / "model.npz")
    loaded = wb.Model.load(tmp_path / "model.npz")
    table = training.usable(wb.data.read(tmp_path / "wine.csv"), missing)
    z = model.solution.decision_function(model.X)
    predictions = loaded.predict(tmp_path / "wine.csv")
    assert predictions.index.equals(pd.RangeIndex(len(whole)))
    complete = predictions.loc[table.target.index]
    np.testing.assert_allclose(complete["score"], z.max(axis=1), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(complete["label"], np.array(model.task.labels)[z.argmax(axis=1)])
    assert predictions["score"].isna().sum() == len(whole) - len(table)
    whole.drop(columns=TARGET)[sorted(whole.columns.drop(TARGET))].to_csv(tmp_path / "other.csv", index=False)
    pd.testing.assert_frame_equal(loaded.predict(tmp_path / "other.csv"), predictions)


def test_rows_keep_their_index_and_other_columns_are_ignored(tmp_path):
    whole = messy_datasets.frame("iris", empty=0.0)
    whole.index = [f"plant {k}" for k in range(len(whole))]
    whole.to_csv(tmp_path / "iris.csv")
    model = wb.fit(tmp_path / "iris.csv", lam=0.01)
    assert "index" in " ".join(model.notes)
    new = whole.drop(columns=TARGET).assign(comment="anything").iloc[::-1]
    new.to_csv(tmp_path / "new.csv")
    predictions = model.predict(tmp_path / "new.csv")
    assert predictions.index.tolist() == new.index.tolist()
    np.testing.assert_array_equal(predictions.loc[whole.index], model.predict(whole))


def test_weights_in_own_units_predict_the_same(tmp_path):
    whole = messy_datasets.frame("diabetes", empty=0.0)
    model = wb.fit(whole, target=TARGET, lam=0.1)
    own, bias = model.own_units
    dummies = [name.partition(" = ") for name in model.features.names]
    X = np.column_stack([whole[name] == value if mark else whole[name] for name, mark, value in dummies])
    np.testing.assert_allclose(X.astype(float) @ own + bias, model.predict(whole)["score"], rtol=1e-9)
    table = model.weights()
    np.testing.assert_allclose(table["weight"], [*own, bias])
    np.testing.assert_allclose(table["standardized"][:-1], model.solution.w)


def test_lambda_is_the_best_of_the_path_and_one_standard_error_is_larger():
    whole = messy_datasets.frame("wine")
    best = wb.fit(whole, target=TARGET, missing="mean").choice
    larger = wb.fit(whole, target=TARGET, missing="mean", one_se=True).choice
    least = min(best.path, key=lambda point: point.loss)
    assert best.lam == least.lam
    assert larger.lam > best.lam
    assert larger.path[larger.chosen].loss <= least.loss + least.loss_error
    assert all(point.gap <= 1e-2 for point in best.path)
    assert least.score == pytest.approx(0.97, abs=0.03)


def test_a_loss_gives_probabilities_exactly_where_they_sum_to_one():
    z = sp.Symbol("z", real=True)
    for term in LOSSES:
        value = term.value.rewrite(sp.exp)
        total = sp.exp(-value.subs(U, z)) + sp.exp(-value.subs(U, -z))
        total = total.subs(dict.fromkeys(total.free_symbols - {z}, sp.Rational(3, 2)))
        sums_to_one = term.kind == "margin" and all(
            abs(total.subs(z, place).evalf(30) - 1) < 1e-25 for place in (0, sp.Rational(1, 3), 4)
        )
        assert sums_to_one == formulas.LOSSES[term.name]["likelihood"], term.name
