"""Commands write nothing over a file unasked, pipe a model, and report refusals in --json."""

import json

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from tests.corpora import table
from tests.helpers.commands import invoke
from workbench.cli import solve
from workbench.solvers import REGISTRY
from workbench.solvers.solution import Solution, reach

pytestmark = pytest.mark.usefixtures("one_worker")
RNG = np.random.default_rng(2)
X = RNG.normal(size=(60, 3)) * [1.0, 5.0, 0.1] + [0.0, 20.0, 0.0]
SCORE = X @ [1.0, 0.3, 5.0] - 6.0 + 0.5 * RNG.normal(size=60)
TABLE = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=np.where(SCORE > 0.0, "yes", "no"))
LIBSVM = "".join(
    f"{1 if label == 'yes' else -1} {' '.join(f'{j + 1}:{x!r}' for j, x in enumerate(row))}\n"
    for label, row in zip(TABLE["y"], X.tolist(), strict=True)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("t.csv", index=False)
    (tmp_path / "t.libsvm").write_text(LIBSVM, encoding="ascii")
    return tmp_path


def refused(result, *words):
    """Exit code 2 and one sentence with these words."""
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr


WRITES = table("misuse")["writes"]


@pytest.mark.parametrize("case", WRITES)
def test_files_are_overwritten_only_on_request(folder, case):
    arguments = WRITES[case]
    if arguments[0] == "predict":
        assert invoke("solve", "t.csv", "--lam", "0.1", "--out", "model.npz").exit_code == 0
    place = folder / ("there" if "there" in arguments else "t.model.npz")
    place.write_bytes(b"mine")
    result = invoke(*arguments)
    refused(result, place.name, "already exists", "--force")
    assert place.read_bytes() == b"mine"
    # Through a link, too.
    link = folder / "link"
    link.symlink_to(place)
    if "there" in arguments:
        refused(
            invoke(*(str(link) if argument == "there" else argument for argument in arguments)),
            "link already exists",
        )
    assert place.read_bytes() == b"mine"
    done = invoke(*arguments, "--force")
    assert done.exit_code == 0, done.output
    assert place.read_bytes() != b"mine"


READS = {
    "the data": ("solve", "t.csv", "--lam", "0.1", "--out", "t.csv"),
    "by another name": ("solve", "t.csv", "--lam", "0.1", "--out", "./t.csv"),
    "for the report": ("solve", "t.csv", "--lam", "0.1", "--report", "t.csv"),
    "the model": ("predict", "model.npz", "t.csv", "--out", "model.npz"),
    "the rows": ("predict", "model.npz", "t.csv", "--out", "t.csv"),
}


@pytest.mark.parametrize("case", READS)
def test_input_files_are_never_overwritten(folder, case):
    assert invoke("solve", "t.csv", "--lam", "0.1", "--out", "model.npz").exit_code == 0
    before = {path: path.read_bytes() for path in folder.iterdir()}
    refused(invoke(*READS[case], "--force"), "this command reads")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("source", ["t.csv", "t.libsvm", "breast-cancer"])
def test_a_model_goes_to_standard_output_and_messages_beside_it(folder, source):
    arguments = ("solve", source, "--lam", "0.1", "--loss", "logistic")
    result = invoke(*arguments, "--out", "-")
    assert result.exit_code == 0
    (folder / "piped.npz").write_bytes(result.stdout_bytes)
    assert "saved to standard output" in result.stderr
    assert "\nlambda          0.1\n" in result.stderr
    assert invoke(*arguments, "--out", "named.npz").exit_code == 0
    one, other = Solution.load("piped.npz"), Solution.load("named.npz")
    np.testing.assert_array_equal(one.w, other.w)
    # A refusal writes no byte of a model, nor does one with --json, whose object has that place.
    assert invoke(*arguments, "--solver", "magic", "--out", "-").stdout_bytes == b""
    both = invoke(*arguments, "--out", "-", "--json")
    refused(both, "--out - and --json both write to standard output")
    assert "both write" in json.loads(both.stdout)["error"]


def test_an_unconverged_model_goes_to_standard_output_as_well(folder):
    result = invoke(
        "solve", "t.libsvm", "--max-epochs", 1, "--tol", 1e-12, "--solver", "gauss-seidel", "--out", "-"
    )
    assert result.exit_code == 1
    (folder / "piped.npz").write_bytes(result.stdout_bytes)
    assert Solution.load("piped.npz").status == "max_epochs"
    assert "not converged" in result.stderr


def test_predictions_to_standard_output_by_name(folder):
    invoke("solve", "t.csv", "--lam", "0.1", "--out", "model.npz")
    named, plain = (
        invoke("predict", "model.npz", "t.csv", "--out", "-"),
        invoke("predict", "model.npz", "t.csv"),
    )
    assert named.stdout == plain.stdout != ""
    assert not (folder / "-").exists()


# Refusals as data

MISUSE = table("misuse")["places"]


@pytest.mark.parametrize("arguments", MISUSE, ids=" ".join)
def test_a_refusal_is_one_object(folder, arguments):
    result = invoke(*arguments, "--json")
    assert result.exit_code == 2
    assert result.stdout.count("\n") == 1
    refusal = json.loads(result.stdout)
    assert list(refusal) == ["error"]
    assert refusal["error"] in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert "error" not in invoke(*arguments).stdout


# Solvers


def test_auto_by_its_name_is_the_default_and_the_choice_is_shown(folder):
    shown = [invoke("solve", "t.libsvm", "--lam", "0.1", *options) for options in ((), ("--solver", "auto"))]
    lines = [[line for line in word.stdout.splitlines() if not line.startswith("seconds")] for word in shown]
    assert lines[0] == lines[1]
    (solver,) = (line for line in lines[0] if line.startswith("solver "))
    data = wb.data.load("t.libsvm")
    run = wb.Run(wb.Problem(data.X, data.y, "hinge", lam=0.1), "auto")
    assert solver.split(maxsplit=1)[1] == f"{run.solver.name}: {run.why}"
    # Where a path of lambdas chose it, too.
    answer = json.loads(invoke("solve", "t.csv", "--json").stdout)
    assert answer["name"] in REGISTRY
    assert answer["why"]
    with pytest.raises(wb.InputError, match="'auto' chooses by the problem; name one of"):
        wb.solvers.get("auto")
    with pytest.raises(wb.InputError, match="did you mean 'auto'"):
        wb.solvers.get("aut")


STEPS = {
    "no parameter": (("--solver", "newton", "--update", "newton"), "--update is not a parameter of newton"),
    "of another": (("--solver", "pdhg", "--order", "cyclic"), "--order is not a parameter of pdhg"),
    "of auto": (("--solver", "auto", "--scale", "0.5"), "--scale needs a named solver"),
    "together": (("--update", "newton", "--shrinking"), "shrinking does not go with"),
    "unknown": (("--solver", "auto:fast=1"), "is not known"),
}


@pytest.mark.parametrize("case", STEPS)
def test_an_option_that_the_solver_lacks_is_refused(folder, case):
    options, words = STEPS[case]
    refused(invoke("solve", "t.libsvm", *options), words)


def test_options_of_steps_reach_the_solver():
    made = solve._solver(None, {"update": "newton", "eta": 0.5, "shrinking": None})
    assert made == wb.solvers.GaussSeidel("newton", eta=0.5)
    assert solve._solver("maximal-violating-pair", {"shrinking": False}).shrinking is False
    assert solve._solver("gauss-seidel", {"scale": 0.5}) == wb.solvers.GaussSeidel(scale=0.5, shrinking=True)


def test_the_table_says_what_was_minimized(folder):
    lines = invoke("solve", "t.csv", "--lam", "0.05", "--test-size", "0.3").stdout.splitlines()
    plain = [line for line in lines if not line.startswith(("dual", "relative", "rests"))]
    named = dict(line.split(maxsplit=1) for line in plain)
    assert (named["loss"], named["regularizer"], named["lambda"]) == ("logistic", "squared-l2", "0.05")
    assert named["intercept"] == "not penalized"
    # How good it is comes before how optimal.
    assert [line.split()[0] for line in lines[1:3]] == ["score", "certified"]
    assert named["score"].startswith("accuracy ")
    assert "the logistic loss, the regularizer squared-l2" in named["certified"]
    assert named["certified"].endswith("that rests on a proof")
    kernel = invoke("solve", "t.libsvm", "--lam", "0.1", "--kernel", "rbf:gamma=0.5").stdout
    assert "\nkernel          RBF(gamma=0.5)\n" in kernel
    assert "no model of this kernel with the hinge loss" in kernel


# Warm starts


def model(*options, source="t.csv", out="start.npz"):
    solved = invoke("solve", source, *options, "--out", out, "--force")
    assert solved.exit_code == 0, solved.output
    return out


def test_a_warm_start_begins_where_the_model_ended(folder):
    for options in (
        ("--lam", 0.01),
        ("--lam", 0.01, "--loss", "hinge", "--penalize-intercept", "--solver", "gauss-seidel"),
    ):
        model(*options, "--tol", 1e-5)
        again = json.loads(
            invoke(
                "solve",
                "t.csv",
                *options,
                "--tol",
                3e-5,
                "--warm-start",
                "start.npz",
                "--out",
                "again.npz",
                "--force",
                "--json",
            ).stdout
        )
        assert (again["epochs"], again["status"]) == (0.0, "converged")
    # Another lambda, regularizer, bias or sample: what it ends at is its own optimum.
    model("--lam", 0.01)
    TABLE.iloc[:41].to_csv("fewer.csv", index=False)
    for source, *options in (
        ("t.csv", "--lam", 0.01, "--regularizer", "elastic-net:epsilon=0.5", "--penalize-intercept"),
        ("fewer.csv", "--lam", 0.02, "--no-standardize", "--missing", "mean"),
        ("t.csv", "--regularizer", "l1", "--lam", "0.05"),
        ("t.csv",),
    ):
        cold, warm = (
            json.loads(
                invoke("solve", source, *options, *more, "--json", "--out", "it.npz", "--force").stdout
            )
            for more in ((), ("--warm-start", "start.npz"))
        )
        assert warm["status"] == "converged"
        assert warm["dual"] <= cold["primal"] * (1.0 + 1e-12)
        assert cold["dual"] <= warm["primal"] * (1.0 + 1e-12)


def test_weights_are_taken_in_the_scales_of_the_new_rows(folder):
    """From fewer rows, whose scales are others: the start predicts as the model did."""
    TABLE.iloc[:40].to_csv("fewer.csv", index=False)
    start = wb.Model.load(model("--lam", 0.01, source="fewer.csv"))
    again = wb.fit("t.csv", lam=0.01, warm_start=start, max_epochs=1e-9, solving=reach)
    predicted = again.predict("t.csv")["score"].to_numpy()
    np.testing.assert_allclose(predicted, start.predict("t.csv")["score"].to_numpy(), rtol=1e-9)


STARTS = table("misuse")["starts"]


@pytest.mark.parametrize("case", STARTS)
def test_a_warm_start_of_another_shape_is_refused(folder, case):
    options, words = STARTS[case]
    if "start.npz" in options:
        model("--lam", 0.1)
    if "other.npz" in options:
        TABLE.replace({"y": {"yes": "ja"}}).to_csv("other.csv", index=False)
        model("--lam", 0.1, source="other.csv", out="other.npz")
    if "renamed.npz" in options:
        TABLE.rename(columns={"c": "other"}).to_csv("renamed.csv", index=False)
        model("--lam", 0.1, source="renamed.csv", out="renamed.npz")
    refused(invoke("solve", "t.csv", "--lam", 0.1, *options, "--out", "new.npz"), words)
    assert not (folder / "new.npz").exists()


# Weights in one file


def test_coefficients_of_one_archive_are_certified(folder):
    problem = wb.Problem(X, np.where(TABLE["y"] == "yes", 1.0, -1.0), "logistic", lam=0.01, bias=True)
    solution = wb.solve(problem, tol=1e-9)
    usual = ("certify", "t.csv", "--positive", "yes", "--loss", "logistic", "--lam", 0.01, "--json")
    arrays = {"coef": solution.w[None, :], "intercept": np.array([solution.b])}
    for more in ({}, {"alpha": solution.alpha}):
        np.savez("model.npz", **arrays, **more)
        shown = json.loads(invoke(*usual, "--coef", "model.npz").stdout)
        expected = wb.certificate(problem, w=solution.w, b=solution.b, **more)
        assert shown["primal"] == pytest.approx(expected.primal, rel=1e-12)
        assert shown["gap"] == pytest.approx(expected.gap, rel=1e-3, abs=1e-13)
        assert shown["bias"] is True
    np.savez_compressed("packed", coef=solution.w, intercept=solution.b)
    assert json.loads(invoke(*usual, "--coef", "packed.npz").stdout)["b"] == pytest.approx(solution.b)
    text = invoke(*usual[:-1], "--coef", "packed.npz").stdout
    for line in (
        "loss            logistic",
        "regularizer     squared-l2",
        "lambda          0.01",
        "rests on",
    ):
        assert f"\n{line}" in text


ARCHIVES = {
    "no coef": (
        {"coef_": np.ones(3)},
        (),
        ("lacks the array 'coef', it holds coef_", "np.savez(FILE, coef="),
    ),
    "nothing": ({}, (), ("lacks the array 'coef', it holds nothing",)),
    "too wide": ({"coef": np.ones(4)}, (), ("coef has shape (4,) where (3,) is needed",)),
    "too many": (
        {"coef": np.ones(3), "intercept": np.ones(2)},
        (),
        ("intercept has shape (2,) where one number",),
    ),
    "text": ({"coef": np.array(["a", "b", "c"])}, (), ("coef holds <U1 and no numbers",)),
    "complex": ({"coef": np.ones(3) * 1j}, (), ("coef holds complex128 and no numbers",)),
    "objects": (
        {"coef": np.array([None, 1, 2])},
        (),
        ("holds no arrays that can be read (it holds Python objects)",),
    ),
    "nan": ({"coef": np.array([1.0, np.nan, 0.0])}, (), ("w[1] is nan",)),
    "twice": (
        {"coef": np.ones(3), "intercept": 1.0},
        ("--intercept", "2"),
        ("--intercept is given", "leave one out"),
    ),
    "alpha": ({"coef": np.ones(3), "alpha": np.ones(7)}, (), ("alpha has shape (7,) where (60,) is needed",)),
}


@pytest.mark.parametrize("case", ARCHIVES)
def test_an_archive_that_does_not_fit_is_refused_with_the_fault(folder, case):
    arrays, options, words = ARCHIVES[case]
    np.savez("some.npz", **arrays)
    refused(invoke("certify", "t.csv", "--positive", "yes", "--coef", "some.npz", *options), *words)


def test_a_model_passed_as_coefficients_is_recognized(folder):
    model("--lam", 0.1, out="own")
    refused(invoke("certify", "t.csv", "--coef", "own"), "use --model own")
    # By what it holds, whatever it is called.
    assert invoke("certify", "t.csv", "--model", "own", "--tol", "1e-3").exit_code == 0
    (folder / "cut.npz").write_bytes((folder / "own").read_bytes()[:300])
    refused(invoke("certify", "t.csv", "--coef", "cut.npz"), "no arrays that can be read")
    refused(invoke("certify", "t.csv", "--coef", "none.npz"), "file not found")
