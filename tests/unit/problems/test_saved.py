"""A saved model that is not what it should be is refused with the name of the entry."""

import functools
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import workbench as wb
from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.cli import app
from workbench.solvers.solution import Solution

RNG = np.random.default_rng(3)
X = RNG.normal(size=(12, 3))
Y = np.where(X[:, 0] + 0.1 > 0.0, 1.0, -1.0)
CLASSES = np.arange(12) % 3


@functools.cache
def solution(kind):
    options = {"loss": "hinge", "lam": 0.1}
    if kind == "classes":
        return wb.solve(wb.Problem(X, CLASSES, "multinomial", lam=0.1), tol=1e-2)
    kernel = {"kernel": {"kernel": "rbf:gamma=0.5"}, "given": {"kernel": "precomputed"}}.get(kind, {})
    return wb.solve(wb.Problem(X @ X.T if kind == "given" else X, Y, **options, **kernel), tol=1e-2)


def parts(path):
    with np.load(path) as archive:
        arrays = dict(archive)
    return json.loads(str(arrays.pop("header"))), arrays


def put(path, meta, arrays):
    np.savez(path, header=np.array(json.dumps(meta)), **arrays)


@pytest.mark.parametrize("kind", ["weights", "classes", "kernel", "given"])
def test_what_was_saved_is_read(tmp_path, kind):
    path, ours = tmp_path / "model.npz", solution(kind)
    ours.save(path)
    theirs = Solution.load(path)
    rows = X @ X.T if kind == "given" else X
    np.testing.assert_array_equal(ours.decision_function(rows), theirs.decision_function(rows))
    assert theirs.history.equals(ours.history)


def nan(x):
    changed = x.copy()
    changed.flat[0] = np.nan
    return changed


ARRAYS = (
    ("weights", "w", lambda x: np.array(["a", "b", "c"]), "w holds <U1 where float64 is needed"),
    ("weights", "w", lambda x: np.float64(1.0), r"w has shape \(\) where \(any,\) or \(any, any\) is needed"),
    ("weights", "w", lambda x: np.ones((2, 2, 2)), r"w has shape \(2, 2, 2\)"),
    ("weights", "w", nan, r"w holds nan at \[0\], which is not finite"),
    ("weights", "w", lambda x: x * np.inf, "w holds -?inf at"),
    ("weights", "w", lambda x: x.astype(complex), "w holds complex128"),
    ("weights", "w", lambda x: x.astype(bool), "w holds bool"),
    ("weights", "w", None, "w is missing"),
    ("weights", "w", lambda x: np.ones((3, 2)), r"w_embedded has shape \(3,\) where \(any, 2\)"),
    ("weights", "w_embedded", nan, "w_embedded holds nan"),
    ("weights", "alpha", lambda x: x.astype("U8"), "alpha holds <U"),
    ("weights", "alpha", None, "alpha is missing"),
    ("weights", "history_gap", lambda x: x[1:], "different lengths"),
    ("weights", "history_gap", lambda x: x.astype("U8"), "history_gap is not a column of numbers"),
    ("classes", "w", lambda x: x[:, :2], r"shape"),
    (
        "kernel",
        "expansion_kernel",
        lambda x: np.array("other"),
        "expansion_kernel is unknown; expected one of linear, rbf",
    ),
    ("kernel", "expansion_kernel", None, "expansion_kernel is missing"),
    ("kernel", "expansion_parameters", lambda x: np.ones(3), r"expansion_parameters has shape \(3,\)"),
    ("kernel", "expansion_factors", lambda x: x[1:], "expansion_support does not fit"),
    ("kernel", "expansion_factors", nan, "expansion_factors holds nan"),
    ("kernel", "expansion_indptr", lambda x: x[::-1].copy(), "expansion_indptr does not fit"),
    ("kernel", "expansion_indptr", lambda x: x * 2, "expansion_indptr does not fit"),
    ("kernel", "expansion_indices", lambda x: x + np.uint32(2**31), "expansion_indices does not fit"),
    ("kernel", "expansion_data", lambda x: x[:-1], "does not fit"),
    ("kernel", "expansion_n_features", lambda x: np.int64(0), "expansion_n_features is not a whole number"),
    ("kernel", "expansion_n_features", lambda x: np.array("3"), "expansion_n_features is not a whole number"),
    ("given", "expansion_support", lambda x: x + 100, "expansion_support does not fit"),
)


@pytest.mark.parametrize(("kind", "name", "change", "words"), ARRAYS)
def test_an_array_that_is_wrong_is_named(tmp_path, kind, name, change, words):
    path = tmp_path / "model.npz"
    solution(kind).save(path)
    meta, arrays = parts(path)
    array = arrays.pop(name)
    put(path, meta, arrays if change is None else {**arrays, name: change(array)})
    with pytest.raises(InputError, match=words) as refused:
        Solution.load(path)
    assert str(path) in str(refused.value)


