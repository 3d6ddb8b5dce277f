"""Experiments as tasks: pure functions of their parameters, run here or on a cluster, kept when done.

    def accuracy(seed, lam, corpus): ...           a module-level function; returns a dict of JSON
    tasks = [Task(accuracy, {"seed": seed, "lam": 1e-3}) for seed in range(10)]
    records = run(tasks, shared={"corpus": corpus})

The same tasks give the same records bit for bit in one process, in local processes and on a cluster, but
for timings, whose names end in "seconds". Every finished task is written at once, so whatever ends a run
costs the tasks in flight alone.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from workbench.errors import InputError
from workbench.experiments import cluster
from workbench.experiments.cache import Cache, default_folder, fingerprint
from workbench.faces.progress import counting

DEFAULT = object()
TIMING = "seconds"


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


def run(tasks, scheduler=None, *, workers=None, shared=None, cache=DEFAULT, progress=False):
    """Run tasks and return their records in the order of the tasks.

    Parameters
    ----------
    tasks : iterable of Task
    scheduler : None, "synchronous" or str
        None starts local processes; "synchronous" stays in this process; an address such as
        "tcp://host:8786" asks a Dask scheduler.
    workers : int, optional
        How many local processes; by default one a core.
    shared : dict of str to object, optional
        What every task takes by name besides its parameters: sent to each worker once.
    cache : path or None
        The folder of finished tasks; None keeps none. By default a folder in the user's cache.
    progress : bool
        Whether a bar on the error stream shows how far the run is.

    Returns
    -------
    list of dict
        Each with the parameters of its task and what the function returned.

    Raises
    ------
    InputError
        No such scheduler, a worker with another version, a full disk; finished tasks are kept.
    """
    tasks, shared = list(tasks), dict(shared or {})
    folder = default_folder() if cache is DEFAULT else cache
    store = Cache(folder, {name: fingerprint(value) for name, value in shared.items()})
    keys = [store.key(task) for task in tasks]
    records = {key: store.read(key) for key in keys}
    waiting = {key: task for key, task in zip(keys, tasks, strict=True) if records[key] is None}
    if waiting:
        with (
            counting("tasks", progress) as move,
            cluster.pool(scheduler, workers, len(waiting), shared) as finished,
        ):
            for count, (key, outcome) in enumerate(finished(waiting), len(records) - len(waiting) + 1):
                # Through JSON, so that a fresh record is what a kept one will be.
                records[key] = json.loads(json.dumps(_checked(waiting[key], outcome)))
                store.write(key, waiting[key], records[key])
                move(count, len(records))
    return [{**task.parameters, **records[key]} for key, task in zip(keys, tasks, strict=True)]


def reproduce(experiment, seeds=None, **options):
    """Run an experiment's tasks, then those that follow from them; returns all records.

    Parameters
    ----------
    experiment : Experiment
    seeds : int, optional
        How many draws; by default as many as the experiment says.
    **options
        scheduler, workers, cache and progress, as for `run`.
    """
    shared = experiment.shared()
    records = run(experiment.tasks(experiment.seeds if seeds is None else seeds), shared=shared, **options)
    if experiment.follow is not None:
        records += run(experiment.follow(records), shared=shared, **options)
    return records


def without_timings(record):
    """A record without the entries that a clock decides."""
    return {name: value for name, value in record.items() if not name.endswith(TIMING)}


def _checked(task, outcome):
    """The outcome of a task, or the reason why it is none."""
    if not isinstance(outcome, dict):
        raise InputError(f"{task.name} returned a {type(outcome).__name__}; a task returns a dict")
    twice = sorted(set(outcome) & set(task.parameters))
    if twice:
        raise InputError(f"{task.name} returned its own parameter {twice[0]!r}; rename one of the two")
    return outcome
