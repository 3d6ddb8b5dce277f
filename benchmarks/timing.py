"""Timing and printing of the benchmarks: medians of runs, commands of their own, empty caches."""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 3
PYTHON = sys.executable
WORKBENCH = str(Path(sys.executable).with_name("workbench"))


def median(measure, *arguments):
    return statistics.median(measure(*arguments) for _ in range(RUNS))


def line(command, value, note=""):
    print(f"{command:<68}{value:>12}  {note}".rstrip(), flush=True)


def seconds(value):
    return f"{value:.3f} s"


def elapsed(*command, **environment):
    """Return the seconds that a command takes."""
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    return time.perf_counter() - started


def overhead(command, baseline):
    """Return the seconds of a command beyond a baseline, run in turn so that both see the same machine."""
    pairs = [(elapsed(*command), elapsed(*baseline)) for _ in range(RUNS + 1)][1:]
    return statistics.median(one - other for one, other in pairs), statistics.median(one for one, _ in pairs)


@contextlib.contextmanager
def cold_cache():
    with tempfile.TemporaryDirectory() as folder:
        yield {"WORKBENCH_CACHE": folder}
