"""Problems in parts: the same optimum and certificate as in one process, whatever dies on the way."""

import itertools
import json
import os
import signal

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client, LocalCluster
from sklearn.datasets import dump_svmlight_file

import workbench as wb
from benchmarks.parts import simulated
from tests.helpers.commands import invoke
from workbench._support.errors import InputError
from workbench.studies import cluster
from workbench.studies.distributed import newton, rounds, solving
from workbench.studies.distributed.parts import CONVERTED, Part, prepared
from workbench.studies.distributed.problem import Source, framed

ROWS, COLUMNS = 240, 12
# Certificates of one point, its samples summed in another order.
ROUNDING = 1e-12


@pytest.fixture(scope="module")
def data():
    """240 sparse rows, the last column among the first rows alone."""
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(ROWS, COLUMNS)), 6) * (rng.random((ROWS, COLUMNS)) < 0.5)
    X[:60, -1], X[60:, -1] = 1.0, 0.0
    y = np.sign(X @ rng.normal(size=COLUMNS) + 0.3 * rng.normal(size=ROWS))
    return X, y


@pytest.fixture(scope="module")
def threads():
    """A client of two workers in this process."""
    with (
        LocalCluster(
            processes=False,
            n_workers=2,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            protocol="tcp",
            host="127.0.0.1",
        ) as local,
        Client(local) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def processes():
    """A client of two worker processes, which come again where they are killed."""
    with cluster.connected(None, 2, 2, solving.SETTINGS, memory_limit=0) as client:
        yield client


def write(folder, data, form="libsvm", cuts=(0, 60, 120, 180, 240)):
    """The rows as files; returns a pattern of them."""
    X, y = data
    names = [f"x{j}" for j in range(X.shape[1])]
    for k, (first, last) in enumerate(itertools.pairwise(cuts)):
        path, part, labels = folder / f"part{k:02d}.{form}", X[first:last], y[first:last]
        frame = pd.DataFrame(part, columns=names).assign(y=labels)
        if form == "libsvm":
            dump_svmlight_file(part, labels, str(path), zero_based=False)
        elif form == "csv":
            frame.to_csv(path, index=False)
        elif form == "parquet":
            frame.to_parquet(path)
        else:
            np.savez(path, X=part, y=labels)
    return str(folder / f"part*.{form}")


@pytest.mark.parametrize(
    ("loss", "regularizer", "bias"),
    [
        ("hinge", "squared-l2", "constant"),
        ("logistic", "elastic-net:epsilon=0.2", False),
        ("huber", "elastic-net:epsilon=0.1", "constant"),
        ("smoothed-hinge", "squared-l2", False),
    ],
)
@pytest.mark.parametrize("method", solving.METHODS)
def test_parts_reach_the_optimum_of_one_process(data, threads, loss, regularizer, bias, method):
    problem = wb.Problem(*data, loss, regularizer, 0.1, bias)
    best = wb.solve(problem, tol=1e-9)
    for count in (1, 5):
        solution = wb.solve(wb.DistributedProblem((problem, count)), client=threads, tol=1e-3, method=method)
        assert solution.status == "converged"
        assert solution.relative_gap <= 1e-3
        assert best.dual <= solution.primal <= best.primal + solution.gap * (1.0 + 1e-9) + 1e-12
        same = wb.certificate(problem, w=solution.w, b=solution.b, alpha=solution.alpha)
        for name in ("primal", "dual", "gap"):
            assert abs(getattr(same, name) - getattr(solution, name)) <= ROUNDING * best.primal
        lower, upper = solution.interval
        assert lower <= best.primal
        assert solution.primal <= upper
        assert upper - lower <= solution.gap + 1e-10


@pytest.mark.parametrize("method", solving.METHODS)
def test_one_cut_gives_the_same_bits_and_any_cut_the_same_certificate(data, threads, method):
    problem = wb.Problem(*data, "hinge", "squared-l2", 0.1)
    parts = wb.DistributedProblem((problem, 4))
    first, again = (wb.solve(parts, client=threads, tol=1e-2, method=method) for _ in range(2))
    assert first.w.tobytes() == again.w.tobytes()
    assert first.alpha.tobytes() == again.alpha.tobytes()
    assert (first.primal, first.dual, first.gap, first.interval) == (
        again.primal,
        again.dual,
        again.gap,
        again.interval,
    )
    frame = framed(COLUMNS, problem.loss, problem.regularizer, problem.lam, False)
    for count in (1, 7, 60):
        ends = [ROWS * k // count for k in range(count + 1)]
        certificates = []
        for a, b in itertools.pairwise(ends):
            part = Part(
                f"rows {a} to {b}", wb.Problem(data[0][a:b], data[1][a:b], "hinge", "squared-l2", 1.0)
            )
            certificates.append(rounds.judge((part,), first.alpha[a:b], first.w))
        point = solving.assembled(frame, ROWS, certificates, first.w)
        for name in ("primal", "dual", "gap"):
            assert abs(getattr(point, name) - getattr(first, name)) <= ROUNDING * first.primal


def test_files_of_every_format_are_the_same_problem(data, threads, tmp_path):
    problem = wb.Problem(*data, "squared-hinge", "squared-l2", 0.1, "constant")
    best = wb.solve(problem, tol=1e-9)
    for form in ("libsvm", "csv", "parquet", "npz"):
        (tmp_path / form).mkdir()
        pattern = write(tmp_path / form, data, form)
        parts = wb.DistributedProblem(pattern, "squared-hinge", "squared-l2", 0.1, "constant")
        solution = wb.solve(parts, client=threads, tol=1e-2)
        assert abs(solution.primal - best.primal) <= solution.gap + 1e-12, form
        descriptions = solution.description["parts"]
        assert [part["rows"] for part in descriptions] == [60] * 4
        assert str(tmp_path / form / "part00") in descriptions[0]["name"]


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(data, threads, tmp_path):
    (tmp_path / CONVERTED).write_text("a file where the folder should be")
    problem = wb.DistributedProblem(write(tmp_path, data))
    with pytest.raises(InputError, match=r"part 0 of 4, .*: the converted part cannot be written here"):
        wb.solve(problem, client=threads)


def test_parts_with_zero_based_features_beside_others_count_alike(tmp_path, threads):
    (tmp_path / "a.libsvm").write_text("1 0:1 1:2\n-1 1:1\n")
    (tmp_path / "b.libsvm").write_text("1 1:2 2:1\n-1 2:3\n")
    solution = wb.solve(wb.DistributedProblem(str(tmp_path / "*.libsvm"), lam=0.1), client=threads, tol=1e-4)
    X = np.array([[1, 2, 0], [0, 1, 0], [0, 2, 1], [0, 0, 3]], dtype=float)
    best = wb.solve(wb.Problem(X, [1, -1, 1, -1], lam=0.1), tol=1e-10)
    assert abs(solution.primal - best.primal) <= solution.gap + 1e-9
    assert solution.w.shape == (3,)


def test_dask_collections_are_parts(data, threads):
    X, y = data
    best = wb.solve(wb.Problem(X, y, lam=0.1), tol=1e-9)
    arrays = da.from_array(X, chunks=(80, 5)), da.from_array(y, chunks=100)
    frame = dd.from_pandas(
        pd.DataFrame(X, columns=[f"x{j}" for j in range(COLUMNS)]).assign(y=y), npartitions=3
    )
    for parts in (arrays, frame):
        solution = wb.solve(wb.DistributedProblem(parts, lam=0.1), client=threads, tol=1e-4)
        assert len(solution.description["parts"]) == 3
        assert abs(solution.primal - best.primal) <= solution.gap + 1e-12


def test_an_estimator_fits_dask_arrays_and_predicts_by_block(data, threads):
    X, y = data
    labels = np.where(y > 0, "spam", "ham")
    model = wb.DualClassifier(lam=0.1).fit(
        da.from_array(X, chunks=(80, -1)), da.from_array(labels, chunks=80)
    )
    same = wb.DualClassifier(lam=0.1, penalize_intercept=True).fit(X, labels)
    assert list(model.classes_) == ["ham", "spam"]
    assert abs(model.solution_.primal - same.solution_.primal) <= model.solution_.gap + same.solution_.gap
    blocks = model.predict(da.from_array(X, chunks=(50, -1)))
    assert (blocks.compute() == model.predict(X)).all()
    assert blocks.numblocks == (5,)
    with pytest.raises(InputError, match=r"fit_intercept=True needs sum.*use penalize_intercept=True"):
        wb.DualClassifier(penalize_intercept=False).fit(da.from_array(X), da.from_array(y))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"loss": "multinomial"}, r"multinomial loss has several predictions.*logistic"),
        ({"bias": True}, r"bias = True needs sum alpha = 0.*bias = 'constant'"),
        ({"regularizer": "l1"}, r"l1.* has no smooth conjugate.*squared-l2 or elastic-net"),
        (
            {"regularizer": "q-norm:q=1.5,power=2"},
            r"q-norm.* no bound of the curvature.*squared-l2 or "
            "elastic-net",
        ),
        ({"loss": "hing"}, r"did you mean 'hinge'"),
        ({"lam": 0.0}, r"lam = 0.0 must be a finite number above 0"),
    ],
)
def test_what_cannot_be_solved_in_parts_is_refused_by_name(data, tmp_path, change, message):
    pattern = write(tmp_path, data)
    with pytest.raises(InputError, match=message):
        wb.DistributedProblem(pattern, **change)


