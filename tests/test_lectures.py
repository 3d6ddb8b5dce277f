"""What a lecturer says of each page: five steps of a story, each an address that the page takes."""

import html
import importlib
from urllib.parse import parse_qs

import pytest

from workbench.pages import address, lectures
from workbench.pages.shell import PAGES

MODELS = {
    "conjugates": "Conjugates", "transfer": "Transfer", "simplex": "Simplex", "dual-lab": "DualLab",
    "bias": "BiasLab", "svm-gaps": "SvmGaps", "inverse-time": "InverseTime", "norms": "Norms",
    "screening": "ScreeningModel", "roads": "RoadsModel", "race": "RaceModel", "online": "Online",
    "your-data": "YourData",
}  # fmt: skip


def model_of(page):
    module = importlib.import_module(f"workbench.pages.{page.replace('-', '_')}.model")
    return getattr(module, MODELS[page])()


@pytest.mark.parametrize("page", [name for name in PAGES if name != "home"])
def test_every_step_is_an_address_of_its_page(page):
    entry = lectures.of(page)
    assert entry["thesis"].endswith(".")
    assert len(entry["tries"]) == 3
    assert len(entry["story"]) == 5
    model = model_of(page)
    for k, (step, query) in enumerate(zip(entry["story"], lectures.story(page), strict=True), 1):
        keys = [address.key_of(model, name) for name in step["state"]]
        own = {name: text for name, (text,) in parse_qs(query.removeprefix("?")).items()}
        assert (own.pop("projector"), own.pop("story"), own.pop("figure")) == ("on", str(k), step["figure"])
        for key in keys:
            setattr(model, key.name, key.read(own.pop(key.name)))
        assert own == {}
        assert html.escape(step["caption"]) in lectures.caption(page, k)
    assert lectures.caption(page, 6) == lectures.caption(page, 0) == ""
