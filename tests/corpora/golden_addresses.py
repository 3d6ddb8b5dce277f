"""A corpus of addresses: what each page makes of those it writes, of a teacher's, and of hostile ones.

    python tests/corpora/golden_addresses.py --record

`golden/addresses.json` has the state of each page without an address, and for each query what is other than
there: the settings of the model, the switches that are not settings, the sentences on what was refused, and
the query that the page writes then. The machine is one without the Reuters archive. Home is left out: its
address names lessons, whose list is not a grammar.
"""

import argparse
import json
from pathlib import Path
from unittest import mock
from urllib.parse import parse_qsl, urlencode

import numpy as np
import param

from tests.corpora import table
from workbench.data.examples.plane import SOURCES, write_points
from workbench.pages import lectures, registry, shell
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.shell import Visit, take_upload
from workbench.pages.wording import content
from workbench.pages.your_data.model import EXAMPLES

FILE = Path(__file__).parent / "golden" / "addresses.json"
PAGES = sorted(set(registry.pages()) - {"home"})
# Pages that others replace: what they made of their addresses is not recorded again.
FORMER = sorted(registry.former())
# Values as an address spells them, most of them invalid.
BROKEN = table("addresses")["broken"]
SWITCHES = (
    *table("addresses")["switches"],
    "hide=" + "nav," * 80,
)
HOSTILE = (
    *table("addresses")["hostile"],
    "&".join(f"k{k}=1" for k in range(41)),
    "x" * 2001,
)
X, Y = SOURCES["An outlier"]()
POINTS = (
    write_points(X, Y),
    write_points(X, Y).upper(),
    write_points(X, Y)[:-1],
    write_points(X[:16], Y[:16]),
    "pzzzzm0000",
    "p0000m0000" * 101,
    "pé000m0000",
    "p0000m0000",
)
TEXTS = ("", "u**2 + exp(u)", "ε & = % ä", "x" * 119)


def model_of(page):
    """The model of a page."""
    return registry.of(page).model_type()


def outcome(page, query):
    """Return what a page makes of a query."""
    model, fresh, names = model_of(page), state(page), registry.of(page).names
    asked = dict(parse_qsl(query.removeprefix("?"), errors="replace"))
    with mock.patch.object(shell, "query_value", lambda name: asked.get(name, "")):
        gone = take_upload(model) if page == "dual-lab" else []
    visit = Visit(model, names, query)
    settings = {name: value for name in names if (value := getattr(model, name)) != fresh[name]}
    switches = {name: value for name, value in visit.fixed.items() if value != visit.defaults[name]}
    record = {"settings": settings, "switches": switches, "refused": [*visit.refusals, *gone]}
    return {
        "query": query,
        **{name: value for name, value in record.items() if value},
        "again": visit.query(),
    }


def state(page):
    """The settings of a page without an address."""
    model = model_of(page)
    return {name: getattr(model, name) for name in registry.of(page).names}


def replayed(page, queries):
    """The part of the corpus on one page."""
    with mock.patch.object(dual_lab.data, "locate", return_value=None):
        return {"state": state(page), "cases": [outcome(page, query) for query in queries]}


def queries(page):
    """The queries of a page."""
    declared = registry.of(page)
    names = declared.names
    presets = EXAMPLES if page == "your-data" else content(page.replace("-", "_"))["presets"]
    model, draw = model_of(page), np.random.default_rng(0)

    def values(shares):
        shares = np.broadcast_to(shares, len(names)).tolist()
        return {name: _value(model, name, share) for name, share in zip(names, shares, strict=True)}

    yield from (*HOSTILE, *SWITCHES, f"hide={','.join(names)}&theme=dark")
    # What it writes itself: the steps of a lecture, its presets, and states at its bounds and between.
    yield from lectures.story(page, theme="dark")
    named = {"your-data": "example"}.get(page)
    states = [{named: name} if named else presets[name] for name in presets]
    states += [values(shares) for shares in (0.0, 1.0, *draw.random((4, len(names))))]
    for state in states:
        yield Visit(model_of(page), names, urlencode(state)).query()
    # Beyond the bounds, unlike what a page writes, every key twice, and invalid values.
    yield from (urlencode(values(share)) for share in (-0.01, 1.01, 0.5))
    yield f"{urlencode(values(0.75))}&{urlencode(values(0.25))}"
    yield from ("&".join(f"{name}={text}" for name in names) for text in BROKEN)
    if "points" in names:
        yield from (f"points={text}" for text in POINTS)


def _value(model, name, share):
    """A value of a parameter as an address may have it, at a share of the way between its ends."""
    parameter = model.param[name]
    if isinstance(parameter, param.Number):
        low, high = parameter.bounds
        value = low + share * (high - low)
        return round(value) if isinstance(parameter, param.Integer) else value
    if isinstance(parameter, param.Boolean):
        objects = ("off", "on")
    elif isinstance(parameter, param.Selector):
        objects = [f"{choice:g}" if isinstance(choice, float) else choice for choice in parameter.objects]
    else:
        objects = ("", POINTS[0]) if name == "points" else TEXTS
    return objects[min(max(int(share * len(objects)), 0), len(objects) - 1)]


def record():
    """Write the corpus anew; returns how many addresses it has."""
    with mock.patch.object(dual_lab.data, "locate", return_value=None):
        asked = {page: list(dict.fromkeys(queries(page))) for page in PAGES}
    corpus = {page: replayed(page, asked[page]) for page in PAGES}
    known = json.loads(FILE.read_text("utf-8"))
    corpus = dict(sorted((corpus | {page: known[page] for page in FORMER}).items()))
    lines = (
        f'"{page}": {{"state": {_json(entry["state"])}, "cases": [\n'
        + ",\n".join(map(_json, entry["cases"]))
        + "\n]}"
        for page, entry in corpus.items()
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    return sum(len(entry["cases"]) for entry in corpus.values())


def _json(value):
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", required=True)
    parser.parse_args()
    print(f"{record()} addresses")