def broken(folder, k, text, form="libsvm"):
    (folder / f"part{k:02d}.{form}").write_text(text)


@pytest.mark.parametrize(
    ("form", "k", "text", "message"),
    [
        ("libsvm", 2, "1 1:1\n-1 2:x\n", r"part 2 of 4, .*part02.libsvm: .*line 2.*'2:x'"),
        ("libsvm", 3, "", r"part 3 of 4, .*part03.libsvm: .*empty"),
        (
            "csv",
            1,
            "x0,x1,y\n1,2,1\n",
            r"part 1 of 4, .*part01.csv has other columns than "
            ".*part00.csv.*lacks x10",
        ),
        ("csv", 1, "x0,y\n1,spam\n2,ham\n", r"part 1 of 4, .*labels are strings, such as 'spam'.*positive"),
        ("libsvm", 0, "3 1:1\n-1 2:1\n", r"part 0 of 4, .*labels -1 and \+1, and here is 3.0; pass positive"),
    ],
)
def test_a_fault_is_named_with_its_part_and_line(data, threads, tmp_path, form, k, text, message):
    pattern = write(tmp_path, data, form)
    broken(tmp_path, k, text, form)
    with pytest.raises(InputError, match=message):
        wb.solve(wb.DistributedProblem(pattern), client=threads)


