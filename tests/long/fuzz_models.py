"""Damaged models by the thousand: python tests/long/fuzz_models.py COUNT SEED FOLDER.

Each is a file that a solution saved, of which one entry, or its bytes, were changed. It must be refused in a
sentence that names the entry, or predict finite numbers. Compiled loops test no index, so this runs in a
process of its own, whose end shows what they did.
"""

import collections
import contextlib
import faulthandler
import json
import random
import sys
import traceback
import warnings
from pathlib import Path

import numpy as np

import workbench as wb
from tests.unit.solvers import test_contract as contracts
from workbench._support.errors import InputError

# Seconds that one file may take; an endless loop shows by it.
SECONDS = 60
INTEGERS = (
    *(-1, 0, 1, 2, 5, 23, 24, 25, 100, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**62, 2**63 - 1, -(2**63)),
)
NUMBERS = (
    *(np.nan, np.inf, -np.inf, 1e308, -1e308, 1e200, 1e17, 5e-324, -5e-324, 0.0, -0.0, 0.5, 1.0, -1.0, 25.0),
)
VALUES = (
    *(None, True, "", "x", -1, 0, 1.5, 2**64, 10**400, 1e308, float("nan"), float("inf"), [], [[]], {}, [1]),
)


# --- what is damaged


def bases(folder):
    """Saved files of four kinds of models."""
    X, square = contracts.X, contracts.X @ contracts.X.T
    models = [
        ("weights", X, wb.Problem(X, contracts.LABELS, "hinge", lam=0.1, bias="constant")),
        ("classes", X, wb.Problem(X, contracts.CLASSES, "multinomial", lam=0.1)),
        ("kernel", X, wb.Problem(X, contracts.LABELS, "hinge", lam=0.1, kernel="polynomial:degree=3")),
        ("given", square, wb.Problem(square, contracts.LABELS, "hinge", lam=0.1, kernel="precomputed")),
    ]
    return [_model(folder / f"{name}.npz", name, *model) for name, *model in models]


def _model(path, name, rows, problem):
    wb.solve(problem, tol=1e-2).save(path)
    return name, path, lambda damaged: predict(wb.Solution.load(damaged), rows)


# --- what it does


def predict(solution, rows):
    """Use a loaded model in the ways that its owner would."""
    z = solution.decision_function(rows)
    assert z.shape[0] == rows.shape[0]
    assert np.isfinite(z).all()
    solution.predict(rows)
    return [repr(solution), solution._repr_html_(), solution.history]


# --- how it is damaged


def damaged(draw, content, path):
    """Write a damaged file; returns the entry that was changed and how, None for the bytes themselves."""
    meta, arrays = content
    if draw.random() < 0.05:
        return None, _bytes(draw, content, path)
    if draw.random() < 0.1:
        name, how = draw.choice(sorted(meta)), draw.choice(VALUES)
        changed = {**meta, name: how}
        if name == "description":
            part = draw.choice(sorted(meta[name]))
            changed[name] = {**meta[name], part: how}
        if draw.random() < 0.1:
            changed.pop(name)
        write(path, changed, arrays)
        return name, repr(how)[:60]
    names = sorted(arrays)
    # Few entries hold places and counts.
    places = [name for name in names if arrays[name].dtype.kind in "iub" and not name.startswith("history_")]
    name = draw.choice(places if places and draw.random() < 0.5 else names)
    how = draw.choice(DAMAGES)
    changed = dict(arrays)
    how(draw, changed, name)
    write(path, meta, changed)
    return name, how.__name__


def write(path, meta, arrays):
    np.savez(path, header=np.array(json.dumps(meta)), **arrays)


def _bytes(draw, content, path):
    write(path, *content)
    data = bytearray(path.read_bytes())
    if draw.random() < 0.5:
        del data[draw.randrange(len(data)) :]
    else:
        for _ in range(draw.choice((1, 3, 30))):
            data[draw.randrange(len(data))] = draw.randrange(256)
    path.write_bytes(data)
    return "bytes"


