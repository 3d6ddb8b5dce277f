"""Frames of the pages without runs, under Node; sources and ranges are those of golden records."""

import json
import lzma
import os
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from tests.corpora.golden_frames import FOLDER
from tests.helpers import coroutines
from tests.helpers.node_engine import missing
from workbench.pages import bundling
from workbench.pages.compare.declaration import Compare
from workbench.pages.compare.model import INPUTS
from workbench.pages.conjugates import model as conjugates
from workbench.pages.conjugates.declaration import Conjugates
from workbench.pages.hosts import blocks
from workbench.pages.online.declaration import Online
from workbench.pages.simplex.declaration import Simplex
from workbench.pages.transfer.declaration import Transfer
from workbench.pages.transfer.model import real_v

HERE = Path(__file__).parent


def _transfer(page, recorded):
    names = [message["name"] for message in page.packed_messages() if message["type"] == "regularizer"]
    formulas = {name: page.answer({"type": "regularizer", "name": name}) for name in names}
    real = real_v("Breast cancer")
    # As the page had them while its drawing was Bokeh's alone.
    return {"formulas": formulas, "real": real._asdict() | {"v": real.v.astype(np.float32)}}


def _simplex(page, recorded):
    names = [message["phi"] for message in page.packed_messages() if message["type"] == "loss"]
    return {name: page.answer({"type": "loss", "phi": name}) for name in names}


def _online(page, recorded):
    return {"rules": page.answer({"type": "rules"})}


def _conjugates(page, recorded):
    """The pairs of the page, and those that were typed, as the record names them."""
    typed = {
        name: coroutines.run(page.answer_own_pair(*cases[0]["typed"]))
        for name, cases in recorded.items()
        if name not in conjugates.PRESETS
    }
    return {name: page.answer_pair(name) for name in conjugates.PRESETS} | typed


def _compare(page, recorded):
    """Return the runs of each recorded setting, and of half its lambda."""
    queries = recorded["settings"] | {"default": ""}
    return {name: {"whole": _runs(query, 1.0), "half": _runs(query, 0.5)} for name, query in queries.items()}


def _runs(query, share):
    """Return the settings of an address with a share of its lambda, and their runs."""
    settings = {key: SPELLED.get(value, value) for key, value in parse_qsl(query)}
    settings |= {key: json.loads(settings[key]) for key in NUMBERS if key in settings}
    page = Compare(**settings)
    page.lam *= share
    inputs = {key: getattr(page, key) for key in INPUTS}
    return {"settings": page.settings(), "runs": coroutines.run(page.answer_runs(**inputs))}


# What a race tells is a matter of the clock: this one was run by nobody.
FITS = [
    {"kind": "fit", "name": name, "seconds": seconds, "relative": relative, "gap": 0.3, "setting": 1e-3}
    for name, seconds, relative in (
        ("workbench newton", 4e-3, 2e-3),
        ("peer", 2e-2, 0.3),
        ("workbench newton", 5e-3, 1e-12),
        ("workbench gauss-seidel", 3e-2, 5e-5),
        ("peer", 0.5, 4e-4),
    )
]
START = {"kind": "start", "names": sorted({fit["name"] for fit in FITS}), "n": 1437, "d": 64}
PAGES = {
    "transfer": (Transfer, _transfer),
    "simplex": (Simplex, _simplex),
    "online": (Online, _online),
    "conjugates": (Conjugates, _conjugates),
    "compare": (Compare, _compare),
}
# Values of an address that are switches.
SPELLED, NUMBERS = {"on": True, "off": False}, ("lam", "tolerance", "zoom")


def _record(name):
    return json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))


@pytest.mark.parametrize("name", PAGES)
def test_frames_hold_under_node(name, tmp_path):
    if bundling.node() is None:
        missing("there is no Node")
    page_type, answers = PAGES[name]
    page = page_type()
    facts = {
        key: fact for key, fact in page.answer({"type": "page"}).items() if key not in ("figures", "styles")
    }
    recorded = _record(name) | ({"start": START, "fits": FITS} if name == "compare" else {})
    value = {"facts": facts, "answers": answers(page, recorded), "recorded": recorded}
    (tmp_path / f"{name}.block").write_bytes(blocks.packed(value))
    command = [bundling.node(), "--test", HERE / f"{name}.test.mjs"]
    run = subprocess.run(command, env=os.environ | {"DRAWN": str(tmp_path)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
