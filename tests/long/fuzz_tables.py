"""Hostile and broken tables by the thousand: python tests/long/fuzz_tables.py [COUNT] [SEED].

Each ends in a sentence, or in features and a target that make a problem which certifies.
"""

import re
import sys
import warnings

import numpy as np

from tests.long import fuzz_uploads
from workbench._support.errors import InputError
from workbench.certificates import certify
from workbench.data.tables import preparation, reading, training
from workbench.problems import Problem

MISSING = (None, *preparation.MISSING)
SUFFIXES = ("a.csv", "a.tsv", "a.txt", "a.jsonl", "a.json", "a.npy", "a.npz", "a.zip", "a.parquet")
GOOD = (
    b"size;art;y\n1,5;a;ja\n2,25;b;nein\n3,5;a;ja\n4;;nein\n",
    b'{"a": 1, "b": "x", "y": true}\n{"a": null, "b": "y", "y": false}\n{"a": 3, "b": "x", "y": true}\n',
    b"1.5 2 0\n2.5 3 1\n3.5 5 0\n",
    b",a,when,y\n0,1,2024-01-01,u\n1,2,2024-01-02,v\n2,,2024-01-03,u\n",
)


def hostile(draw):
    """One file: its name and its bytes."""
    name, content = fuzz_uploads.hostile(draw)
    if draw.random() < 0.5:
        name, content = draw.choice(SUFFIXES), draw.choice(GOOD)
        for _ in range(draw.choice((0, 1, 2, 4))):
            content = draw.choice(fuzz_uploads.STIRS)(draw, content)[: 3 * 2**20]
    return name, content


def attempt(name, content, draw):
    """Return the outcome of one table: "problem", or the sentence that refused it."""
    try:
        table = reading.read_upload(content, name, draw.choice((None, None, 0, 1)), fuzz_uploads.CAPS)
        repr(table)
        missing = draw.choice(MISSING)
        table = training.usable(table, missing)
        task = table.task()
        y = task.encode(table.target, table.name)
        prepared = training.prepare(table, missing=missing, standardize=draw.choice((True, False)))
        X = prepared.transform(training.features(table), table.name)
        problem = Problem(X, y, task.made_loss(), lam=0.1, bias=True)
    except InputError as error:
        sentence = str(error)
        assert re.fullmatch(r"[^\n]{15,1500}", sentence), sentence
        return sentence
    gap = certify(problem, w=np.zeros((X.shape[1], *problem.columns))).gap
    assert gap >= 0.0, gap
    return "problem"


def fuzz(count, seed=0):
    """Try `count` files; return their outcomes and the slowest seconds."""
    counts, slowest, _ = fuzz_uploads.fuzz(count, seed, hostile=hostile, attempt=attempt)
    return counts, slowest


def main(count=100_000, seed=0):
    warnings.simplefilter("error")
    fuzz(20, seed)  # what is imported late
    counts, slowest = fuzz(count, seed)
    print(f"{count:,} files, seed {seed}: {counts['sentence']:,} sentences, {counts['problem']:,} problems")
    print(f"the slowest {slowest:.2f} s")


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
