"""What a lecturer says of each page: its thesis, what to try, and a story, all in its declaration.

A step has a caption, the figure that fills the wall, and the state of the page's address, as an address
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


def caption(page, step):
    """HTML of what is said at a step, counted from 1; "" where there is none."""
    steps = of(page)["story"]
    if not 1 <= step <= len(steps):
        return ""
    count = f"<span>{step} / {len(steps)}</span>"
    return f"<div class='wb-story' role='status'>{html.escape(steps[step - 1]['caption'])} {count}</div>"


def opening(page):
    """HTML above the figures: the thesis, and what to try folded beside it."""
    entry = of(page)
    if not entry["thesis"]:
        return ""
    tries = "".join(f"<li>{html.escape(text)}</li>" for text in entry["tries"])
    return (
        f"<div class='wb-thesis'><p>{html.escape(entry['thesis'])}</p>"
        f"<details><summary>Try this</summary><ol>{tries}</ol></details></div>"
    )
