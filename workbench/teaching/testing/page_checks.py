"""Checks of a page: its address restores, refuses, and takes what its own story gives."""

from urllib.parse import urlencode

import numpy as np


def _visit(page, query):
    """Return a page with the settings of an address, and a sentence for each that is refused."""
    from workbench._support.errors import InputError
    from workbench.pages import address

    opened = page.page_type()
    values, refusals = address.read(query, address.keys_of(opened, page.names).values())
    try:
        opened.change(values)
    except InputError as error:
        refusals.append(str(error))
    return opened, refusals


def _query(page, opened):
    """Return the query of the address of a page."""
    from workbench.pages import address

    defaults = {name: opened.param[name].default for name in page.names}
    return address.write(opened.settings(), defaults, address.keys_of(opened, page.names).values())


def _random_settings(model, names, rng):
    """Yield a value for each parameter that has a list, a switch or bounds."""
    import param

    for name in names:
        what = model.param[name]
        if isinstance(what, param.Selector):
            yield name, what.objects[rng.integers(len(what.objects))]
        elif isinstance(what, param.Boolean):
            yield name, bool(rng.integers(2))
        elif isinstance(what, param.Number):
            low, high = what.bounds or (None, None)
            if low is not None and high is not None:
                is_whole = isinstance(what, param.Integer)
                yield name, int(rng.integers(low, high + 1)) if is_whole else float(rng.uniform(low, high))


def an_address_restores_the_settings(page):
    """Whatever is chosen, the address of it brings a fresh visit to the same."""
    rng = np.random.default_rng(0)
    for _ in range(5):
        model, _ = _visit(page, "")
        for name, value in _random_settings(model, page.names, rng):
            try:
                setattr(model, name, value)
            except ValueError:  # what does not go with the others
                continue
        query = _query(page, model)
        restored, refusals = _visit(page, query)
        assert refusals == [], refusals
        for name in page.names:
            one, other = getattr(model, name), getattr(restored, name)
            same = np.isclose(one, other, rtol=1e-14, atol=0.0) if isinstance(one, float) else one == other
            assert same, f"{name} = {one!r} comes back as {other!r} from {query}"


def an_address_refuses_what_it_does_not_know(page):
    """In a sentence that names the setting; the default stays."""
    default, _ = _visit(page, "")
    settings = dict(_random_settings(default, page.names, np.random.default_rng(0)))
    for name in settings:
        for text in ("<script>", "1e999"):
            model, refusals = _visit(page, f"?{name}={text}")
            assert any(name in sentence for sentence in refusals), f"{name} = {text!r} is taken"
            assert getattr(model, name) == getattr(default, name)
    _, refusals = _visit(page, "?nothing=1")
    assert any("nothing" in sentence for sentence in refusals)


def its_story_is_taken(page):
    """No step of its story has an address that is refused."""
    for step in page.lecture["story"]:
        _, refusals = _visit(page, urlencode(step["state"]))
        assert refusals == [], (step, refusals)


PAGE_CHECKS = (an_address_restores_the_settings, an_address_refuses_what_it_does_not_know, its_story_is_taken)
