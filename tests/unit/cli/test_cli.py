"""The command line: what it prints where, its exit codes, and that misuse ends in one sentence."""

import dataclasses
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.corpora import table
from tests.helpers.commands import invoke
from workbench import data
from workbench.cli import report
from workbench.solvers.solution import Solution

COMMAND = [sys.executable, "-m", "workbench"]
# Seconds for a start with an empty kernel cache on a busy machine.
PATIENCE = 900
HEAVY = {"numpy", "numba", "panel", "scipy", "pandas", "sklearn", "bokeh", "rich", "sympy"}
SEPARABLE = "".join(
    f"{label} 1:{label * (1 + i % 3) / 2} 2:{i / 10}\n" for i in range(10) for label in (1, -1)
)
SOLVE = ("solve", "good.libsvm")
# The rule creeps, so the run lasts until somebody ends it.
ENDLESS = ("--loss", "logistic", "--update", "gradient", "--eta", "1e-9", "--tol", "0", "--max-epochs", "1e9")


def run(*arguments, **options):
    """The command in a process of its own."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, **options
    )


def one_sentence(text):
    return text.startswith("error: ") and text.count("\n") == 1 and text.endswith("\n")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with small files, good and bad."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "good.libsvm": SEPARABLE,
        "empty.libsvm": "",
        "broken.libsvm": "1 1:0.5\n-1 1:1 2;3\n",
        "nan.libsvm": "1 1:0.5\n-1 1:nan\n",
        "zero-one.libsvm": SEPARABLE.replace("-1 1:", "0 1:"),
        "three.libsvm": "1 1:1\n2 1:2\n3 1:3\n",
        "nan.csv": "a,b,y\n1,2,1\n3,nan,-1\n2,5,1\n",
        "wide.libsvm": "1 1:0.5 3:1\n",
        "narrow.libsvm": "1 1:0.5\n-1 1:-0.5\n",
        "wide.csv": "1,2,3,1\n",
        "no-model.npz": "words\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def model(folder):
    result = invoke("solve", "good.libsvm", "--tol", "1e-3", "--out", "model.npz")
    assert result.exit_code == 0, result.stderr
    return folder / "model.npz"


# solve


def test_solve_prints_summary_and_table(folder):
    result = invoke("solve", "good.libsvm", "--tol", "1e-3", "--test-size", "0.2", "--out", "model.npz")
    assert result.exit_code == 0
    assert result.stderr == ""  # no terminal, so no bar
    assert result.stdout.startswith("score           accuracy ")
    assert "\ngood.libsvm: n = 16, d = 2, " in result.stdout
    assert "\nstatus          converged\n" in result.stdout
    for name in ("primal", "dual bound", "gap", "relative gap", "non-zeros", "support", "certified"):
        assert f"\n{name} " in result.stdout
    assert Solution.load("model.npz").relative_gap <= 1e-3


def test_json_is_exactly_one_object(folder):
    result = invoke(*SOLVE, "--tol", "1e-3", "--regularizer", "elastic-net:epsilon=0.01", "--json")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    answer = json.loads(result.stdout)
    assert answer["status"] == "converged"
    assert answer["relative_gap"] <= 1e-3
    assert answer["dual"] <= answer["primal"]
    assert answer["regularizer"] == "elastic-net:epsilon=0.01"
    assert answer["data"] == {"name": "good.libsvm", "n": 20, "d": 2, "nonzeros": 38}
    assert answer["score"] is None
    assert answer["model"] is None


def test_lambda_is_chosen_for_a_data_set_by_name(folder):
    result = invoke("solve", "breast-cancer", "--lam", "auto", "--tol", "1e-3")
    assert result.exit_code == 0
    assert "by 5-fold cross-validation: the least held-out loss" in result.stdout
    chosen = float(re.search(r"^lambda +(\S+)", result.stdout, re.MULTILINE)[1])
    assert 1e-4 < chosen < 0.1


def test_json_has_null_for_numbers_that_are_not_finite(model):
    from workbench.problems import Problem
    from workbench.solvers.run import Run

    dataset = data.load("good.libsvm")
    solution = dataclasses.replace(Solution.load(model), gap=np.inf, dual=-np.inf, primal=np.nan)
    text = report.as_json(dataset, Run(Problem(dataset.X, dataset.y)), solution, None, 1e-3, None)
    answer = json.loads(text, parse_constant=pytest.fail)
    assert answer["gap"] is answer["dual"] is answer["primal"] is None


def test_not_converged_is_exit_code_one_and_a_sentence(folder):
    result = invoke(*SOLVE, "--max-epochs", "1", "--tol", "1e-9", "--json", "--out", "model.npz")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["status"] == "max_epochs"
    assert result.stderr.startswith("not converged: stopped (max_epochs) at epoch 1 ")
    assert "; try --max-epochs 10" in result.stderr
    assert result.stderr.endswith("; saved to model.npz\n")
    assert Solution.load("model.npz").status == "max_epochs"


def test_every_option_reaches_the_problem(folder):
    result = invoke(
        "solve",
        "zero-one.libsvm",
        "--positive",
        "1",
        "--loss",
        "hinge:p=2",
        "--regularizer",
        "entropy:mu=0.5",
        "--lam",
        "0.01",
        "--tol",
        "1e-3",
        "--update",
        "newton",
        "--order",
        "cyclic",
        "--scale",
        "0.9",
        "--eta",
        "0.5",
        "--seed",
        "7",
        "--penalize-intercept",
        "--balanced",
        "--json",
    )
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    solver = "GaussSeidel(update='newton', order='cyclic', scale=0.9, eta=0.5)"
    expected = {
        "loss": "hinge:p=2",
        "regularizer": "entropy:mu=0.5",
        "lam": 0.01,
        "seed": 7,
        "bias": "constant",
        "embed": "balanced",
        "solver": solver,
    }
    assert {name: answer[name] for name in expected} == expected


def test_regression_needs_no_labels(folder):
    result = invoke("solve", "three.libsvm", "--loss", "squared", "--tol", "1e-3", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["loss"] == "squared"


def test_a_terminal_sees_a_bar_and_ctrl_c_keeps_what_was_reached(folder):
    """SIGINT once the bar moves: exit code 130, a sentence, and a model that loads."""
    ours, theirs = pty.openpty()
    command = [*COMMAND, *SOLVE, *ENDLESS, "--out", "model.npz"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment)
    os.close(theirs)
    shown = read_until(ours, "relative gap")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=PATIENCE)
    shown += read_until(ours, None)
    assert process.returncode == 130, shown
    assert "non-zeros" in shown
    assert "interrupted at epoch" in shown
    assert "saved to model.npz" in shown
    assert "Traceback" not in shown
    assert "status          interrupted" in stdout
    assert Solution.load("model.npz").status == "interrupted"


def read_until(terminal, text):
    """Return what a terminal shows up to a text, or to its end."""
    shown = ""
    while text is None or text not in shown:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece.decode("utf-8", "replace")
    return shown


# predict


def test_predict_round_trip(model, folder):
    result = invoke("predict", "model.npz", "good.libsvm")
    assert result.exit_code == 0
    assert result.stderr == ""
    printed = np.array(result.stdout.split(), dtype=float)
    dataset = data.load("good.libsvm")
    np.testing.assert_array_equal(printed, Solution.load(model).predict(dataset.X))
    np.testing.assert_array_equal(printed, dataset.y)
    assert invoke("predict", model, "good.libsvm", "--out", "out.txt").stdout == ""
    assert (folder / "out.txt").read_text(encoding="ascii") == result.stdout


@pytest.mark.parametrize("solver", ["gauss-seidel", "maximal-violating-pair"])
def test_a_kernel_machine_is_solved_saved_and_predicts(folder, solver):
    bias = ["--fit-intercept"] if solver == "maximal-violating-pair" else []
    chosen = ("--solver", solver, "--kernel", "rbf:gamma=0.5", *bias, "--lam", "0.01")
    result = invoke("solve", "good.libsvm", *chosen, "--out", "kernel.npz", "--json")
    assert result.exit_code == 0, result.stderr
    printed = json.loads(result.stdout)
    assert (printed["status"], printed["nonzeros"]) == ("converged", None)
    assert printed["kernel"] == "RBF(gamma=0.5)"
    assert "\nnon-zeros" not in invoke("solve", "good.libsvm", *chosen).stdout
    labels = invoke("predict", "kernel.npz", "good.libsvm").stdout.split()
    np.testing.assert_array_equal(np.array(labels, dtype=float), data.load("good.libsvm").y)


def test_predict_pads_libsvm(model):
    result = invoke("predict", model, "narrow.libsvm")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.split() == ["1", "-1"]


def test_predict_on_a_table_with_text_labels(folder):
    rows = "".join(f"{i - 4.5},{i % 3},{'spam' if i > 4 else 'ham'}\n" for i in range(10))
    (folder / "mail.csv").write_text("size,links,kind\n" + rows, encoding="utf-8")
    options = ("--target", "kind", "--positive", "spam")
    solved = invoke("solve", "mail.csv", *options, "--penalize-intercept", "--tol", "1e-3", "--out", "m.npz")
    assert solved.exit_code == 0, solved.stderr
    result = invoke("predict", "m.npz", "mail.csv", *options)
    predictions = pd.read_csv(io.StringIO(result.stdout), index_col="index")
    assert predictions["label"].tolist() == ["ham"] * 5 + ["spam"] * 5
    assert predictions.index.tolist() == list(range(10))
    assert ((predictions["probability"] > 0.5) == (predictions["label"] == "spam")).all()


# data


def test_data_list_names_every_data_set():
    result = invoke("data", "list")
    assert result.exit_code == 0
    for entry in data.available():
        assert entry.name in result.stdout
        assert entry.description in result.stdout


def test_data_path(monkeypatch, tmp_path):
    (tmp_path / "a9a.txt").write_text("", encoding="utf-8")
    (tmp_path / "a9a").write_text(SEPARABLE, encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path))
    result = invoke("data", "path", "a9a")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'a9a'}\n")
    assert "is not here" in invoke("data", "path", "w8a").stderr
    assert "is bundled" in invoke("data", "path", "digits").stderr


# Misuse

MISUSE = table("misuse")["solve"]


@pytest.mark.parametrize(
    ("arguments", "fragment"), MISUSE, ids=[" ".join(arguments) for arguments, _ in MISUSE]
)
def test_misuse_is_one_sentence_and_exit_code_two(model, folder, arguments, fragment):
    np.save("array.npy", np.ones(3))
    result = invoke(*arguments)
    assert result.exit_code == 2, result.output
    assert fragment in result.stderr
    assert one_sentence(result.stderr)


def test_misuse_in_a_process():
    result = run("derive", "u", "--timeout", "0", "--json")
    assert result.returncode == 2
    assert one_sentence(result.stderr)
    assert json.loads(result.stdout) == {"error": result.stderr.removeprefix("error: ").strip()}


def test_a_full_disk_is_a_sentence(model):
    result = invoke("predict", model, "good.libsvm", "--out", "/dev/full")
    assert result.exit_code == 2
    assert one_sentence(result.stderr)
    # A refusal in JSON finds no place either.
    with Path("/dev/full").open("w") as full:
        command = [*COMMAND, "derive", "u", "--timeout", "0", "--json"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert all(line.startswith("error: ") for line in result.stderr.splitlines())


@pytest.mark.parametrize("arguments", [("solve",), ("nothing",), (*SOLVE, "--no"), (*SOLVE, "--lam", "x")])
def test_usage_errors_are_plain_text(arguments):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr
    assert "Error: " in result.stderr
    assert "╭" not in result.stderr


def test_an_internal_error_is_a_sentence_unless_debugging(monkeypatch):
    def fail():
        raise RuntimeError("two\nlines")

    monkeypatch.delenv("WORKBENCH_DEBUG", raising=False)
    monkeypatch.setattr(data, "available", fail)
    result = invoke("data", "list")
    assert result.exit_code == 1
    assert result.stderr == "internal error: RuntimeError: two lines; set WORKBENCH_DEBUG=1 to see where\n"
    monkeypatch.setenv("WORKBENCH_DEBUG", "1")
    assert isinstance(invoke("data", "list").exception, RuntimeError)


# Start-up


HELP = """
import sys
from workbench.cli import main
for command in ("--version", "--help", *(f"{name} --help" for name in "solve serve derive verify".split())):
    sys.argv = ["workbench", *command.split()]
    try:
        main()
    except SystemExit as end:
        print("loaded", end.code, sorted(set(sys.modules) & HEAVY))
"""


def test_help_imports_nothing_heavy():
    code = f"HEAVY = {HEAVY}{HELP}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    loaded = [line for line in done.stdout.splitlines() if line.startswith("loaded")]
    assert loaded == ["loaded 0 []"] * 6, done


def test_version():
    import workbench

    assert invoke("--version").stdout == f"{workbench.__version__}\n"


def test_certify_reads_words_and_empty_cells_as_solve_does(folder):
    (folder / "people.csv").write_text("colour,size,y\nred,1,1\nblue,,-1\nred,3,1\n")
    np.save(folder / "zeros.npy", np.zeros(3))
    refused = invoke("certify", "people.csv", "--coef", "zeros.npy")
    assert refused.exit_code == 2
    assert "empty cells in size (1); go on with --missing mean" in refused.stderr
    certified = invoke("certify", "people.csv", "--coef", "zeros.npy", "--missing", "mean", "--json")
    assert json.loads(certified.stdout)["data"]["d"] == 3
    certified = invoke("certify", "people.csv", "--alpha", "zeros.npy", "--leave-out", "size", "--json")
    assert json.loads(certified.stdout)["data"]["d"] == 2
