"""Rounds on disk: where lineage begins anew, and where a run goes on whose client or scheduler has died."""

import json
import shutil
from pathlib import Path
from typing import get_type_hints

import numpy as np

from workbench._support.errors import InputError
from workbench._support.system import storage
from workbench.studies.distributed.parts import ONE_AT_A_TIME

LATEST = "latest.json"


def write(folder, name, value):
    """Keep a state or a center; a task."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with storage.whole(Path(folder) / f"{name}.npz") as file:
            np.savez(file, **_arrays(value))
    except OSError as error:
        raise InputError(
            f"{folder}: the checkpoint cannot be written here ({error.strerror or error}); make room, or "
            "give another folder that every worker can write to"
        ) from None


def read(folder, name, kind):
    """A state or a center that was kept; a task."""
    with ONE_AT_A_TIME, np.load(Path(folder) / f"{name}.npz", allow_pickle=False) as archive:
        return _tuple_of(kind, dict(archive))


def _arrays(value):
    """The fields of a named tuple, and of those in it, by their dotted names."""
    arrays = {}
    for name, each in value._asdict().items():
        is_tuple = hasattr(each, "_fields")
        arrays |= {f"{name}.{k}": x for k, x in _arrays(each).items()} if is_tuple else {name: each}
    return arrays


def _tuple_of(kind, arrays):
    """A named tuple of its `_arrays`."""
    values = {}
    for name, hint in get_type_hints(kind).items():
        if hasattr(hint, "_fields"):
            within = {k.removeprefix(f"{name}."): x for k, x in arrays.items() if k.startswith(f"{name}.")}
            values[name] = _tuple_of(hint, within)
        else:
            values[name] = arrays[name].item() if arrays[name].ndim == 0 else arrays[name]
    return kind(**values)


class Checkpoints:
    """A folder with the last round that was kept.

    Parameters
    ----------
    folder : path
    digest : str
        Of what the rounds depend on; a folder of another run is refused.
    """

    def __init__(self, folder, digest):
        self.folder, self.digest = Path(folder), digest
        self.folder.mkdir(parents=True, exist_ok=True)

    def place(self, t):
        """The folder of a round."""
        return str(self.folder / f"round-{t}")

    def commit(self, t, rows, count):
        """All blocks of a round are kept: the run goes on there from now on, in as many blocks."""
        about = {"digest": self.digest, "round": t, "rows": rows, "blocks": count}
        storage.write(self.folder / LATEST, json.dumps(about))
        for old in self.folder.glob("round-*"):
            if str(old) != self.place(t):
                shutil.rmtree(old, ignore_errors=True)

    def latest(self):
        """The last round that was kept, the history until then and the number of blocks; at first nothing."""
        try:
            about = json.loads((self.folder / LATEST).read_text(encoding="utf-8"))
            t, rows, digest, count = int(about["round"]), about["rows"], about["digest"], about["blocks"]
        except FileNotFoundError:
            return 0, [], None
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{self.folder / LATEST} is damaged; delete the folder to start again") from None
        if digest != self.digest:
            raise InputError(
                f"checkpoint: {self.folder} contains a run with other data, parts or options; give another "
                "folder, or delete this one"
            )
        return t, rows, count
