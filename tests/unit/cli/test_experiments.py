"""The engine of experiments: the same records wherever tasks run, and nothing finished is lost."""

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from distributed import Client

from tests.helpers import experiment_tasks
from tests.helpers.experiment_tasks import without_timings
from workbench import studies as experiments
from workbench._support.errors import InputError
from workbench.studies import cache, cluster
from workbench.studies.engine import Task, run
from workbench.studies.zhang_artificial import accuracies

DASK = str(Path(sys.executable).with_name("dask"))
# A cluster that does not stand by then is broken, not slow.
PATIENCE = 600.0
MATRIX = np.random.default_rng(7).normal(size=(200, 200))
NORMS = [Task(experiment_tasks.norm, {"seed": seed}) for seed in range(6)]
REAL = [
    Task(accuracies, {"d": 20, "draw": draw, "algorithm": name, "lams": [0.1, 0.01], "tol": 1e-2})
    for draw in range(2)
    for name in ("Perceptron", "LM-Perc")
]


def records(tasks, scheduler, **options):
    shared = {"matrix": MATRIX} if tasks is not REAL else {}
    return [without_timings(record) for record in run(tasks, scheduler, shared=shared, cache=None, **options)]


@pytest.fixture(scope="module")
def loopback(tmp_path_factory):
    """The address of a scheduler on loopback with two workers."""
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    start = [DASK, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    serve = [DASK, "worker", "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    processes = []
    with (folder / "log").open("w", encoding="utf-8") as log:
        for command in (start, serve, serve):
            command = [*command, "--scheduler-file", str(file)]
            processes.append(subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log))
        try:
            deadline = time.monotonic() + PATIENCE
            while not file.exists() or not file.read_text():
                assert time.monotonic() < deadline, (folder / "log").read_text()
                time.sleep(0.05)
            address = json.loads(file.read_text())["address"]
            with Client(address, timeout=PATIENCE, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=PATIENCE)
            yield address
        finally:
            # Nothing is asked of them any more, and a worker may wait for its scheduler for long.
            for process in processes:
                process.kill()
                process.wait()


@pytest.mark.long
def test_one_process_local_processes_and_a_cluster_agree_bit_for_bit(loopback):
    for tasks in (NORMS, REAL):
        here = records(tasks, "synchronous")
        assert here == records(tasks, loopback)
        assert here == records(tasks, None, workers=2)


def test_processes_give_the_records_of_one_process():
    assert records(NORMS, None, workers=2) == records(NORMS, "synchronous")


def test_a_killed_process_is_a_sentence_and_the_next_run_goes_on(tmp_path):
    marker, folder = str(tmp_path / "died"), tmp_path / "records"
    tasks = [Task(experiment_tasks.norm_after_a_death, {"seed": seed, "marker": marker}) for seed in range(6)]
    with pytest.raises(InputError, match=r"a worker process was killed .* finished tasks are kept"):
        run(tasks, workers=2, shared={"matrix": MATRIX}, cache=folder)
    assert Path(marker).exists()
    again = run(tasks, workers=2, shared={"matrix": MATRIX}, cache=folder)
    assert list(map(without_timings, again)) == records(tasks, "synchronous")


def test_an_interrupted_run_keeps_what_is_finished(tmp_path):
    log = tmp_path / "log"

    broken = [Task(experiment_tasks.counted, {"seed": s, "log": str(log), "fails": 2}) for s in range(4)]
    with pytest.raises(KeyboardInterrupt):
        run(broken, "synchronous", cache=tmp_path / "kept")
    assert log.read_text().split() == ["0", "1"]
    finished = [task for task in broken if task.parameters["seed"] != 2]
    records = run(finished, "synchronous", cache=tmp_path / "kept")
    assert [record["square"] for record in records] == [0, 1, 9]
    assert log.read_text().split() == ["0", "1", "3"]


def test_a_key_holds_the_parameters_the_shared_objects_and_the_code(monkeypatch):
    shared = {"matrix": cache.fingerprint(MATRIX)}
    key = cache.key(NORMS[0], shared)
    copied = Task(experiment_tasks.norm, {"seed": 0})
    assert key == cache.key(copied, {"matrix": cache.fingerprint(MATRIX.copy())})
    assert key != cache.key(NORMS[1], shared)
    assert key != cache.key(NORMS[0], {"matrix": cache.fingerprint(MATRIX + 1.0)})
    monkeypatch.setattr(cache, "code_digest", lambda module: "another")
    assert key != cache.key(NORMS[0], shared)


def test_the_code_of_a_task_is_its_module_and_what_that_imports():
    other = cache.code_digest("workbench.studies.zhu_tasks")
    assert cache.code_digest("workbench.studies.zhang_artificial") != other


def test_a_damaged_file_repeats_its_task_alone(tmp_path):
    first = run(NORMS, "synchronous", shared={"matrix": MATRIX}, cache=tmp_path)
    files = sorted(tmp_path.glob("*.json"))
    assert len(files) == len(NORMS)
    for damaged in ('{"record": ', "[]", '{"record": 3}', "[" * 100_000, ""):
        files[0].write_text(damaged)
        again = run(NORMS, "synchronous", shared={"matrix": MATRIX}, cache=tmp_path)
        assert list(map(without_timings, first)) == list(map(without_timings, again))


def test_a_full_disk_is_a_sentence_and_keeps_what_was_written(tmp_path, monkeypatch):
    replace, calls = os.replace, []

    def full(source, target):
        calls.append(target)
        if len(calls) > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match=r"No space left on device.*make room.*earlier records are kept"):
        run(NORMS, "synchronous", shared={"matrix": MATRIX}, cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_an_unknown_scheduler_is_a_sentence(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    for address in ("tcp://127.0.0.1:1", "nowhere", "ftp://127.0.0.1:1"):
        with pytest.raises(InputError, match=r"no Dask scheduler answers there.*dask scheduler"):
            run(NORMS, address, shared={"matrix": MATRIX}, cache=None)


@pytest.mark.parametrize(
    ("function", "message"),
    [(experiment_tasks.nothing, "returned a NoneType"), (experiment_tasks.repeats, "own parameter 'seed'")],
)
def test_a_task_without_a_record_is_refused(function, message):
    with pytest.raises(InputError, match=message):
        run([Task(function, {"seed": 0})], "synchronous", cache=None)


def test_an_unknown_experiment_is_refused_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'zhang-table-1'"):
        experiments.get("zhang-tabel-1")
