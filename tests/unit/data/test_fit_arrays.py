"""`wb.fit(X, y)`: arrays, frames and sparse matrices, with weights of samples and of classes."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression, Ridge
from typer.testing import CliRunner

import workbench as wb
from workbench.cli import app
from workbench.data.tables.report import python_line

N, LAM = 90, 0.05
NAMES = ["height", "width", "age"]
EXACT = {"lam": LAM, "tol": 1e-10, "standardize": False, "fit_intercept": True}


def drawn(classes=2, seed=1):
    """Samples (90, 3), labels as texts, numbers, and weights of which a third is 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 3))
    scores = X @ rng.normal(size=(3, classes)) + rng.gumbel(size=(N, classes)) + [1.0, *[0.0] * (classes - 1)]
    labels = np.array(["ash", "elm", "oak"])[scores.argmax(axis=1)]
    return X, labels, scores[:, 0], rng.integers(0, 3, size=N).astype(float)


X, LABELS, NUMBERS, WEIGHT = drawn()
COUNTED, NUMBERED = ["x0", "x1", "x2"], ["feature 0", "feature 1", "feature 2"]
POLARS = pytest.importorskip("polars")
SOURCES = {
    "array": (X, LABELS, COUNTED),
    "list": (X.tolist(), LABELS.tolist(), COUNTED),
    "column of targets": (X, LABELS[:, None], COUNTED),
    "read-only and by columns": (np.asfortranarray(X), LABELS, COUNTED),
    "float32": (X.astype(np.float32).astype(float), LABELS, COUNTED),
    "pandas": (pd.DataFrame(X, columns=NAMES), pd.Series(LABELS, name="tree"), NAMES),
    "pandas with an index": (
        pd.DataFrame(X, columns=NAMES, index=range(500, 500 + N)),
        pd.Series(LABELS, name="tree"),
        NAMES,
    ),
    "frame of one target": (pd.DataFrame(X, columns=NAMES), pd.DataFrame({"tree": LABELS}), NAMES),
    "polars": (POLARS.DataFrame(dict(zip(NAMES, X.T, strict=True))), POLARS.Series("tree", LABELS), NAMES),
    "polars and an array": (POLARS.DataFrame(dict(zip(NAMES, X.T, strict=True))), LABELS, NAMES),
    "sparse": (sp.csc_array(X), LABELS, NUMBERED),
    "sparse matrix": (sp.coo_matrix(X), pd.Series(LABELS), NUMBERED),
}


@pytest.mark.parametrize("case", SOURCES)
def test_any_kind_of_table_gives_logistic_regression_and_keeps_its_names(case):
    source, target, names = SOURCES[case]
    model = wb.fit(source, target, **EXACT)
    peer = LogisticRegression(C=1 / (LAM * N), tol=1e-10, max_iter=10_000).fit(X, LABELS)
    np.testing.assert_allclose(model.solution.w, peer.coef_[0], atol=1e-5)
    np.testing.assert_allclose(model.solution.b, peer.intercept_[0], atol=1e-5)
    assert list(model.features.names) == names
    predictions = model.predict(source)
    assert (predictions["label"].to_numpy() == peer.predict(X)).all()
    np.testing.assert_allclose(predictions["probability"], peer.predict_proba(X)[:, 1], atol=1e-5)


def test_a_target_is_a_column_of_a_frame_of_any_kind():
    whole = pd.DataFrame(X, columns=NAMES).assign(kind=LABELS)
    for source, target in ((whole, "kind"), (POLARS.from_pandas(whole), "kind"), (whole, 3), (whole, None)):
        model = wb.fit(source, target, **EXACT)
        assert list(model.features.names) == NAMES
        np.testing.assert_array_equal(model.solution.w, wb.fit(X, LABELS, **EXACT).solution.w)
    last = wb.fit(np.column_stack([X, NUMBERS]), **EXACT)
    assert last.task.name == "x3"
    peer = Ridge(alpha=LAM * N / 2).fit(X, NUMBERS)
    np.testing.assert_allclose(last.solution.w, peer.coef_, atol=1e-6)


