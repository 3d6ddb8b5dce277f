"""The header of every page: the pages, what one can do with this one, the keys."""

import html

from workbench.errors import explained
from workbench.pages import registry, theme


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
            "q": "the question and its vote",
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


def css(look):
    return f"""
:host {{ font-family: {theme.FONT}; color: {look.ink}; font-size: {look.px(14)}; }}
.bar {{ visibility: var(--wb-bar, inherit); display: flex; align-items: stretch; gap: 16px; height: 51px; }}
/* For those who hear the page; what is seen is the link of the present page. */
h1 {{
  position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}}
.brand {{ align-self: center; font-size: {look.px(17)}; white-space: nowrap; }}
nav {{ display: flex; min-width: 0; overflow: auto hidden; scrollbar-width: none; }}
nav a {{
  color: {look.muted}; text-decoration: none; padding: 0 8px; display: flex; align-items: center;
  white-space: nowrap; border-bottom: 2px solid transparent;
}}
nav a:hover {{ color: {look.ink}; }}
nav a[aria-current] {{ color: {look.blue}; font-weight: 600; border-color: {look.blue}; }}
.switches {{ margin-left: auto; display: flex; align-items: center; flex: none; }}
button, summary {{
  font: {look.px(13)} {theme.FONT}; color: {look.muted}; background: none; border: 0; padding: 6px 8px;
  cursor: pointer; border-radius: 6px; white-space: nowrap;
}}
button:hover, summary:hover {{ color: {look.ink}; background: {look.ground}; }}
:focus-visible {{ outline: 2px solid {look.blue}; outline-offset: 1px; }}
details {{ position: relative; align-self: center; }}
summary {{ list-style: none; }}
.help summary {{
  font-weight: 600; padding: 6px 11px; border: 1px solid {look.rule}; border-radius: 50%;
}}
details > div {{
  position: absolute; right: 0; top: 40px; z-index: 10;
  width: max-content; max-width: 300px; padding: 8px 14px;
  background: {look.paper}; border: 1px solid {look.rule}; border-radius: 8px; font-size: {look.px(13)};
}}
details p {{ margin: 6px 0; }}
kbd {{ border: 1px solid {look.rule}; border-radius: 4px; padding: 1px 6px; margin-right: 6px; }}
.menu {{ display: none; }}
.menu summary {{ font-size: {look.px(14)}; font-weight: 600; color: {look.blue}; }}
.menu summary::after {{ content: " ▾"; }}
.menu > div {{ left: 0; right: auto; }}
.menu a, .menu button {{
  display: block; width: 100%; text-align: left; color: {look.ink}; text-decoration: none; padding: 8px 0;
}}
@media (max-width: 1700px) {{ .brand {{ display: none; }} }}
@media (max-width: 1500px) {{
  .bar {{ gap: 8px; }} nav a {{ padding: 0 5px; font-size: {look.px(13)}; }}
}}
@media (max-width: 1020px) {{
  nav, .switches {{ display: none; }} .menu {{ display: block; }} .help {{ margin-left: auto; }}
}}
"""
