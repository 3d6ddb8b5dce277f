"""`workbench certify`: scikit-learn's coefficients from the shell, and misuse in one sentence."""

import json
import pathlib

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import workbench as wb
from tests.corpora import table
from tests.unit.cli.test_cli import invoke, one_sentence


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with data, and coefficients of peers and broken ones."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = np.where(X @ [1.0, -0.5, 0.0] + 0.5 * rng.normal(size=40) > 0.2, 1, -1)
    target = X @ [1.0, -0.5, 0.0] + 0.1 * rng.normal(size=40)
    classes = rng.permutation(np.arange(40) % 3)
    for name, values in (("labels", y), ("targets", target), ("classes", classes)):
        rows = [",".join(map(repr, [*map(float, row), float(v)])) for row, v in zip(X, values, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["a,b,c,y", *rows]) + "\n")
    np.save("zero.npy", np.zeros(3))
    np.save("wide.npy", np.zeros(4))
    np.save("text.npy", np.array(["a", "b", "c"]))
    np.save("matrix.npy", np.zeros((3, 3)))
    np.save("nan.npy", np.array([0.0, np.nan, 0.0]))
    np.save("pickled.npy", np.array([{}, 1, 2], dtype=object), allow_pickle=True)
    (tmp_path / "broken.npy").write_bytes(b"\x93NUMPY\x01\x00garbage")
    return X, y, target


def test_a_logistic_regression_is_certified(folder):
    X, y, _ = folder
    peer = LogisticRegression(C=1.0 / (0.01 * 40), tol=1e-10, max_iter=1000).fit(X, y)
    np.save("coef.npy", peer.coef_)
    np.save("intercept.npy", peer.intercept_)
    arguments = ("certify", "labels.csv", "--loss", "logistic", "--lam", 0.01, "--coef", "coef.npy")
    for intercept in ("intercept.npy", repr(float(peer.intercept_[0]))):
        result = invoke(*arguments, "--intercept", intercept, "--json", "--tol", "1e-6")
        assert result.exit_code == 0
        shown = json.loads(result.stdout)
        p = wb.Problem(X, y, "logistic", lam=0.01, bias=True)
        c = wb.certificate(p, w=peer.coef_.ravel(), b=float(peer.intercept_[0]))
        assert shown["gap"] == pytest.approx(c.gap, rel=1e-9)
        assert 0.0 <= shown["gap"] <= 1e-8
        assert shown["primal"] == pytest.approx(c.primal, rel=1e-12)
        assert shown["b"] == peer.intercept_[0]
        assert (shown["bias"], shown["loss"], shown["lam"]) == (True, "logistic", 0.01)
        assert shown["data"]["n"] == 40
    best = invoke(*arguments, "--free-bias", "--json")
    assert json.loads(best.stdout)["b"] == pytest.approx(peer.intercept_[0], abs=1e-5)


def test_a_norm_and_the_table(folder):
    X, _, target = folder
    peer = Lasso(alpha=0.05, fit_intercept=False, tol=1e-12).fit(X, target)
    np.save("coef.npy", peer.coef_)
    arguments = ("certify", "targets.csv", "--loss", "squared", "--regularizer", "l1", "--coef", "coef.npy")
    result = invoke(*arguments, "--lam", 0.1)
    assert result.exit_code == 0
    lines = dict(line.split(maxsplit=1) for line in result.stdout.splitlines()[1:])
    assert float(lines["gap"]) <= 1e-10
    assert lines["bias"] == "none"
    assert "repaired        dual point multiplied by" in result.stdout


def test_zero_is_certified_in_every_shape_of_bias_and_class(folder):
    kinds = (), ("--bias",), ("--free-bias",), ("--bias", "--intercept", "0.5"), ("--intercept", "-1")
    for options in kinds:
        result = invoke("certify", "labels.csv", "--coef", "zero.npy", "--json", *options)
        assert result.exit_code == 0
        assert json.loads(result.stdout)["gap"] > 0.0
    classes = ("certify", "classes.csv", "--loss", "multinomial", "--coef", "matrix.npy", "--json")
    for options in ((), ("--free-bias",), ("--bias",)):
        shown = json.loads(invoke(*classes, *options).stdout)
        assert shown["primal"] == pytest.approx(np.log(3.0), rel=0.01)
    np.save("alpha.npy", np.zeros(40))
    shown = json.loads(invoke("certify", "labels.csv", "--alpha", "alpha.npy", "--json").stdout)
    assert (shown["primal"], shown["gap"]) == (1.0, 1.0)


def test_a_gap_above_the_tolerance_fails(folder):
    assert invoke("certify", "labels.csv", "--coef", "zero.npy", "--tol", "1e-3").exit_code == 1


MISUSE = table("misuse")["certify"]


