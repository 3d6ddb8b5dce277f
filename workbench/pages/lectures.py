"""The lecture of each page: its thesis, what to try, and a story, all in its declaration.

A step has a caption, the figure that fills the screen, and the state of the page's address, as an address
writes it; so every step is an address that can be shared.
"""

from urllib.parse import urlencode

from workbench.pages import registry


def of(page):
    """The `lecture` of a page by its name; empty where there is none."""
    return registry.pages()[page].lecture if page in registry.pages() else registry.NO_LECTURE


def story(page, **look):
    """The queries of a page's steps, in the look of the given keys."""
    return [
        "?" + urlencode({"projector": "on"} | look | {"story": k, "figure": step["figure"]} | step["state"])
        for k, step in enumerate(of(page)["story"], 1)
    ]