def test_one_class_in_a_part_is_fine_and_in_all_is_refused(data, threads, tmp_path):
    X, y = data
    order = np.argsort(y)
    problem = wb.DistributedProblem(write(tmp_path, (X[order], y[order])), lam=0.1)
    solution = wb.solve(problem, client=threads, tol=1e-2)
    assert solution.status == "converged"
    assert solution.description["parts"][0]["labels"] == (-1.0,)
    pattern = write(tmp_path, (X, np.ones(ROWS)))
    with pytest.raises(InputError, match=r"all 4 parts have the label \+1 alone"):
        wb.solve(wb.DistributedProblem(pattern), client=threads)


def test_what_is_not_there_is_said(data, tmp_path, monkeypatch, threads):
    with pytest.raises(InputError, match=r"no file is called .*nothing"):
        wb.DistributedProblem(str(tmp_path / "nothing*"))
    with pytest.raises(InputError, match=r"ndarray is not supported"):
        wb.DistributedProblem(data[0])
    problem = wb.DistributedProblem((wb.Problem(*data), 2))
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"no Dask scheduler answers there"):
        wb.solve(problem, scheduler="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match=r"client cannot be combined with scheduler or workers"):
        wb.solve(problem, client=threads, workers=2)
    with pytest.raises(InputError, match=r"method = 'newtn' is unknown; expected one of newton, cocoa\+"):
        wb.solve(problem, client=threads, method="newtn")
    wide = wb.DistributedProblem((wb.Problem(sp.eye_array(1200).tocsr(), np.ones(1200), "squared"), 2))
    with pytest.raises(InputError, match=r"method = 'newton' needs at most 1000 features.*'cocoa\+'"):
        wb.solve(wide, client=threads, method="newton")
    with pytest.raises(InputError, match=r"client is for problems in parts"):
        wb.solve(wb.Problem(*data), client=threads)
    with pytest.raises(InputError, match=r"memory = '1 horse' is not a size; write memory='1GiB'"):
        wb.solve(problem, client=threads, memory="1 horse")
    with pytest.raises(InputError, match=r"a worker holds \d+ MiB of its own in round 1, more than its"):
        wb.solve(problem, client=threads, memory="2MiB")
    versions = cluster.versions()
    monkeypatch.setattr(cluster, "versions", lambda: versions | {"numpy": "1.0"})
    with pytest.raises(InputError, match=r"numpy .* in place of 1.0; install the same versions there"):
        wb.solve(problem, client=threads)


@pytest.mark.parametrize("method", solving.METHODS)
def test_a_saved_solution_starts_another_run(data, threads, tmp_path, method):
    source = wb.Problem(*data, lam=0.1)
    problem = wb.DistributedProblem((source, 3))
    options = {"client": threads, "tol": 1e-4, "method": method}
    with pytest.warns(wb.ConvergenceWarning, match="max_epochs"):
        short = wb.solve(problem, max_epochs=8 if method == "newton" else 30, **options)
    short.save(tmp_path / "short.npz")
    start = wb.Solution.load(tmp_path / "short.npz")
    solution = wb.solve(problem, warm_start=start, **options)
    cold = wb.solve(problem, **options)
    assert solution.status == "converged"
    assert solution.description["rounds"] < cold.description["rounds"]
    best = wb.solve(source, tol=1e-9)
    assert best.dual <= solution.primal <= best.primal + solution.gap * (1.0 + 1e-9) + 1e-12
    # Where nothing is left to do, one round sees it.
    again = wb.solve(problem, warm_start=solution, **options | {"tol": 1e-3})
    assert again.description["rounds"] == 1
    # Another lam takes the start as well; other parts, and another loss, do not.
    other = wb.DistributedProblem((source.replace(lam=0.2), 3))
    assert wb.solve(other, client=threads, tol=1e-3, warm_start=start).status == "converged"
    for different, words in (
        (wb.DistributedProblem((source, 4)), "warm_start is of other parts than these"),
        (
            wb.DistributedProblem((source.replace(loss="logistic"), 3)),
            r"the loss of warm_start is Hinge\(p=1\)",
        ),
    ):
        with pytest.raises(InputError, match=words):
            wb.solve(different, client=threads, warm_start=start)


@pytest.mark.parametrize("method", solving.METHODS)
def test_a_round_in_which_the_cluster_is_lost_is_begun_anew_with_the_same_bits(
    data, threads, monkeypatch, method
):
    problem = wb.DistributedProblem((wb.Problem(*data, lam=0.1), 3))
    options = {"client": threads, "tol": 1e-5, "every": 3, "method": method}
    whole = wb.solve(problem, **options)

    def lost():
        raise TimeoutError

    # Before anything was kept, and after; the rounds since then are done again.
    assert at_round(monkeypatch, {2: lost, 8: lost}, rounds := []) == []
    solution = wb.solve(problem, **options)
    assert rounds[:12] == [0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert rounds[12] == 6
    assert solution.columns["step"].tolist() == whole.columns["step"].tolist()
    assert solution.w.tobytes() == whole.w.tobytes()
    assert solution.alpha.tobytes() == whole.alpha.tobytes()


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
def test_rounds_of_newton_do_not_depend_on_the_cut(loss):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 20))
    y = np.sign(X @ rng.normal(size=20) + 2.0 * rng.normal(size=2000))
    problem = wb.Problem(X, y, loss, "elastic-net:epsilon=0.1", 1e-3)
    counts = {}
    for blocks in (2, 32):
        gaps, point = simulated(problem, blocks, newton, goal=1e-3)
        assert point.relative_gap <= 1.0001e-3
        counts[blocks] = len(gaps)
    assert counts[2] == counts[32] <= (15 if loss == "logistic" else 40)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_matrix_of_a_block_is_that_of_its_rows_however_they_are_cut(data, kind):
    X, y = kind(data[0]), data[1]
    scale = np.random.default_rng(0).random(ROWS)
    exact = data[0].T @ (scale[:, None] * data[0])
    for count in (1, 6):
        cuts = itertools.pairwise(np.linspace(0, ROWS, count + 1).astype(int))
        block = tuple(Part("", wb.Problem(X[a:b], y[a:b], "logistic")) for a, b in cuts)
        assert (block[0].in_memory.design.dense is None) == (kind is sp.csr_array)
        state = newton.begin(block, None)._replace(bent=scale)
        (_, matrix), _, _ = newton.message(block, state)
        upper = np.triu_indices(COLUMNS)
        np.testing.assert_allclose(matrix[upper], exact[upper], rtol=1e-13, atol=1e-13)


