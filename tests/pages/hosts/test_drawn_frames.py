"""Frames of the pages without runs, under Node; sources and ranges are those of golden records."""

import json
import lzma
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.corpora.golden_frames import FOLDER
from tests.helpers import coroutines
from tests.helpers.node_engine import missing
from workbench.pages import bundling
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


PAGES = {
    "transfer": (Transfer, _transfer),
    "simplex": (Simplex, _simplex),
    "online": (Online, _online),
    "conjugates": (Conjugates, _conjugates),
}


@pytest.mark.parametrize("name", PAGES)
def test_frames_hold_under_node(name, tmp_path):
    if bundling.node() is None:
        missing("there is no Node")
    page_type, answers = PAGES[name]
    page = page_type()
    facts = {
        key: fact for key, fact in page.answer({"type": "page"}).items() if key not in ("figures", "styles")
    }
    recorded = json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))
    value = {"facts": facts, "answers": answers(page, recorded), "recorded": recorded}
    (tmp_path / f"{name}.block").write_bytes(blocks.packed(value))
    command = [bundling.node(), "--test", HERE / f"{name}.test.mjs"]
    run = subprocess.run(command, env=os.environ | {"DRAWN": str(tmp_path)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
