"""The lecture of each page: its thesis, what to try, and a story, all in its declaration.

A step has a caption, the figure that fills the screen, and the state of the page's address, as an address
writes it; so every step is an address that can be shared.
"""

import html
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


def steps(page, **look):
    """Return the steps for the projector: query, caption, and the figures of both halves."""
    return [
        {"search": search, "caption": step["caption"], "figures": figures(page, step)}
        for search, step in zip(story(page, **look), of(page)["story"], strict=True)
    ]


def figures(page, step):
    """The figures of both halves at a step: the page's pair where it has the step's, else that and one."""
    figure, pair = step["figure"], of(page)["projector"]
    return list(pair) if figure in pair else [figure, *pair[:1]]


def opening(page):
    """HTML above the figures: the thesis, and what to try folded beside it."""
    entry = of(page)
    if not entry["thesis"]:
        return ""
    tries = "".join(f"<li>{html.escape(text)}</li>" for text in entry["tries"])
    return (
        f"<div class='wb-thesis' data-page='{page}'><p>{html.escape(entry['thesis'])}</p>"
        f"<details><summary>Try this</summary><ol>{tries}</ol></details></div>"
    )
