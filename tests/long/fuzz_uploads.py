"""Hostile and broken tables by the thousand: python tests/long/fuzz_uploads.py [COUNT] [SEED].

Each is a valid file that was cut, repeated, stirred or spliced, or made to break a cap; each must end in
a sentence or in a problem that certifies, within its time and within the memory allowed.
"""

import bz2
import collections
import gzip
import random
import re
import resource
import sys
import time
import tracemalloc

import numpy as np

from tests.corpora import table
from workbench._support.errors import InputError
from workbench.certificates import certify
from workbench.data.tables import limits, preparation, reading, samples, uploads
from workbench.problems import Problem

# Lower than a server's, so that the caps themselves are met often.
CAPS = limits.Limits(megabytes=1, rows=2000, columns=300, sparse_columns=5000, numbers=50_000)
SECONDS = 2.0
# Of the Python heap, NumPy's included, while one file is read: the text, its rows and a few copies.
MEGABYTES = 64
NAMES = (
    *table("uploads")["names"],
    *("a.jsonl", "a.json", "a.npy", "a.npz", "a.zip", "a.parquet", "x" * 300),
)
MISSING = (None, *preparation.MISSING)
TOKENS = (
    *b"nan inf -inf 1e999 -1e308 1e-320 - + : , ; # 0 1 99999999999 _ 1_0 abc qid:3 0:1 -1:1 True".split(),
    *b"0x1F . e5 NA #N/A =cmd|'/c' <b> 1,5 1:2:3 1: :1 2:1 1:1 5000:1 5001:1 1e3:1 1.0:1".split(),
    *(b"", b" ", b"\\", b"\t", b"\n", b"\r", b"\r\n", b'"', b"'", b"\0", b"\xff", b"\xc3\xa9"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xe2\x80\xa8", b"\xd9\xa1", b"\x1f\x8b", b"BZh9", b"PK\x03\x04"),
    *(b"\x0b", b"\x1a", b"\x80\x04K."),
)
GOOD = (
    b"1 1:0.5 3:2\n-1 2:1e-3 4:4 # a comment\n\n+1 qid:3 1:1\n-1 4:2\n",
    b'width,"length, cm",kind\n1,2.5,0\n-3e2, 4 ,1\n\n"5",6,1\n7,8,0\n',
    b"a\tb\tlabel\n1\t2\tyes\n3\t4\tno\n5\t6\tyes\n",
    b"5.1;3.5;setosa\n7.0;3.2;versicolor\n6.3;3.3;virginica\n5.0;3.4;setosa\n",
    b"0 0:1 1:2\n1 0:3\n2 1:1\n",
    b"1,2\n3,4\n5,7\n",
    b"size;art;y\n1,5;a;ja\n2,25;b;nein\n3,5;a;ja\n4;;nein\n",
    b'{"a": 1, "b": "x", "y": true}\n{"a": null, "b": "y", "y": false}\n{"a": 3, "b": "x", "y": true}\n',
    b"1.5 2 0\n2.5 3 1\n3.5 5 0\n",
    b",a,when,y\n0,1,2024-01-01,u\n1,2,2024-01-02,v\n2,,2024-01-03,u\n",
)


def hostile(draw):
    """One file as a browser would send it: its name and its bytes."""
    content = draw.choice(GOOD)
    for _ in range(draw.choice((0, 1, 1, 2, 3, 8))):
        content = draw.choice(STIRS)(draw, content)[: 3 * limits.MEGABYTE]
    name = draw.choice(NAMES)
    packers = {".gz": gzip.compress, ".bz2": bz2.compress}
    packer = packers.get(name[name.rfind(".") :]) if draw.random() < 0.9 else None
    if packer is not None:
        content = packer(content, 1)
        if draw.random() < 0.3:
            content = _spliced(draw, content)
    return name, content


def _spliced(draw, content):
    place, gone = draw.randint(0, len(content)), draw.randint(0, 3)
    return content[:place] + draw.choice(TOKENS) + content[place + gone :]


def _cut(draw, content):
    return content[: draw.randint(0, len(content))]


def _flipped(draw, content):
    if not content:
        return content
    place = draw.randrange(len(content))
    return content[:place] + bytes([content[place] ^ (1 << draw.randrange(8))]) + content[place + 1 :]


def _lines(draw, content):
    """Lines in another order, some of them twice, some from another file."""
    lines = content.split(b"\n") + draw.choice(GOOD).split(b"\n")[: draw.randint(0, 2)]
    return b"\n".join(draw.choice(lines) for _ in range(draw.randint(0, 2 * len(lines))))


def _large(draw, content):
    """Too many rows, columns, pairs or digits, seldom, since each takes its time."""
    if draw.random() > 0.02:
        return _spliced(draw, content)
    count = draw.choice((301, 1500, 5001, 60_000, 1_000_000))
    return draw.choice(
        (
            lambda: content * (count // 20),
            lambda: b",".join([b"1"] * count) + b"\n" + content,
            lambda: b"1 " + b" ".join(b"%d:1" % j for j in range(1, min(count, 60_000))) + b"\n",
            lambda: b"9" * count + b",1\n" + content,
            lambda: b'"' + content * (count // 50),
            lambda: b"\n" * count + content,
            lambda: b"1 %d:1\n" % count + content,
            lambda: b"\0" * count,
            lambda: draw.randbytes(min(count, 5001)),
            lambda: b"1 " + b"7" * count + b":1\n",
        )
    )()


def _noise(draw, content):
    return draw.randbytes(draw.randint(0, 60)) if draw.random() < 0.1 else _spliced(draw, content)


STIRS = (_spliced, _spliced, _spliced, _cut, _flipped, _lines, _large, _noise)


def attempt(name, content, draw):
    """Return the outcome of one upload: "problem", or the sentence that refused it.

    Raises
    ------
    AssertionError
        A message that is not a sentence, or a problem without a valid certificate.
    Exception
        Whatever else than an `InputError` escapes.
    """
    try:
        target, missing = draw.choice((None, None, None, 0, 1)), draw.choice(MISSING)
        facts = uploads.read(content, name, target, CAPS)
        kind = draw.choice((facts["task"], *uploads.TASKS))
        positive = list(facts["classes"])[-1:] if kind == uploads.CLASSIFICATION else None
        size, is_scaled = draw.choice((None, 0.25)), draw.random() < 0.5
        table = reading.read_upload(content, name, target, CAPS)
        dataset = samples.dataset(table, table.name, positive, size, is_scaled, missing)
        loss = "hinge" if kind == "classification" else "squared"
        problem = Problem(dataset.X, dataset.y, loss, "elastic-net:epsilon=0.1", 0.01, bias="constant")
    except InputError as error:
        sentence = str(error)
        assert re.fullmatch(r"[^\n]{15,600}\.", sentence), sentence
        return sentence
    assert problem.n_samples == len(dataset.y)
    assert dataset.X.shape[1] == len(dataset.feature_names)
    gap = certify(problem, alpha=np.zeros(problem.n_samples)).gap
    assert 0.0 <= gap < np.inf, gap
    return "problem"


def fuzz(count, seed=0, watch_memory=False):
    """Try `count` files; return their outcomes, the slowest seconds and the most megabytes."""
    draw, counts, slowest, most = random.Random(seed), collections.Counter(), 0.0, 0.0
    if watch_memory:
        tracemalloc.start()
    for number in range(count):
        name, content = hostile(draw)
        if watch_memory:
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
        started = time.perf_counter()
        try:
            outcome = attempt(name, content, draw)
        except Exception as error:
            raise AssertionError(f"file {number} of seed {seed}: {name!r} {content[:500]!r}") from error
        slowest = max(slowest, time.perf_counter() - started)
        if watch_memory:
            most = max(most, (tracemalloc.get_traced_memory()[1] - before) / limits.MEGABYTE)
        counts["problem" if outcome == "problem" else "sentence"] += 1
    if watch_memory:
        tracemalloc.stop()
    return counts, slowest, most


def main(count=100_000, seed=0):
    fuzz(20, seed)  # what is imported late
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    started = time.perf_counter()
    counts, slowest, _ = fuzz(count, seed)
    spent = time.perf_counter() - started
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    _, _, most = fuzz(max(count // 20, 1), seed + 1, watch_memory=True)
    print(f"{count:,} files, seed {seed}: {counts['sentence']:,} sentences, {counts['problem']:,} problems")
    print(f"{spent:.0f} s, the slowest {slowest:.2f} s; the process grew by {grown:.0f} MB at its peak")
    print(f"a twentieth as many again: at most {most:.1f} MB for one file")
    return slowest <= SECONDS and most <= MEGABYTES


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)
