"""The header of every page: the pages, what one can do with this one, the keys."""

import html

from workbench._support.errors import explained
from workbench.pages import registry


def html_of(title, visit, links, help):
    """Navigation and the page's switches in HTML; a menu takes their place in a narrow window."""
    links = "".join(
        f"<a href='{html.escape(target)}'{' aria-current=page' if label == title else ''}>"
        f"{html.escape(label)}</a>"
        for target, label in links.items()
    )
    if not visit.shows("nav"):
        links = f"<a aria-current=page>{html.escape(title)}</a>"
    light = "Light" if visit.look.dark else "Dark"
    projector = "Desk" if visit.look.projector else "Projector"
    switches = (
        "<button type=button data-do=share>Share link</button>"
        f"<button type=button data-do=toggle data-key=theme data-on=dark>{light}</button>"
        f"<button type=button data-do=toggle data-key=projector data-on=on>{projector}</button>"
    )
    help = help | {"?": "show these keys", "Tab": "to the next control, or group of them, in which ← → move"}
    if visit.fixed["projector"]:
        help = {key: text for key, text in help.items() if key != "→"}
        help |= {
            "← →": "previous or next step of the story",
            "1 … 9": "another figure, with Shift in the right half",
            "p": "pin the curves of both figures, up to three",
            "u": "unpin them",
            "q": "the question",
            "a": "add this state as a step of your own story",
            "f": "save your story as a file",
            "o": "open such a file",
            "c": "all controls",
            "w": "the desk",
        }
    page = registry.by_title(title)
    about = explained.of_page(page) if page else None
    door = f"<p><a href='{html.escape(about)}'>About this page</a></p>" if about else ""
    keys = "".join(f"<p><kbd>{html.escape(key)}</kbd> {html.escape(text)}</p>" for key, text in help.items())
    question = (
        "<details class=help><summary aria-label='Keys of this page'>?</summary>"
        f"<div>{keys}{door}</div></details>"
    )
    menu = (
        f"<details class=menu><summary>{html.escape(title)}</summary><div>{links}{switches}</div></details>"
    )
    # Home has a heading of its own.
    name = "" if title == "Home" else f"<h1>{html.escape(title)}</h1>"
    return (
        f"<div class=bar>{name}<b class=brand>Duality Workbench</b><nav aria-label=Pages>{links}</nav>{menu}"
        f"<span class=switches>{switches}</span>{question}</div>"
    )