def entry(draw, arrays, name):
    """Another number in one place."""
    array = arrays[name] = arrays[name].copy()
    if not array.size:
        return
    kind, place = array.dtype.kind, draw.randrange(array.size)
    if kind in "iu":
        limits = np.iinfo(array.dtype)
        near = [int(array.flat[place]) + step for step in (-1, 1)]
        allowed = [value for value in (*INTEGERS, *near) if limits.min <= value <= limits.max]
        array.flat[place] = draw.choice(allowed)
    elif kind == "f":
        value = float(array.flat[place])
        array.flat[place] = draw.choice((*NUMBERS, -value, 1e8 * value, value + 0.5))
    elif kind == "b":
        array.view(np.uint8).flat[place] = draw.choice((0, 1, 2, 7, 255))


def entries(draw, arrays, name):
    """Other numbers in several places."""
    for _ in range(draw.choice((2, 5, 20))):
        entry(draw, arrays, name)


def filled(draw, arrays, name):
    """One number everywhere."""
    array = arrays[name] = arrays[name].copy()
    entry(draw, arrays, name)
    if array.size and array.dtype.kind in "iufb":
        arrays[name][...] = arrays[name].flat[draw.randrange(array.size)]


def shuffled(draw, arrays, name):
    """The same numbers in another order."""
    order = np.random.default_rng(draw.randrange(2**32)).permutation(arrays[name].size)
    arrays[name] = arrays[name].reshape(-1)[order].reshape(arrays[name].shape)


def typed(draw, arrays, name):
    """Another type."""
    kind = draw.choice(("f4", "f8", "i4", "i8", "u4", "u8", "c16", "U8", "?", ">f8", ">i8", "S3", "M8[s]"))
    with contextlib.suppress(TypeError, ValueError):
        arrays[name] = arrays[name].astype(kind)


def shaped(draw, arrays, name):
    """Another shape."""
    array = arrays[name]
    ways = (
        lambda: array.ravel()[:-1],
        lambda: np.append(array.ravel(), array.ravel()[-1:]),
        lambda: array[None],
        lambda: array.reshape(-1, 1),
        lambda: array.ravel(),
        lambda: np.array(0, dtype=array.dtype),
        lambda: array.ravel()[:0],
        lambda: np.asfortranarray(array),
        lambda: array.T,
        lambda: array.ravel()[::-1],
        lambda: np.zeros((100, 100), dtype=array.dtype),
    )
    arrays[name] = draw.choice(ways)()


def missing(draw, arrays, name):
    """Left out."""
    del arrays[name]


def more(draw, arrays, name):
    """An entry beside it that nobody knows."""
    other = draw.choice((name + "_", "expansion_other", "history_other", "other"))
    arrays[other] = arrays[name]


def exchanged(draw, arrays, name):
    """Two entries in each other's place, of one type and shape where there are such."""
    alike = [
        other
        for other, array in arrays.items()
        if other != name and (array.dtype, array.shape) == (arrays[name].dtype, arrays[name].shape)
    ]
    other = draw.choice(sorted(alike or arrays))
    arrays[name], arrays[other] = arrays[other], arrays[name]


DAMAGES = (entry, entry, entry, entries, filled, shuffled, typed, shaped, missing, more, exchanged)


# --- the run of it all


def read(path):
    with np.load(path) as archive:
        arrays = dict(archive)
    return json.loads(str(arrays.pop("header"))), arrays


def fuzz(count, seed, folder):
    """Damage files and use them; prints each before it is used, and what came of all of them."""
    warnings.simplefilter("ignore")
    models = bases(folder)
    for _, path, use in models:
        use(path)
    known = [(*model, read(model[1])) for model in models]
    faults = []
    ends, draw, path = collections.Counter(), random.Random(seed), folder / "damaged.npz"
    for number in range(count):
        name, _, use, content = draw.choice(known)
        field, how = damaged(draw, content, path)
        print(f"{number} {name} {field} {how}", flush=True)
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        try:
            use(path)
            ends["used"] += 1
        except InputError as error:
            text = str(error)
            # A refusal says where and what to do.
            if "; " not in text:
                faults.append(f"{number} {name} {field} {how}: {text}")
            ends["refused"] += 1
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            faults.append(f"{number} {name} {field} {how}: {type(error).__name__}: {error} ({where})")
        faulthandler.cancel_dump_traceback_later()
    return {**ends, "faults": faults}


if __name__ == "__main__":
    print(json.dumps(fuzz(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))))
