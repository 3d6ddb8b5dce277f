"""Work for workers of a test: it imports nothing that takes time, so its seconds are what it says."""

import os
import time
from pathlib import Path


def spin(seconds):
    """Work for a number of seconds of processor time and return the process."""
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass
    return os.getpid()


def noted(path, seconds=0.2):
    """The same, with a point put into a file for each run."""
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(".")
    return spin(seconds)