@pytest.mark.parametrize("target", [LABELS, NUMBERS, drawn(3)[1]], ids=["two", "numbers", "three"])
def test_a_weight_is_how_often_a_sample_is_given(target):
    often = np.repeat(np.arange(N), WEIGHT.astype(int))
    ours = wb.fit(X, target, sample_weight=3.0 * WEIGHT, **EXACT)
    same = wb.fit(X[often], target[often], **EXACT)
    np.testing.assert_allclose(ours.solution.w, same.solution.w, atol=1e-6)
    np.testing.assert_allclose(ours.solution.primal, same.solution.primal, rtol=1e-8)
    whole = pd.DataFrame(X, columns=NAMES).assign(weight=WEIGHT, kind=target)
    column = wb.fit(whole, "kind", sample_weight="weight", **EXACT)
    assert list(column.features.names) == NAMES
    np.testing.assert_allclose(column.solution.w, ours.solution.w, atol=1e-6)
    # The weights are not needed to predict.
    assert len(column.predict(whole[NAMES])) == N


def test_equal_weights_are_none():
    plain = wb.fit(X, LABELS, **EXACT)
    same = wb.fit(X, LABELS, sample_weight=np.full(N, 0.3), **EXACT)
    np.testing.assert_array_equal(plain.solution.w, same.solution.w)
    assert same.run.problem.is_unweighted


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("class_weight", ["balanced", {"elm": 3.0}, {"ash": np.float64(0.5), "elm": 2}])
def test_class_weights_are_logistic_regressions(classes, class_weight):
    _, labels, _, weight = drawn(classes)
    used = weight > 0.0
    ours = wb.fit(X, labels, class_weight=class_weight, sample_weight=weight, **EXACT)
    estimator = wb.DualClassifier("logistic") if classes == 2 else wb.MultinomialClassifier()
    estimator.set_params(lam=LAM, tol=1e-10, class_weight=class_weight).fit(X, labels, weight)
    shape = estimator.coef_.T if classes == 3 else estimator.coef_[0]
    np.testing.assert_allclose(ours.solution.w, shape, atol=1e-5)
    # scikit-learn sums weights where we take their mean: C = 1 / (lam sum c).
    total = weight.copy()
    for label in np.unique(labels):
        share = weight[labels == label].sum()
        balanced = weight.sum() / (classes * share)
        total[labels == label] *= balanced if class_weight == "balanced" else class_weight.get(label, 1.0)
    peer = LogisticRegression(C=1 / (LAM * total.sum()), tol=1e-10, max_iter=10_000)
    peer.fit(X[used], labels[used], total[used])
    score = ours.predict(X)
    np.testing.assert_allclose(
        score["probability"] if classes == 2 else score[[f"probability {label}" for label in peer.classes_]],
        peer.predict_proba(X)[:, 1] if classes == 2 else peer.predict_proba(X),
        atol=1e-5,
    )


def test_cross_validation_counts_by_the_weights():
    # Samples of weight 0 neither train nor judge: labels turned round there change nothing.
    turned = np.where(WEIGHT == 0.0, np.where(LABELS == "ash", "elm", "ash"), LABELS)
    plain, other = (wb.fit(X, labels, sample_weight=WEIGHT) for labels in (LABELS, turned))
    assert plain.choice.path == other.choice.path
    # And with a weight of 1,000 on one half of the samples that half decides.
    half = np.arange(N) % 2 == 0
    tossed = np.where(half, LABELS, np.random.default_rng(0).permutation(LABELS))
    heavy = wb.fit(X, tossed, sample_weight=np.where(half, 1000.0, 1.0)).choice
    light = wb.fit(X, tossed, sample_weight=np.where(half, 1.0, 1000.0)).choice
    assert min(p.loss for p in heavy.path) < min(p.loss for p in light.path) - 0.05


def test_what_a_weighted_model_says_and_saves(tmp_path):
    model = wb.fit(X, LABELS, sample_weight=WEIGHT, class_weight="balanced", lam=LAM)
    assert "samples weighted by sample_weight" in model.notes
    assert any(note.startswith("classes weighted: ash by 0.") for note in model.notes)
    line = python_line(model)
    assert line.startswith("import workbench as wb; model = wb.fit(X, y, ")
    assert "sample_weight=sample_weight, class_weight='balanced'" in line
    scope = {"X": X, "y": LABELS, "sample_weight": WEIGHT}
    exec(line, scope)
    np.testing.assert_array_equal(scope["model"].solution.w, model.solution.w)
    model.save(tmp_path / "model.npz")
    loaded = wb.Model.load(tmp_path / "model.npz")
    assert loaded.notes == model.notes
    assert (loaded.predict(X)["score"] == model.predict(X)["score"]).all()


