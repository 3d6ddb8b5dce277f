"""Experiments as tasks: pure functions of their parameters, run in parallel by joblib, a file each.

    def accuracy(seed, lam, corpus): ...           a module-level function; returns a dict of JSON
    tasks = [Task(accuracy, {"seed": seed, "lam": 1e-3}) for seed in range(10)]
    records = run(tasks, shared={"corpus": corpus})

The same tasks give the same records bit for bit in one process, in local processes and on a Dask cluster,
except for timings, whose names end in "seconds". Each record is written when its task ends, so an
interruption costs the tasks in progress alone.
"""

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench._support.display.progress import counting
from workbench._support.errors import InputError
from workbench._support.names import check_whole
from workbench.studies import cache as files
from workbench.studies import cluster

DEFAULT = object()
SYNCHRONOUS = "synchronous"


@dataclass(frozen=True)
class Task:
    """One call of a pure function.

    Parameters
    ----------
    function : callable
        Of a module, not nested; takes the parameters and the shared objects by name, and returns a dict
        that JSON can hold. It draws random numbers from seeds among its parameters alone.
    parameters : dict
        Numbers, text, lists and dicts of them.
    """

    function: Callable
    parameters: dict = field(default_factory=dict)

    @property
    def name(self):
        """Module and name of the function."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


def run(
    tasks: Sequence[Any],
    scheduler: str | None = None,
    *,
    workers: int | None = None,
    shared: dict[str, Any] | None = None,
    cache: object = DEFAULT,
    progress: bool = False,
) -> list[dict[str, Any]]:
    """Run tasks and return their records in the order of the tasks.

    Parameters
    ----------
    tasks : iterable of Task
    scheduler : None, "synchronous" or str
        None starts local processes; "synchronous" stays in this process; an address such as
        "tcp://host:8786" uses the workers of a Dask scheduler.
    workers : int, optional
        Number of local processes; by default one a core.
    shared : dict of str to object, optional
        Arguments that all tasks take by name besides their parameters.
    cache : path or None
        The folder of records; None writes none. By default a folder in the user's cache.
    progress : bool
        True shows a progress bar on the error stream.

    Returns
    -------
    list of dict
        Each with the parameters of its task and the dict that the function returned.

    Raises
    ------
    InputError
        An unknown scheduler, a worker with another version or one that is killed, a full disk; records of
        finished tasks are kept.
    """
    tasks, shared = list(tasks), dict(shared or {})
    folder: Any = files.default_folder() if cache is DEFAULT else cache
    prints = {name: files.fingerprint(value) for name, value in shared.items()}
    keys = [files.key(task, prints) for task in tasks]
    paths = {key: Path(folder) / f"{key}.json" for key in keys} if folder is not None else {}
    records: dict[str, Any] = {key: files.read_record(paths[key]) if paths else None for key in keys}
    waiting = {key: task for key, task in zip(keys, tasks, strict=True) if records[key] is None}
    if waiting:
        if paths:
            files.make(Path(folder))
        with counting("tasks", progress) as move, _parallel(scheduler, workers, len(waiting)) as outcomes:
            calls: list[tuple[Any, ...]] = [
                (_compute, (files.versions(), key, task, shared), {}) for key, task in waiting.items()
            ]
            for count, (key, outcome) in enumerate(outcomes(calls), len(records) - len(waiting) + 1):
                # Through JSON, so that a new record equals the one that is read from its file.
                records[key] = json.loads(json.dumps(_checked(waiting[key], outcome)))
                if paths:
                    files.write(paths[key], waiting[key], records[key])
                move(count, len(records))
    return [{**task.parameters, **records[key]} for key, task in zip(keys, tasks, strict=True)]


@contextlib.contextmanager
def _parallel(scheduler, workers, count):
    """Yield a function that runs calls and yields their outcomes as they finish."""
    import joblib
    from joblib.externals.loky.process_executor import BrokenProcessPool

    if workers is not None:
        check_whole("run", "workers", workers, 1, usual=2)
    with contextlib.ExitStack() as stack:
        options = {"backend": "sequential"} if scheduler == SYNCHRONOUS else {"backend": "loky"}
        if scheduler not in (None, SYNCHRONOUS):
            client = stack.enter_context(cluster.connected(scheduler, workers, count))
            stack.enter_context(client.as_current())
            options = {"backend": "dask"}
        elif scheduler is None:
            options["n_jobs"] = min(workers or joblib.cpu_count(), count)
        stack.enter_context(joblib.parallel_config(**options))
        try:
            yield joblib.Parallel(batch_size=1, return_as="generator_unordered")
        except BrokenProcessPool as error:
            raise InputError(
                f"a worker process was killed ({str(error).splitlines()[0]}); give it more memory or take "
                "fewer workers, and run the same command again: finished tasks are kept"
            ) from error
        except cluster.worker_deaths() as error:
            raise InputError(
                f"a task killed every worker that took it up ({error}); give the workers more memory, and "
                "run the same command again: finished tasks are kept"
            ) from None


def _compute(expected, key, task, shared):
    """Compute a task on one thread; a worker with another version is refused."""
    from workbench.kernels.compilation import at_once
    from workbench.kernels.threads import at_most

    if expected != files.versions():
        raise InputError(cluster.difference("a worker", files.versions(), expected))
    with at_most(1), at_once():
        return key, task.function(**task.parameters, **shared)


def reproduce(experiment, seeds=None, **options):
    """Run an experiment's tasks, then those that follow from them; returns all records.

    Parameters
    ----------
    experiment : Experiment
    seeds : int, optional
        Number of draws; by default that of the experiment.
    **options
        scheduler, workers, cache and progress, as for `run`.
    """
    shared = experiment.shared()
    records = run(experiment.tasks(experiment.seeds if seeds is None else seeds), shared=shared, **options)
    if experiment.follow is not None:
        records += run(experiment.follow(records), shared=shared, **options)
    return records


def _checked(task, outcome):
    """Return the outcome of a task; raise where it cannot be a record."""
    if not isinstance(outcome, dict):
        raise InputError(f"{task.name} returned a {type(outcome).__name__}; a task returns a dict")
    twice = sorted(set(outcome) & set(task.parameters))
    if twice:
        raise InputError(f"{task.name} returned its own parameter {twice[0]!r}; rename one of the two")
    return outcome
