"""The interactive pages: a folder for each page, and beside the folders what pages share.

`registry` finds the pages, `wasm` is the engine that runs the kernels in a browser, `hosts` carries a page
that is one module in Panel, a notebook and a file, `server` has the routes, places and limits of visits,
`runtime` the modules of JavaScript that all pages use.

`wb.pages.Bias` is the class of the page of that name: `pn.Column(wb.pages.Bias(lam=0.01))`, the last line of
a notebook's cell, `wb.pages.Bias().html()`.

>>> import workbench as wb
>>> page = wb.pages.Bias(lam=0.01)
>>> page.settings()["lam"]
0.01

Read first: `registry.py`, then `bias/__init__.py` and `bias/declaration.py`. No page imports another.
"""

import importlib

from workbench._support.system import extras


def _types():
    """Return the declarations of the pages that are classes, by the classes' names."""
    registry = importlib.import_module("workbench.pages.registry")
    return {page.hosted.rpartition(":")[2]: page for page in registry.pages().values()}


def __getattr__(name):
    # Modules, which `from workbench.pages import name` asks for first, have small letters.
    if name == "__all__":
        return sorted(_types())
    if name[:1].isupper() and name in (types := _types()):
        extras.need("pages", f"wb.pages.{name}")
        return types[name].page_type
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_types()})
