"""Rounds on disk: where lineage begins anew, and where a run goes on whose client or scheduler has died."""

import json
import os
import shutil
from pathlib import Path

import numpy as np

from workbench.distributed.rounds import Center, State, Word
from workbench.errors import InputError
from workbench.system import storage

LATEST = "latest.json"


def write_state(folder, k, state):
    """Keep the state of a part; a task."""
    _write(folder, f"part-{k}.npz", state._asdict())


def write_center(folder, center):
    """Keep the center; a task."""
    plain = center._asdict()
    _write(
        folder, "center.npz", {f"word_{name}": x for name, x in plain.pop("word")._asdict().items()} | plain
    )


def _write(folder, name, arrays):
    try:
        os.makedirs(folder, exist_ok=True)
        with storage.whole(Path(folder) / name) as file:
            np.savez(file, **arrays)
    except OSError as error:
        raise InputError(f"{folder}: the checkpoint cannot be kept here ({error.strerror or error}); "
            f"make room, or "
                         "give another folder that every worker can write to") from None  # fmt: skip


def read_state(folder, k):
    """The state of a part; a task."""
    with np.load(Path(folder) / f"part-{k}.npz") as found:
        return State(**{name: _plain(found[name]) for name in State._fields})


def read_center(folder):
    """The center; a task."""
    with np.load(Path(folder) / "center.npz") as found:
        word = Word(**{name: _plain(found[f"word_{name}"]) for name in Word._fields})
        rest = {name: _plain(found[name]) for name in Center._fields if name != "word"}
    return Center(word, **rest)


def _plain(array):
    return array.item() if array.ndim == 0 else array


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

    def commit(self, t, rows):
        """All parts of a round are kept: the run goes on there from now on."""
        about = {"digest": self.digest, "round": t, "rows": rows}
        storage.write(self.folder / LATEST, json.dumps(about))
        for old in self.folder.glob("round-*"):
            if str(old) != self.place(t):
                shutil.rmtree(old, ignore_errors=True)

    def latest(self):
        """The last round that was kept and the history until then; None where there is none."""
        try:
            about = json.loads((self.folder / LATEST).read_text(encoding="utf-8"))
            t, rows, digest = int(about["round"]), about["rows"], about["digest"]
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{self.folder / LATEST} is damaged; take the folder away to begin anew"
            ) from None
        if digest != self.digest:
            raise InputError(
                f"checkpoint: {self.folder} holds a run on other data, parts or options; give another "
                f"folder, or "
                "take this one away"
            )
        return t, rows