@pytest.mark.parametrize(("options", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse_ends_in_one_sentence(folder, options, message):
    result = invoke("certify", "labels.csv", *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert one_sentence(result.stderr)
    assert message in result.stderr


def saved(name, model, X, y):
    joblib.dump(model.fit(X, y), name)


def test_an_estimator_in_a_joblib_file_is_certified(folder):
    X, y, target = folder
    saved("pipe.joblib", make_pipeline(StandardScaler(), LogisticRegression(C=0.3)), X, y)
    frame = pd.read_csv("targets.csv")
    saved("named.joblib", Lasso(alpha=0.05), frame[["c", "a"]], target)
    certify = ("certify", "labels.csv", "--model", "pipe.joblib", "--trust-joblib")
    shown = json.loads(invoke(*certify, "--json", "--tol", "1e-3").stdout)
    certificate = wb.certificate(joblib.load("pipe.joblib"), X, y)
    assert shown["objective"] == pytest.approx(certificate.objective, rel=1e-12)
    assert (shown["estimator"], shown["verdict"], shown["tol"]) == ("LogisticRegression", "enough", 1e-3)
    result = invoke(*certify)
    assert result.exit_code == 0
    assert "above optimum   at most" in result.stdout
    # Columns are found by their names, in whatever order the file has them.
    result = invoke("certify", "targets.csv", "--model", "named.joblib", "--trust-joblib", "--json")
    expected = wb.certificate(joblib.load("named.joblib"), frame[["c", "a"]], target)
    assert json.loads(result.stdout)["objective"] == pytest.approx(expected.objective, rel=1e-12)
    with pytest.warns(ConvergenceWarning):
        saved("loose.joblib", LogisticRegression(C=1e6, max_iter=1), X, y)
    result = invoke("certify", "labels.csv", "--model", "loose.joblib", "--trust-joblib", "--tol", "1e-4")
    assert result.exit_code == 1
    assert "what to do      raise max_iter" in result.stdout


def test_texts_as_labels_reach_the_estimator(folder):
    X, y, _ = folder
    labels = np.where(y > 0, "yes", "no")
    pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=labels).to_csv("texts.csv", index=False)
    saved("texts.joblib", LogisticRegression(), X, labels)
    result = invoke("certify", "texts.csv", "--model", "texts.joblib", "--trust-joblib", "--json")
    assert json.loads(result.stdout)["verdict"] == "enough"


def test_a_joblib_file_is_not_opened_unasked(folder):
    class Touching:
        def __reduce__(self):
            return pathlib.Path.touch, (pathlib.Path("opened"),)

    joblib.dump(Touching(), "code.joblib")
    result = invoke("certify", "labels.csv", "--model", "code.joblib")
    assert result.exit_code == 2
    assert one_sentence(result.stderr)
    assert "runs whatever code it holds; pass --trust-joblib" in result.stderr
    assert not pathlib.Path("opened").exists()


def test_models_of_the_workbench_are_certified(folder):
    """A table's model with its scales, a norm, a kernel and a solution alone: the gap that it reached."""
    ways = {
        "table": ("labels.csv", "--lam", 0.01, "--standardize"),
        "hinge": ("labels.csv", "--lam", 0.01, "--loss", "hinge", "--bias"),
        "norm": ("targets.csv", "--lam", 0.1, "--loss", "squared", "--regularizer", "l1"),
        "classes": ("classes.csv", "--lam", 0.1, "--loss", "multinomial"),
        "kernel": ("labels.csv", "--lam", 0.01, "--loss", "hinge", "--kernel", "rbf:gamma=1", "--no-bias"),
        "named": ("breast-cancer", "--lam", 0.01, "--loss", "logistic"),
    }
    for name, (source, *options) in ways.items():
        solved = invoke("solve", source, *options, "--out", "model.npz", "--force", "--json")
        assert solved.exit_code == 0, name
        result = invoke("certify", source, "--model", "model.npz", "--json", "--tol", "1e-3")
        assert result.exit_code == 0, name
        shown, expected = json.loads(result.stdout), json.loads(solved.stdout)
        assert shown["primal"] == pytest.approx(expected["primal"], rel=1e-9), name
        assert shown["gap"] <= expected["gap"] * (1.0 + 1e-6) + 1e-12, name
        assert invoke("certify", source, "--model", "model.npz").stdout.count("\n") >= 8, name


MODELS = table("misuse")["models"]


@pytest.mark.parametrize(("options", "message"), MODELS.values(), ids=MODELS)
def test_a_model_that_does_not_fit_ends_in_one_sentence(folder, options, message):
    X, y, _ = folder
    data = pd.DataFrame(X, columns=["a", "b", "other"])
    saved("wide.joblib", LogisticRegression(), data, y)
    joblib.dump([1.0], "list.joblib")
    source = "labels.csv"
    if "own.npz" in options:
        invoke("solve", "labels.csv", "--lam", 0.1, "--out", "own.npz")
    if "three.npz" in options:
        invoke("solve", "classes.csv", "--lam", 0.1, "--loss", "multinomial", "--out", "three.npz")
    if "kernel.npz" in options:
        kernel = ("--kernel", "rbf:gamma=0.5", "--loss", "hinge", "--no-bias")
        invoke("solve", "labels.csv", "--lam", 0.1, *kernel, "--out", "kernel.npz")
        lines = pathlib.Path("labels.csv").read_text().splitlines()
        pathlib.Path("fewer.csv").write_text("\n".join(lines[:31]) + "\n")
        source = "fewer.csv"
    result = invoke("certify", source, *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert one_sentence(result.stderr)
    assert message in result.stderr
