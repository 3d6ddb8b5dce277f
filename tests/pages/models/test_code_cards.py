"""The code that a page shows stands alone: it imports what is public, and its numbers are not cut."""

import ast

import pytest

from workbench.pages.compare import model as compare
from workbench.pages.compare import races
from workbench.pages.compare.declaration import Compare
from workbench.pages.conjugates import model as conjugates
from workbench.pages.online import model as online
from workbench.pages.simplex import model as simplex
from workbench.pages.transfer import model as transfer

# Weights with more digits than any slider shows.
LAM = 0.0123456789
CARDS = {
    "compare": lambda: compare.answer(compare.build(Compare(lam=LAM).settings()))["code"],
    "race": lambda: races.code(Compare(lam=LAM).settings()),
    "conjugates": lambda: conjugates.python(next(iter(conjugates.PRESETS.values()))),
    "transfer": lambda: transfer.python(transfer.SHAPES["Elastic net"]),
    "online": lambda: online.python(online.RULES["Winnow"], True),
    "simplex": lambda: simplex.python().replace("{arguments}", ""),
}


@pytest.mark.parametrize("name", CARDS)
def test_code_imports_what_is_public(name):
    """No page's own module, and nothing whose name says that it is private."""
    text = CARDS[name]()
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in getattr(node, "names", [])] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        for module in names:
            assert not module.startswith("workbench.pages"), text
            assert not any(part.startswith("_") for part in module.split(".")), text
    assert "workbench.pages" not in text


@pytest.mark.parametrize("name", ["race", "compare"])
def test_no_number_is_cut(name):
    assert repr(LAM) in CARDS[name]()