def test_line_search_of_newton_that_finds_nothing_stalls(data):
    problem = wb.Problem(*data, "hinge", lam=0.1)
    (source,) = wb.DistributedProblem((problem, 1)).sources
    block = (prepared(source.arguments[0], problem.loss, problem.regularizer, False, COLUMNS, 0),)
    frame = framed(COLUMNS, problem.loss, problem.regularizer, problem.lam, False)
    setting = rounds.Setting(ROWS, problem.lam, 1, 1, 0)
    state = newton.begin(block, setting)
    center = newton.first_center(frame, setting, newton.added(newton.message(block, state)))
    # No point is below this value.
    center = center._replace(value=-np.inf, word=center.word._replace(size=newton.SIZES[-1]))
    state = newton.advanced(block, state, center.word, setting, 0, 0)
    center = newton.combined(frame, setting, center, newton.added(newton.message(block, state)))
    assert center.word.size == newton.SIZES[-1]
    assert newton.numbers_of(center)["share"] == 0.0


def at_round(monkeypatch, deeds, seen=None):
    """Do something on the client before some rounds, each once; returns the rounds where it was done."""
    plain, done = solving._Run._round, []

    def round_(self, blocks, states, center, frame, t):
        if seen is not None:
            seen.append(t)
        if t in deeds and t not in done:
            done.append(t)
            deeds[t]()
        return plain(self, blocks, states, center, frame, t)

    monkeypatch.setattr(solving._Run, "_round", round_)
    return done


