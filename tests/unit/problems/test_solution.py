"""Solutions: what they hold, what they predict, and their files."""

import dataclasses
import signal
import threading

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import LOSSES, problem, samples
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.solvers.solution import Solution, interruptible

X, LABELS, TARGETS = samples(n=20, d=4, seed=2)


def solved(**options):
    terms = {"loss": "hinge", "regularizer": "entropy:mu=0.3", "bias": "constant", "embed": "balanced"}
    terms |= options
    p = Problem(X, LABELS, lam=0.05, **terms)
    return p, wb.solve(p, tol=1e-6, max_epochs=2000, test=(X, LABELS))


def test_a_solution_is_the_certificate_of_its_run():
    p, solution = solved()
    c = wb.certificate(p, alpha=solution.alpha)
    assert solution.status == "converged"
    assert (solution.primal, solution.dual, solution.gap) == (c.primal, c.dual, c.gap)
    assert solution.relative_gap == c.relative_gap <= 1e-6
    np.testing.assert_array_equal(solution.w_embedded, c.w)
    w, b = p.split(c.w)
    np.testing.assert_array_equal(solution.w, w)
    assert solution.b == b
    assert solution.steps == solution.epochs * 20
    assert solution.history["gap"].iloc[-1] == solution.gap
    assert solution.history["test_score"].iloc[-1] == np.mean(solution.predict(X) == LABELS)


def test_predictions_are_labels_for_a_margin_and_numbers_for_a_residual():
    p, solution = solved()
    z = X @ solution.w + solution.b
    np.testing.assert_allclose(solution.decision_function(X), z, atol=1e-14)
    np.testing.assert_allclose(z, p.rows @ solution.w_embedded, atol=1e-12)
    np.testing.assert_array_equal(solution.predict(X), np.where(z >= 0.0, 1.0, -1.0))
    ridge = wb.solve(Problem(X, TARGETS, "squared", lam=0.05))
    np.testing.assert_array_equal(ridge.predict(X), ridge.decision_function(X))
    assert len(np.unique(ridge.predict(X))) > 2
    # Rows with predictions just beside zero, and zero itself.
    along = np.outer([-1e-9 - solution.b, 1e-9 - solution.b], solution.w) / (solution.w @ solution.w)
    assert solution.predict(along).tolist() == [-1.0, 1.0]
    assert dataclasses.replace(solution, b=0.0).predict(np.zeros((1, 4))).tolist() == [1.0]


@pytest.mark.parametrize("loss", LOSSES)
def test_every_margin_loss_classifies(loss):
    margin = "hinge" in loss or loss == "logistic"
    assert wb.solve(problem(loss, "squared-l2"), max_epochs=1).classifies == margin


@pytest.mark.parametrize("bad", [X[:, :3], np.full((2, 4), np.nan), X[0], "text"])
def test_predictions_refuse_other_features(bad):
    with pytest.raises(InputError, match=r"^X"):
        solved()[1].predict(bad)


def test_a_loaded_solution_equals_the_saved_one(tmp_path):
    _, solution = solved()
    solution.save(tmp_path / "model.npz")
    loaded = Solution.load(tmp_path / "model.npz")
    for field in dataclasses.fields(Solution):
        ours, theirs = getattr(solution, field.name), getattr(loaded, field.name)
        if field.name == "columns":
            assert loaded.history.equals(solution.history)
        elif isinstance(ours, np.ndarray):
            np.testing.assert_array_equal(theirs, ours)
        else:
            assert theirs == ours
    np.testing.assert_array_equal(loaded.predict(X), solution.predict(X))
    assert list(tmp_path.iterdir()) == [tmp_path / "model.npz"]


def test_saving_replaces_a_file_whole_and_leaves_no_part(tmp_path, monkeypatch):
    _, solution = solved()
    path = tmp_path / "model.npz"
    path.write_bytes(b"older")

    def fail(*args, **kwargs):
        raise OSError("no space left")

    monkeypatch.setattr("workbench._support.system.files.np.savez_compressed", fail)
    with pytest.raises(OSError, match="no space left"):
        solution.save(path)
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    solution.save(path)
    assert Solution.load(path).gap == solution.gap


def test_a_folder_that_is_missing_is_named(tmp_path):
    with pytest.raises(InputError, match=r"the folder .*absent does not exist"):
        solved()[1].save(tmp_path / "absent" / "model.npz")


def npz(path, **arrays):
    np.savez(path, **arrays)
    return path.read_bytes()


