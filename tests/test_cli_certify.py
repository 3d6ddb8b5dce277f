"""`workbench certify`: scikit-learn's coefficients from the shell, and misuse in one sentence."""

import json

import numpy as np
import pytest
from sklearn.linear_model import Lasso, LogisticRegression
from test_cli import invoke, one_sentence, run

import workbench as wb


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


MISUSE = {
    "nothing": ((), "give --coef FILE.npy, --alpha FILE.npy or both"),
    "no such file": (("--coef", "none.npy"), "none.npy: there is no such file"),
    "too wide": (("--coef", "wide.npy"), "--coef has shape (4,) where (3,) is needed"),
    "a matrix": (("--coef", "matrix.npy"), "--coef has shape (3, 3) where (3,) is needed"),
    "text": (("--coef", "text.npy"), "and no numbers; save floats"),
    "nan": (("--coef", "nan.npy"), "w[1] is nan"),
    "pickled": (("--coef", "pickled.npy"), "is not an array that np.save wrote"),
    "broken": (("--coef", "broken.npy"), "is not an array that np.save wrote"),
    "two kinds of bias": (("--coef", "zero.npy", "--bias", "--free-bias"), "exclude each other"),
    "intercept as text": (("--coef", "zero.npy", "--intercept", "one"), "neither a number nor a .npy file"),
    "intercept nan": (("--coef", "zero.npy", "--intercept", "nan"), "b = nan must be a finite number"),
    "alpha too wide": (("--alpha", "wide.npy"), "alpha has shape (4,) where (40,) is needed"),
    "lam": (("--coef", "zero.npy", "--lam", "0"), "lam = 0.0 must be"),
    "crossing groups": (("--coef", "zero.npy", "--regularizer", "tree"), "groups is missing"),
    "loss": (("--coef", "zero.npy", "--loss", "hing"), "'hing' is not known"),
}


@pytest.mark.parametrize(("options", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse_ends_in_one_sentence(folder, options, message):
    result = invoke("certify", "labels.csv", *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert one_sentence(result.stderr)
    assert message in result.stderr


def test_a_norm_is_solved_and_certified(folder):
    lasso = ("targets.csv", "--loss", "squared", "--regularizer", "l1", "--lam", 0.1, "--json")
    plain = ("--no-standardize", "--no-bias", "--solver", "proximal-gradient")
    solved = invoke("solve", *lasso, *plain, "--out", "model.npz")
    assert solved.exit_code == 0
    np.save("coef.npy", wb.Solution.load("model.npz").w)
    shown = json.loads(invoke("certify", *lasso, "--coef", "coef.npy").stdout)
    assert shown["gap"] == pytest.approx(json.loads(solved.stdout)["gap"], rel=1e-9)
    refused = invoke("solve", "targets.csv", "--loss", "squared", "--solver", "magic")
    assert refused.exit_code == 2
    assert "'magic' is not known" in refused.stderr


def test_the_command_in_a_process_of_its_own(folder):
    result = run("certify", "labels.csv", "--coef", "zero.npy", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["relative_gap"] > 0.0