def kill_one(client):
    """SIGKILL for one worker process."""
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)


@pytest.mark.long  # each killed process starts anew
@pytest.mark.parametrize("method", solving.METHODS)
def test_killed_workers_and_a_restarted_scheduler_change_no_bit(
    data, threads, processes, monkeypatch, method
):
    problem = wb.DistributedProblem((wb.Problem(*data, lam=0.1), 4))
    options = {"tol": 1e-5, "every": 4, "method": method}
    calm = wb.solve(problem, client=threads, **options)
    deeds = {
        1: lambda: kill_one(processes),
        6: lambda: kill_one(processes),
        9: lambda: processes.restart(timeout=500),
    }
    done = at_round(monkeypatch, deeds)
    solution = wb.solve(problem, client=processes, **options)
    assert done == [1, 6, 9]
    assert solution.w.tobytes() == calm.w.tobytes()
    assert solution.alpha.tobytes() == calm.alpha.tobytes()
    assert (solution.primal, solution.dual, solution.interval) == (calm.primal, calm.dual, calm.interval)


def end_worker(raw):
    """End the worker of a part, as a part that takes all memory would."""
    os._exit(9)


@pytest.mark.long  # each killed process starts anew
def test_a_part_that_ends_its_workers_is_named(data, processes):
    problem = wb.DistributedProblem((wb.Problem(*data), 4))
    problem.sources[2] = Source("part 2 of 4, rows.npz", end_worker, problem.sources[2].arguments)
    with pytest.raises(
        InputError, match=r"^part 2 of 4, rows.npz: it ended every worker that took it up \(3 of"
    ):
        wb.solve(problem, client=processes)


def test_the_command_solves_files_of_a_pattern(data, tmp_path, threads):
    pattern = write(tmp_path, data)
    address = threads.scheduler.address
    command = ["solve", pattern, "--scheduler", address, "--lam", "0.1", "--json"]
    solved = invoke(*command)
    answer = json.loads(solved.output)
    assert solved.exit_code == 0
    assert answer["data"]["rows"] == ROWS
    assert answer["relative_gap"] <= 1e-4
    assert answer["score"] is None
    lines = dict(line.split(maxsplit=1) for line in invoke(*command[:-1]).output.splitlines()[:2])
    assert lines["score"].startswith("not measured")
    assert lines["certified"].startswith("no linear model with the hinge loss")
    refused = invoke(*command, "--kernel", "rbf")
    assert refused.exit_code == 2
    assert "--kernel is not available for parts" in refused.output
    short = invoke(*command, "--max-epochs", "1", "--tol", "1e-12")
    assert short.exit_code == 1
    assert "not converged: stopped (max_epochs) after 1 rounds" in short.output
    assert "try --max-epochs 10, fewer parts" in short.output
    bad = invoke("solve", str(tmp_path / "none*.svm"))
    assert bad.exit_code == 2
    assert "no file is called" in bad.output


@pytest.mark.long
def test_files_within_a_bound_of_memory_by_local_processes(tmp_path):
    """Rows of 60 MB in text solve within 512 MiB of memory that no file stands for."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=2000)
    for k in range(6):
        X = sp.random_array((20_000, 2000), density=0.01, format="csr", rng=rng)
        y = np.sign(X @ truth + 0.1 * rng.normal(size=20_000))
        dump_svmlight_file(X, np.where(y == 0, 1, y), str(tmp_path / f"part{k}.libsvm"), zero_based=False)
    problem = wb.DistributedProblem(str(tmp_path / "part*.libsvm"), lam=1e-3)
    solution = wb.solve(problem, tol=1e-3, workers=2, memory="700MiB")
    assert solution.status == "converged"
    assert 0 < solution.description["memory"] * 2 <= 700 * 2**20
