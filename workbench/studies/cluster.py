"""Connections to a Dask cluster: local processes or a scheduler, whose workers have this version.

Every worker computes on one thread of BLAS and OpenMP.
"""

import contextlib
import logging
import os
import signal
import sys

from workbench._support.errors import InputError
from workbench._support.system import extras, resources, storage
from workbench.solvers.solution import interruptible
from workbench.studies.cache import versions

# Seconds until a scheduler that does not answer, or that has no workers, is given up.
PATIENCE = 20


@contextlib.contextmanager
def connected(scheduler, workers, count, settings=None, **options):
    """A client of local processes, or of the scheduler at an address, whose workers have this version.

    Parameters
    ----------
    scheduler : str or None
        An address such as "tcp://host:8786"; None starts local processes.
    workers : int, optional
        Number of local processes; by default one a core.
    count : int
        Number of tasks: no more processes are started.
    settings : dict, optional
        Of Dask's configuration, for local processes.
    **options
        Of `LocalCluster`.
    """
    extras.need("cluster", "computing in several processes or on a cluster")
    import dask.distributed  # its defaults have to stand before settings are put over them, and taken back

    with (
        quiet(),
        dask.config.set(settings or {}),
        _local(workers, count, **options) if scheduler is None else _remote(scheduler) as client,
    ):
        check_versions(client)
        yield client


@contextlib.contextmanager
def _local(workers, count, **options):
    from dask.distributed import Client

    if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool) or workers < 1):
        raise InputError(f"workers = {workers!r} is not a whole number of at least 1")
    number = min(workers or os.cpu_count() or 1, count)
    with (
        _script_not_repeated(),
        _folder() as folder,
        _started(
            n_workers=number,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            local_directory=folder,
            env=resources.ONE_THREAD,
            silence_logs=logging.CRITICAL,
            **options,
        ) as processes,
        Client(processes) as client,
    ):
        yield client


@contextlib.contextmanager
def _started(**options):
    """Local processes; a signal waits until they stand, since what is half started cannot be closed."""
    from dask.distributed import LocalCluster

    with interruptible(signal.SIGTERM) as stop, _hold_interrupts():
        processes = LocalCluster(**options)
    with processes:
        if stop.is_set():
            raise KeyboardInterrupt
        yield processes


@contextlib.contextmanager
def _hold_interrupts():
    """Ctrl-C reaches this process later, and those that it starts never: a terminal sends it to all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _folder():
    """A folder for what the workers write, which goes even where they and this process are killed."""
    folder = storage.temporary("workers")
    try:
        yield folder
    finally:
        storage.discard(folder)


@contextlib.contextmanager
def _script_not_repeated():
    """Processes that start meanwhile do not import the caller's script, which would start them in turn.

    A script without ``if __name__ == "__main__":`` then runs once. What tasks need of it is sent by value.
    """
    main = vars(sys.modules["__main__"])
    hidden = {name: main[name] for name in ("__file__", "__spec__") if name in main}
    main.update(dict.fromkeys(hidden))
    try:
        yield
    finally:
        main.update(hidden)


@contextlib.contextmanager
def _remote(address):
    from dask.distributed import Client

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"--scheduler {address}: no Dask scheduler answers there ({str(error) or 'no answer'}); start "
            "one with `dask scheduler`, and workers with `dask worker ADDRESS`, or leave the option out"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise InputError(
                f"--scheduler {address}: the scheduler has no workers; start some: `dask worker {address}`"
            ) from None
        yield client


def check_versions(client):
    """Refuse workers that would compute with other code."""
    from workbench.studies import cache

    for address, remote in client.run(cache.versions, on_error="return").items():
        if isinstance(remote, Exception):
            raise InputError(
                f"worker {address} cannot run the workbench ({type(remote).__name__}: {remote}); install "
                "this version there"
            )
        if remote != versions():
            raise InputError(difference(f"worker {address}", remote, versions()))


def difference(who, actual, expected):
    """Return the sentence that refuses a worker with other versions."""
    other = [
        f"{name} {actual.get(name)} in place of {expected[name]}"
        for name in expected
        if actual.get(name) != expected[name]
    ]
    return f"{who} has {', '.join(other)}; install the same versions there"


def worker_deaths():
    """Return Dask's exception for a task that killed its workers; nothing where Dask is not imported."""
    return getattr(sys.modules.get("distributed"), "KilledWorker", ())


@contextlib.contextmanager
def quiet():
    """Dask tells of every lost connection, which is nothing that its user could do anything about."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
