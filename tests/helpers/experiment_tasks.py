"""Tasks for the tests of the engine; a module of its own, since worker processes import it."""

import contextlib
import os
import signal
from pathlib import Path

import numpy as np


def norm(seed, matrix):
    """A number that BLAS sums: it would show another count of threads."""
    product = np.random.default_rng(seed).normal(size=(200, 200)) @ matrix
    return {"norm": float(np.linalg.norm(product)), "seconds": float(os.getpid())}


def norm_after_a_death(seed, marker, matrix):
    """The same; the first process that comes here dies."""
    with contextlib.suppress(FileExistsError):
        Path(marker).touch(exist_ok=False)
        os.kill(os.getpid(), signal.SIGKILL)
    return norm(seed, matrix)


def counted(seed, log, fails):
    """A line in a file for each call; the seed `fails` is interrupted."""
    if seed == fails:
        raise KeyboardInterrupt
    with Path(log).open("a", encoding="ascii") as file:
        file.write(f"{seed}\n")
    return {"square": seed * seed}


def nothing(seed):
    """No record."""


def repeats(seed):
    """A record with the name of a parameter."""
    return {"seed": seed}


def without_timings(record):
    """A record without the entries that a clock decides."""
    return {name: value for name, value in record.items() if not name.endswith("seconds")}