FAULTS = {
    "lengths": (lambda: wb.fit(X, LABELS[:5]), "y has 5 entries, and X has 90 rows; give one target"),
    "a row": (lambda: wb.fit(X[0], LABELS), r"X has shape \(3,\); give a matrix with one sample a row"),
    "nothing": (lambda: wb.fit(None, LABELS), r"X has shape \(\); give a matrix"),
    "ragged": (lambda: wb.fit([[1, 2], [3]], [1, 2]), "X is not a table .*; give a matrix"),
    "a matrix of targets": (lambda: wb.fit(X, X), r"y has shape \(90, 3\); give one target for each row"),
    "a frame of targets": (lambda: wb.fit(X, pd.DataFrame(X)), r"y has 3 columns; give one, such as y\[0\]"),
    "a file and targets": (lambda: wb.fit("a.csv", LABELS), "beside a file; name the column .* target="),
    "sparse alone": (lambda: wb.fit(sp.csr_array(X)), r"without targets; give them as wb.fit\(X, y\)"),
    "no such column": (lambda: wb.fit(X, LABELS, sample_weight="w"), "no column 'w' of weights; its columns"),
    "sparse column": (lambda: wb.fit(sp.csr_array(X), LABELS, sample_weight="w"), "no column 'w' of weights"),
    "negative": (lambda: wb.fit(X, LABELS, sample_weight=-WEIGHT - 1), r"sample_weight\[0\] is -\d; weights"),
    "nan": (lambda: wb.fit(X, LABELS, sample_weight=WEIGHT * np.nan), r"sample_weight\[0\] is nan"),
    "all zero": (lambda: wb.fit(X, LABELS, sample_weight=0 * WEIGHT), "every weight is 0; give some"),
    "few weights": (lambda: wb.fit(X, LABELS, sample_weight=WEIGHT[:3]), r"has shape \(3,\) where \(90,\)"),
    "numbers": (lambda: wb.fit(X, NUMBERS, class_weight="balanced"), "has no labels, .*; leave it out"),
    "no class weight": (lambda: wb.fit(X, LABELS, class_weight=2), "class_weight = 2 is not known; give"),
    "no label": (lambda: wb.fit(X, LABELS, class_weight={"fir": 1}), "no label is 'fir'; those of 'y'"),
    "no number": (lambda: wb.fit(X, LABELS, class_weight={"elm": "2"}), "elm = '2' is not a number"),
    "zero": (lambda: wb.fit(X, LABELS, class_weight={"elm": 0}), "elm = 0 must be a finite number above"),
    "narrow": (lambda: wb.fit(X, LABELS, lam=LAM).predict(X[:, :2]), "lacks the column 'x2'; give every col"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_does_not_go_together_is_said(fault):
    call, said = FAULTS[fault]
    with pytest.raises(wb.InputError, match=said):
        call()


def test_the_command_line_takes_the_same_weights(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = pd.DataFrame(X, columns=NAMES).assign(weight=WEIGHT, kind=LABELS)
    whole.to_csv("trees.csv", index=False)
    options = ["--lam", str(LAM), "--tol", "1e-10", "--no-standardize", "--out", "model.npz"]
    for class_option, class_weight in (
        (["--class-weight", "balanced"], "balanced"),
        (["--class-weight", "elm=3", "--class-weight", "ash=0.5"], {"elm": 3.0, "ash": 0.5}),
    ):
        asked = ["solve", "trees.csv", "--sample-weight", "weight", *class_option, *options]
        result = CliRunner().invoke(app, asked)
        assert result.exit_code == 0, result.stderr
        ours = wb.Model.load("model.npz")
        (tmp_path / "model.npz").unlink()
        same = wb.fit(X, LABELS, sample_weight=WEIGHT, class_weight=class_weight, **EXACT)
        np.testing.assert_allclose(ours.solution.w, same.solution.w, atol=1e-6)
        assert "classes weighted: " in result.stdout
    for class_option in ("elm", "elm=x", "=", "elm="):
        refused = CliRunner().invoke(app, ["solve", "trees.csv", "--class-weight", class_option])
        assert refused.exit_code == 2
        assert "write --class-weight spam=2" in " ".join(refused.stderr.split())
    named = CliRunner().invoke(app, ["solve", "breast-cancer", "--class-weight", "balanced"])
    assert "--class-weight applies to files only; leave it out for breast-cancer" in named.stderr
