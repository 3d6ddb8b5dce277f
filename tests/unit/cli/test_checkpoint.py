"""A solve that is killed goes on from its checkpoint and ends at the same bits, and at no other problem's."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from typer.testing import CliRunner

import workbench as wb
from tests.corpora import table
from tests.helpers.amounts import amount
from workbench.cli import app, checkpoint
from workbench.cli.checkpoint import Checkpoint
from workbench.solvers import run
from workbench.solvers.solution import Solution

RNG = np.random.default_rng(5)
X = RNG.normal(size=(90, 7)) * np.logspace(-0.5, 0.5, 7)
LABELS = np.where(X @ RNG.normal(size=7) + RNG.normal(size=90) > 0.0, 1.0, -1.0)
TARGETS = X @ RNG.normal(size=7) + RNG.normal(size=90)
# A solver, what it solves and the gap; some have estimates, patience or a pace of their own.
CASES = {
    "gauss-seidel": (("hinge", "squared-l2", 1e-3), {}, "gauss-seidel", 1e-8),
    "draws": (("logistic", "squared-l2", 1e-3), {}, "sdca", 1e-7),
    "a step each sample": (("hinge", "p-norm:p=1.5", 1e-2), {}, "primal-gradient", 1e-3),
    "working sets": (("squared", "l1", 0.3), {}, "coordinate-descent", 1e-12),
    "gradients": (("squared", "l1", 0.3), {}, "proximal-gradient", 1e-10),
    "pairs of a kernel": (
        ("hinge", "squared-l2", 1e-4),
        {"kernel": "rbf:gamma=0.1", "bias": True},
        "maximal-violating-pair",
        1e-9,
    ),
    "another's memory": (("logistic", "squared-l2", 1e-5), {}, "lbfgs", 1e-9),
    "multipliers": (("logistic", "squared-l2", 1e-3), {"bias": True}, "augmented-lagrangian", 1e-9),
    "restarts": (("hinge", "l1", 1e-2), {}, "pdhg", 1e-5),
    "no end": (("hinge", "squared-l2", 1e-3), {}, wb.solvers.GaussSeidel("gradient", eta=50.0), 1e-9),
}
# Epochs, of single samples and of all at once; each step is a chance to be killed.
SINGLE, WHOLE = 15, 150


class Killed(BaseException):
    pass


def made(case):
    (loss, regularizer, lam), shape, solver, _ = CASES[case]
    y = TARGETS if loss == "squared" else LABELS
    return wb.Run(wb.Problem(X, y, loss, regularizer, lam, **shape), solver, seed=11)


def ended(ours, case, keep=None):
    """A run at its end; without a stop it is asked nothing within slices."""
    most = WHOLE if ours.epoch_steps == 1 else SINGLE
    for _ in ours.certificates(CASES[case][-1], most, lambda: False, keep):
        pass
    return ours


def results(ours):
    found = Solution.of(ours)
    history = {name: column for name, column in found.columns.items() if name != "seconds"}
    arrays = {
        "alpha": found.alpha,
        "b": found.b,
        "primal": found.primal,
        "dual": found.dual,
        **({} if found.w is None else {"w": found.w}),
        **history,
        **ours.state._asdict(),
    }
    return {name: np.asarray(value).tobytes() for name, value in arrays.items()} | {"status": found.status}


@pytest.mark.parametrize("case", CASES)
def test_a_run_that_is_killed_anywhere_ends_at_the_same_bits(case, tmp_path, monkeypatch):
    # Within slices, too, at each chance.
    monkeypatch.setattr(run, "ATTENTION", 0.0)
    whole = results(ended(made(case), case))
    calls = itertools.count()
    ended(made(case), case, lambda _: next(calls))
    count = next(calls)
    assert count > 1
    path = tmp_path / "run.npz"
    # Killed once, and again after it was taken up.
    for first in sorted({0, count - 1, int(RNG.integers(0, count))}):
        left = first

        def kill(ours):
            nonlocal left
            if left == 0:
                ours.save(path)
                raise Killed
            left -= 1

        ours = made(case)
        for more in (None, 2):
            if more is not None:
                ours, left = made(case), more
                ours.resume(path)
            try:
                ended(ours, case, kill)
            except Killed:
                continue
            break
        ours = made(case)
        ours.resume(path)
        assert results(ended(ours, case)) == whole, first
        again = wb.Run.load(path, ours.problem, solver=ours.solver)
        assert results(ended(again, case)) == whole


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(
        f"{label:g} " + " ".join(f"{j + 1}:{x!r}" for j, x in enumerate(row.tolist())) + "\n"
        for label, row in zip(LABELS, X, strict=True)
    )
    (tmp_path / "good.libsvm").write_text(rows, encoding="ascii")
    np.savetxt("table.csv", np.column_stack([X, LABELS]), "%.17g", ",", header="a,b,c,d,e,f,g,y", comments="")
    return tmp_path


EAGER = (
    "from workbench.cli import checkpoint; checkpoint.MIN_SECONDS = checkpoint.MULTIPLE = 0.0;"
    "from workbench.__main__ import main; main()"
)


def killed(arguments, path, writings):
    """The command, killed once it has written its checkpoint so often; whether it was still under way."""
    process = subprocess.Popen(
        [sys.executable, "-c", EAGER, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    seen = set()
    while process.poll() is None and len(seen) < writings:
        if path.exists():
            try:
                seen.add(path.stat().st_mtime_ns)
            except FileNotFoundError:  # it has ended meanwhile
                break
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


WAYS = {
    "libsvm": ("good.libsvm", "--lam", "1e-4", "--seed", "3"),
    "table": ("table.csv", "--loss", "logistic", "--lam", "auto", "--bias"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_command_under_sigkill_resumes_to_the_same_model(folder, way):
    slow = ("--solver", "gauss-seidel", "--update", "gradient", "--eta", "1e-4", "--tol", "1e-12")
    arguments = ["solve", *WAYS[way], *slow, "--max-epochs", "3000"]
    whole = CliRunner().invoke(app, [*arguments, "--out", "whole.npz", "--json"])
    assert whole.exit_code == 1
    path = folder / "state.ck"
    arguments += ["--checkpoint", "state.ck", "--json"]
    writings = RNG.integers(1, 12, size=amount(1, 2))
    kills = [killed([*arguments, "--out", "never.npz"], path, int(count)) for count in writings]
    assert any(kills)
    assert path.exists()
    assert not (folder / "never.npz").exists()
    taken = CliRunner().invoke(app, [*arguments, "--out", "resumed.npz"])
    assert taken.exit_code == 1, taken.stderr
    with np.load("whole.npz") as one, np.load("resumed.npz") as other:
        assert one.files == other.files
        for name in one.files:
            if name not in ("header", "history_seconds"):
                assert one[name].tobytes() == other[name].tobytes(), name
    first, second = json.loads(whole.stdout), json.loads(taken.stdout)
    for name in first.keys() - {"seconds", "model"}:
        assert first[name] == second[name], name
    # What the model says of itself holds: its certificate is made anew.
    if way == "libsvm":
        data = wb.data.load("good.libsvm")
        problem = wb.Problem(data.X, data.y, "hinge", lam=1e-4)
        found = Solution.load("resumed.npz")
        again = wb.certificate(problem, w=found.w, alpha=found.alpha)
        assert again.gap <= found.gap * (1.0 + 1e-9)


def solve(*arguments):
    return CliRunner().invoke(app, ["solve", "good.libsvm", *map(str, arguments)])


def test_the_file_goes_once_converged_and_stays_else(folder):
    path = folder / "state.ck"
    ended = solve(
        "--lam", 1e-4, "--solver", "gauss-seidel", "--checkpoint", path, "--max-epochs", 2, "--tol", 1e-6
    )
    assert ended.exit_code == 1
    assert ended.stderr.endswith(f"the same command goes on from {path}\n")
    assert path.exists()
    # More epochs are no other problem.
    ended = solve(
        "--lam", 1e-4, "--solver", "gauss-seidel", "--checkpoint", path, "--max-epochs", 1e6, "--tol", 1e-6
    )
    assert ended.exit_code == 0, ended.stderr
    assert f"taken up from {path} at epoch" in ended.stdout
    assert not path.exists()


OTHERS = table("misuse")["checkpoint"]


@pytest.mark.parametrize("case", OTHERS)
def test_a_checkpoint_of_another_problem_is_refused_by_what_differs(folder, case):
    options, words = OTHERS[case]
    usual = ("--lam", "1e-4", "--solver", "gauss-seidel", "--max-epochs", "2", "--tol", "1e-9")
    assert solve(*usual, "--checkpoint", "state.ck").exit_code == 1
    held = (folder / "state.ck").read_bytes()
    refused = solve(*usual, *options, "--checkpoint", "state.ck")
    assert refused.exit_code == 2, refused.output
    assert refused.stderr.startswith("error: --checkpoint: state.ck: ")
    assert words in " ".join(refused.stderr.split())
    assert (folder / "state.ck").read_bytes() == held


def test_other_values_of_the_data_are_told(folder):
    usual = ("--lam", "1e-4", "--solver", "gauss-seidel", "--max-epochs", "2", "--tol", "1e-9")
    solve(*usual, "--checkpoint", "state.ck")
    path = folder / "good.libsvm"
    first, *others = path.read_text().splitlines()
    path.write_text("\n".join([f"{first.split()[0]} 1:0.5 7:1", *others]) + "\n")
    refused = solve(*usual, "--checkpoint", "state.ck")
    assert "in which X holds other values" in refused.stderr


PLACES = {
    "data": ("good.libsvm", "reads or writes; name another"),
    "a model": ("model.npz", "holds a solution"),
    "no archive": ("words.txt", "is not a file that the workbench saved"),
    "a folder": (".", "is a folder"),
    "nowhere": ("none/state.ck", "there is no folder none"),
    "standard output": ("-", "name a file"),
}


@pytest.mark.parametrize("case", PLACES)
def test_a_place_that_is_no_checkpoint_is_refused_and_left_alone(folder, case):
    place, words = PLACES[case]
    solve("--lam", 0.1, "--out", "model.npz")
    (folder / "words.txt").write_text("words\n", encoding="ascii")
    before = {each: each.read_bytes() for each in folder.iterdir()}
    refused = solve("--lam", 0.1, "--checkpoint", place)
    assert refused.exit_code == 2
    assert words in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert {each: each.read_bytes() for each in folder.iterdir()} == before


def test_the_place_of_the_model_is_no_place_for_a_state(folder):
    refused = solve("--checkpoint", "both.npz", "--out", "both.npz")
    assert refused.exit_code == 2
    assert "both.npz" in refused.stderr


def test_writings_cost_a_small_share(tmp_path, monkeypatch):
    clock = iter(np.arange(0.0, 1e6, 0.25).tolist())
    monkeypatch.setattr(checkpoint.time, "monotonic", lambda: next(clock))
    file, ours = Checkpoint(tmp_path / "run.npz"), made("gauss-seidel")
    written = []
    monkeypatch.setattr(ours, "save", written.append)
    for _ in range(400):
        file.keep(ours)
    # Each takes a quarter of a second of that clock, so that the next is due after fifty of them.
    assert 400 // 51 <= len(written) <= 400 // 48
    file.keep(ours, at_once=True)
    assert len(written) <= 400 // 48 + 1
    assert os.listdir(tmp_path) == []
