"""What a lecturer says of each page: its thesis, what to try, and a story of five steps, in lectures.json.

A step has a caption, the figure that fills the wall, and the state of the page's address, as an address
writes it; so every step is an address that can be shared.
"""

import functools
import html
import json
from pathlib import Path
from urllib.parse import urlencode


@functools.cache
def of(page):
    """The entry of a page by its name in `shell.PAGES`; empty where there is none."""
    texts = json.loads(Path(__file__).with_name("lectures.json").read_text("utf-8"))
    return texts.get(page, {"thesis": "", "tries": [], "story": []})


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
