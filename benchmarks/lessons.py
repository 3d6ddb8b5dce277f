"""The course with warm caches: python benchmarks/lessons.py [LESSON ...].

Prints for each lesson the seconds from the start of its kernel to the first picture, median of three.
"""

import statistics
import sys
import time

import nbformat
from nbclient import NotebookClient

from workbench._support.system import lessons, resources

RUNS = 3
# The MIME types of a figure and of HTML with a figure.
IMAGES, DRAWN = ("image/png", "image/svg+xml"), ("<img", "<svg", "data-root-id")


class Pictured(Exception):
    """The first picture is there."""


def first_picture(path):
    """Return the seconds until a cell of the notebook has a picture; None where none has."""
    notebook = nbformat.reads(lessons.as_json(lessons.copy_of(path)).decode(), as_version=4)

    def executed(cell, **_):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            text = data.get("text/html", "")
            if any(name in data for name in IMAGES) or any(mark in text for mark in DRAWN):
                raise Pictured

    client = NotebookClient(
        notebook,
        timeout=300,
        resources={"metadata": {"path": str(path.parent)}},
        allow_errors=True,
        on_cell_executed=executed,
    )
    started = time.perf_counter()
    try:
        client.execute()
    except Pictured:
        return time.perf_counter() - started
    return None


def main(names):
    for path in resources.lessons().values():
        if names and not any(name in path.name for name in names):
            continue
        seconds = [first_picture(path) for _ in range(RUNS)]
        seconds = "no picture" if None in seconds else f"{statistics.median(seconds):6.1f} s"
        print(f"{path.stem:<44}{seconds}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
