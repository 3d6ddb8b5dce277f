"""Connections to a Dask cluster: local processes or a scheduler, whose workers have this version."""

import contextlib
import logging
import os
import signal
import sys
from typing import Any

from workbench._support.errors import InputError
from workbench._support.names import check_whole
from workbench._support.system import extras, resources
from workbench.studies.cache import versions

# Seconds to wait for an answer of a scheduler, and for its first worker.
PATIENCE = 20


@contextlib.contextmanager
def connected(scheduler, workers, count, settings=None, **options):
    """Yield a client of local processes, or of the scheduler at an address, whose workers have this version.

    Parameters
    ----------
    scheduler : str or None
        An address such as "tcp://host:8786"; None starts local processes.
    workers : int, optional
        Number of local processes; by default one a core.
    count : int
        Number of tasks: no more processes are started.
    settings : dict, optional
        Of Dask's configuration.
    **options
        Of `LocalCluster`.
    """
    extras.need("cluster", "computing in several processes or on a cluster")
    import dask.distributed  # its defaults have to stand before settings are put over them, and taken back

    if workers is not None:
        check_whole("solve", "workers", workers, 1, usual=2)
    place = {"address": scheduler, "timeout": PATIENCE}
    if scheduler is None:
        place = {"n_workers": min(workers or os.cpu_count() or 1, count), "threads_per_worker": 1, **options}
        place |= {"dashboard_address": "127.0.0.1:0", "env": resources.ONE_THREAD}
        place["silence_logs"] = logging.CRITICAL
    with quiet(), dask.config.set(settings or {}), _script_not_repeated(), contextlib.ExitStack() as stack:
        try:
            with _hold_interrupts():
                client = stack.enter_context(dask.distributed.Client(**place, set_as_default=False))
            client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                f"--scheduler {scheduler}: no Dask scheduler answers there, or it has no workers "
                f"({str(error) or 'no answer'}); start one with `dask scheduler`, and workers with "
                "`dask worker ADDRESS`, or leave the option out"
            ) from None
        check_versions(client)
        yield client


@contextlib.contextmanager
def _hold_interrupts():
    """Let Ctrl-C reach this process later, and those that it starts never: a terminal sends it to all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _script_not_repeated():
    """Keep processes that start in the block from importing the caller's script, which would start more.

    A script without ``if __name__ == "__main__":`` then runs once. What tasks need of it is sent by value.
    """
    main = vars(sys.modules["__main__"])
    hidden: dict[str, Any] = {name: main[name] for name in ("__file__", "__spec__") if name in main}
    main.update(dict.fromkeys(hidden))
    try:
        yield
    finally:
        main.update(hidden)


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
    """Silence Dask, which tells of every lost connection; its user could do nothing about them."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
