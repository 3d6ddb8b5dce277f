"""A lecturer's story of each page has five steps, each an address that the page accepts."""

from urllib.parse import parse_qs

import pytest

from workbench.pages import address, lectures, registry


@pytest.mark.parametrize("page", [name for name in registry.pages() if name != "home"])
def test_every_step_is_an_address_of_its_page(page):
    entry = lectures.of(page)
    assert entry["thesis"].endswith(".")
    assert len(entry["tries"]) == 3
    assert len(entry["story"]) == 5
    model = registry.of(page).page_type()
    for k, (step, query) in enumerate(zip(entry["story"], lectures.story(page), strict=True), 1):
        keys = [address.key_of(model, name) for name in step["state"]]
        own = {name: text for name, (text,) in parse_qs(query.removeprefix("?")).items()}
        assert (own.pop("projector"), own.pop("story"), own.pop("figure")) == ("on", str(k), step["figure"])
        for key in keys:
            setattr(model, key.name, key.read(own.pop(key.name)))
        assert own == {}