ENTRIES = (
    ("b", "text", "b is 'text', not a"),
    ("b", [1.0, 2.0], r"b has shape \(2,\) where \(\)"),
    ("b", float("nan"), "b is nan, which is not finite"),
    ("b", [[], [1]], "b "),
    ("b", True, "b is 'True'"),
    ("primal", "1", "primal is '1', not a whole number or a number"),
    ("gap", None, "gap is 'None'"),
    ("gap", -1.0, "gap is -1.0, not a number of 0 or more"),
    ("primal", 10**400, "primal is 1000"),
    ("steps", 1.5, "steps is '1.5', not a whole number"),
    ("classifies", 1, "classifies is '1', not bool"),
    ("status", 3, "status is '3', not t"),
    ("description", [], r"description is '\[\]', not an object"),
    ("epochs", ..., "epochs is missing"),
)


@pytest.mark.parametrize(("name", "value", "words"), ENTRIES)
def test_an_entry_that_is_wrong_is_named(tmp_path, name, value, words):
    path = tmp_path / "model.npz"
    solution("weights").save(path)
    meta, arrays = parts(path)
    meta.pop(name)
    put(path, meta if value is ... else {**meta, name: value}, arrays)
    with pytest.raises(InputError, match=words):
        Solution.load(path)


def test_the_command_says_it_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    solution("weights").save("model.npz")
    meta, arrays = parts("model.npz")
    put("model.npz", meta, {**arrays, "w": np.array(["a", "b", "c"])})
    (tmp_path / "rows.libsvm").write_text("1 1:1 2:1 3:1\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", "model.npz", "rows.libsvm"])
    assert result.exit_code == 2
    assert result.stderr == "error: model.npz: w holds <U1 where float64 is needed; save it anew\n"


@pytest.mark.parametrize("header", ["[" * 100_000, "{}", '{"format": 1}', "1", ""])
def test_a_header_that_means_nothing_is_refused(tmp_path, header):
    path = tmp_path / "model.npz"
    np.savez(path, header=np.array(header))
    with pytest.raises(InputError, match=r"model.npz"):
        files.load(path)


def test_another_format_is_refused_by_its_name(tmp_path):
    path = tmp_path / "model.npz"
    solution("weights").save(path)
    meta, arrays = parts(path)
    put(path, {**meta, "format": "duality-workbench/0"}, arrays)
    with pytest.raises(InputError, match="has the format 'duality-workbench/0', not 'duality-workbench/1'"):
        Solution.load(path)
    put(path, {**meta, "description": {}}, arrays)
    with pytest.raises(InputError, match="description: lam is missing; save it anew"):
        Solution.load(path)


def test_a_solution_names_its_problem(tmp_path):
    path, problem = tmp_path / "model.npz", wb.Problem(X, Y, "hinge", lam=0.1)
    wb.solve(problem, tol=1e-2).save(path)
    digest = Solution.load(path).description["digest"]
    assert digest == problem.digest == wb.Problem(X.copy(), Y, "hinge", lam=0.1).digest
    others = [
        wb.Problem(X, -Y, "hinge", lam=0.1),
        wb.Problem(X, Y, "hinge", lam=0.2),
        wb.Problem(X, Y, "squared-hinge", lam=0.1),
        wb.Problem(X, Y, "hinge", "elastic-net:epsilon=0.5", lam=0.1),
        wb.Problem(X, Y, "hinge", lam=0.1, bias="constant"),
        wb.Problem(X, Y, "hinge", lam=0.1, bias=True),
        wb.Problem(X, Y, "hinge", lam=0.1, sample_weight=np.arange(1.0, 13.0)),
        wb.Problem(X, Y, "hinge", lam=0.1, kernel="rbf"),
        wb.Problem(np.nextafter(X, 9.0), Y, "hinge", lam=0.1),
    ]
    assert len({digest, *(other.digest for other in others)}) == 1 + len(others)


@pytest.mark.parametrize("kind", ["weights", "classes", "given"])
def test_a_prediction_that_overflows_is_refused_with_its_row(tmp_path, kind):
    path, ours = tmp_path / "model.npz", solution(kind)
    ours.save(path)
    meta, arrays = parts(path)
    name = "expansion_factors" if kind == "given" else "w"
    put(path, meta, arrays | {name: np.full_like(arrays[name], 1e308)})
    rows = np.zeros((3, ours.n_features))
    rows[1] = 1e9
    with pytest.raises(InputError, match="prediction of row 1 overflows"):
        Solution.load(path).predict(rows)


def test_what_unpacks_to_far_more_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 10**5)
    path, many = tmp_path / "model.npz", 10**6
    solution("weights").save(path)
    meta, arrays = parts(path)
    files.save(path, meta, arrays | {"alpha": RNG.normal(size=many)})
    assert Solution.load(path).alpha.shape == (many,)
    files.save(path, meta, arrays | {"alpha": np.zeros(many)})
    monkeypatch.setattr(np, "load", None)
    with pytest.raises(InputError, match=r"it unpacks to 8,0\d\d,\d\d\d bytes"):
        Solution.load(path)