WRONG_FILES = {
    "empty": lambda path: b"",
    "text": lambda path: b"label,weight\n1,2\n",
    "cut zip": lambda path: b"PK\x03\x04 and no more",
    "no header": lambda path: npz(path, w=np.ones(2)),
    "header a list": lambda path: npz(path, header=np.array("[1, 2]")),
    "header no JSON": lambda path: npz(path, header=np.array("{")),
    "another format": lambda path: npz(path, header=np.array('{"format": "other/1"}')),
    "no arrays": lambda path: npz(path, header=np.array('{"format": "duality-workbench/1"}')),
    "objects": lambda path: npz(path, header=np.array([{"format": 1}], dtype=object)),
}


@pytest.mark.parametrize("content", WRONG_FILES.values(), ids=WRONG_FILES)
def test_a_file_of_another_kind_is_refused(tmp_path, content):
    path = tmp_path / "model.npz"
    path.write_bytes(content(path))
    with pytest.raises(InputError, match=r"model.npz"):
        Solution.load(path)


def test_an_array_file_and_no_file_are_refused(tmp_path):
    np.save(tmp_path / "array.npy", np.ones(3))
    for name, message in (
        ("array.npy", "is not a file that the workbench saved"),
        ("absent", "file not found"),
    ):
        with pytest.raises(InputError, match=message):
            Solution.load(tmp_path / name)
    with pytest.raises(InputError, match="is not a file"):
        Solution.load(tmp_path)


# Ctrl-C


@pytest.fixture
def interrupts():
    """Python's own handler of Ctrl-C, which a job in the background does not start with."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
def test_the_first_interrupt_is_kept_and_the_second_raises():
    before = signal.getsignal(signal.SIGINT)
    with interruptible() as interrupted:
        assert not interrupted.is_set()
        signal.raise_signal(signal.SIGINT)
        assert interrupted.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupted_solve_keeps_what_it_reached(monkeypatch):
    record, calls = wb.Run.record, []

    def interrupting(run):
        calls.append(run.steps)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return record(run)

    monkeypatch.setattr(wb.Run, "record", interrupting)
    solution = wb.solve(problem("logistic", "squared-l2", lam=1e-4), "gauss-seidel", tol=1e-12)
    assert solution.status == "interrupted"
    assert solution.epochs == 2
    assert np.isfinite(solution.gap)


def test_another_thread_solves_without_signals():
    statuses = []
    thread = threading.Thread(target=lambda: statuses.append(wb.solve(problem("hinge", "squared-l2")).status))
    thread.start()
    thread.join()
    assert statuses == ["converged"]


@pytest.mark.parametrize(
    ("loss", "regularizer", "shape"),
    [
        ("hinge", "squared-l2", {"bias": "constant"}),
        ("huber:delta=0.5", wb.regularizers.SquaredL2(K=(1.0, 2.0, 0.5)), {"bias": True}),
        ("squared", wb.norms.GroupL1L2([[0, 1], [2]], weights=[1.0, 2.0]), {}),
        ("logistic", "squared-l2", {"kernel": "rbf:gamma=0.5"}),
        ("logistic", wb.regularizers.Entropy(mu=0.3), {"embed": "balanced"}),
    ],
)
def test_the_problem_of_a_saved_solution_is_the_one_it_solved(tmp_path, loss, regularizer, shape):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=30) > 0.0, 1.0, -1.0)
    problem = wb.Problem(X, y, loss, regularizer, 0.1, **shape)
    wb.solve(problem, tol=1e-3, max_epochs=200).save(tmp_path / "solution.npz")
    assert wb.Solution.load(tmp_path / "solution.npz").problem(X, y).digest == problem.digest


def test_a_problem_that_a_solution_does_not_keep_is_refused():
    X, y = np.eye(4), np.array([1.0, -1.0, 1.0, -1.0])
    own = wb.losses.custom("max(0, 1 - u)**3 / 3", kind="margin")
    weighted = wb.Problem(X, y, lam=0.1, sample_weight=[1.0, 2.0, 1.0, 1.0])
    constrained = wb.Problem(X, y, lam=0.1, constraints=(np.ones((1, 4)), [0.0]))
    for problem_of, message in (
        (weighted, "the problem had sample weights, which are not kept"),
        (constrained, "the problem had constraints, which are not kept"),
        (wb.Problem(X, y, own, lam=0.1), "loss: Custom.* is not built in"),
    ):
        with pytest.raises(wb.InputError, match=message):
            wb.solve(problem_of, max_epochs=10).problem(X, y)
