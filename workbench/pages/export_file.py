"""One file of HTML with all that it needs: Bokeh, KaTeX, styles and data, and no leave to fetch more.

Scripts and data are compressed. What a user typed enters the file twice at the most: as escaped HTML, and in
the data, which base64 writes without a tag.
"""

import base64
import dataclasses
import gzip
import html
import json
import re
import tempfile
from pathlib import Path

from bokeh.resources import Resources

from workbench import __version__
from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.pages import browser, formulas, lectures, preview, ranges, registry, theme

COMPONENTS = ["bokeh", "bokeh-widgets"]
# The browser itself refuses every request; Bokeh makes functions of the scripts that its models bring.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; "
    "worker-src blob:; style-src 'unsafe-inline'; font-src data:; img-src data: blob:; "
    "form-action 'none'; base-uri 'none'"
)
STILL = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
BRAND = "<b>Duality Workbench</b>"
# The look that a file is shown in, and its code as a notebook.
SWITCHES = (
    "<span class='x-switches'><button type='button' data-do='notebook'>Notebook</button>"
    "<button type='button' data-do='embed'>Embed</button>"
    "<button type='button' data-do='toggle' data-key='theme'></button>"
    "<button type='button' data-do='toggle' data-key='projector'></button></span>"
)


def page(title, look, sidebar, main, program, data):
    """The text of the file.

    Parameters
    ----------
    title : str
    look : theme.Look
    sidebar, main : str
        HTML; whatever a user typed is escaped in it.
    program : str
        The bundle that runs the page with `data`.
    data
        Whatever JSON can hold.
    """
    declared = registry.by_title(title)
    pair = declared.lecture["projector"] if declared else []
    scripts, modules = [*bokeh(), formulas.katex()], [browser.bundle("shared"), browser.bundle(program)]
    shown = {"look": _switched(look, pair), "sheet": formulas.sheet()}
    program = packed({"scripts": scripts, "modules": modules} | shown)
    loader = browser.bundle("loader") + f'load("{program}", "{packed(data)}");\n'
    opening = lectures.opening(declared.name) if declared else ""
    body = (
        f'<div class="x-page">\n<section class="x-sidebar" aria-label="Controls">{sidebar}</section>\n'
        "<main><div id='x-story' class='wb-story' role='status' hidden></div>"
        f"{opening}{main}</main>\n</div>\n"
        + _licences([*scripts, *modules])
        + script(loader, " type='module'")
    )
    return _document(title, look, POLICY, body, formulas.faces(), SWITCHES)


def _switched(look, pair):
    """What a file goes by to be shown in another look: its own, and the colours of the other theme."""
    here, there = look, theme.look(dark=not look.dark)
    names = [each.name for each in dataclasses.fields(theme.Look) if each.name not in ("dark", "projector")]
    colours = {getattr(here, name).lower(): getattr(there, name) for name in names}
    for palette in (browser.palette, ranges.bands):
        colours |= zip(map(str.lower, palette(here)), palette(there), strict=True)
    return {"dark": look.dark, "large": look.projector, "pair": pair, "colours": colours}


def _licences(scripts):
    """The licences in the scripts, which are compressed, as a comment."""
    comments = re.findall(r"/\*!.*?\*/", "\n".join(scripts), re.DOTALL)
    # Two hyphens would end the comment.
    text = "\n".join(dict.fromkeys(comments)).replace("--", "- -")
    return f"<!--\n{text}\n-->\n"


def still(title, look, main):
    """The text of a file without scripts."""
    body = f'<div class="x-page x-still"><main>{main}</main></div>'
    return _document(title, look, STILL, body)


def linked(text, address, pages=()):
    """The text of a file with links in its header: to an index, and to pairs of an address and a title."""
    links = "".join(f'<a href="{html.escape(place)}">{html.escape(title)}</a>' for place, title in pages)
    text = text.replace(BRAND, f'<a href="{html.escape(address)}">{BRAND}</a>', 1)
    return text.replace("</h1>", f"</h1><nav aria-label='Pages'>{links}</nav>" if links else "</h1>", 1)


def opening_at(text, query):
    """The text of a file that opens at the settings of an address."""
    state = json.dumps("#" + query.removeprefix("?")).replace("<", "\\u003c")
    begin = f"if (!location.hash) history.replaceState(null, '', location.search + {state});"
    return text.replace("<body>", f"<body>\n{script(begin)}", 1) if query else text


def _document(title, look, policy, body, styles="", switches=""):
    declared = registry.by_title(title)
    sheets = look.css + look.sheet("file") + look.sheet("projector")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Duality Workbench {__version__}">
<title>{html.escape(title)} · Duality Workbench</title>
{preview.title(title, declared.sentence if declared else "")}<style>{sheets}{styles}</style>
</head>
<body>
<header>{BRAND}<h1>{html.escape(title)}</h1>{switches}</header>
{body}
</body>
</html>
"""


def script(code, kind=""):
    """A script tag; a closing tag inside it, which may stand in a string or a comment only, is broken up."""
    return f"<script{kind}>" + re.sub(r"</(?=script)", r"<\\/", code, flags=re.IGNORECASE) + "</script>\n"


def bokeh():
    """The scripts of Bokeh alone: with Panel loaded, Bokeh's own list would add files of a server."""
    return Resources(mode="inline", components=COMPONENTS).js_raw


def packed(data):
    """JSON, compressed, in base64: small, and free of every character that means something in HTML."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def reveal(question, answer):
    """A question whose answer shows when it is asked for."""
    hidden = f"<details><summary>Reveal</summary><p>{html.escape(answer)}</p></details>"
    return f"<div class='wb-note'><p>{html.escape(question)}</p>{hidden}</div>"


def card(title, content):
    """A titled card of HTML."""
    heading = f"<div class='wb-head'><h2 class='wb-card-title'>{html.escape(title)}</h2></div>"
    return f"<section class='x-card'>{heading}<div class='x-inside'>{content}</div></section>"


def check(path, force):
    """Refuse a place that cannot be written, before anything is computed."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file such as {path / 'page.html'}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}; create it first")
    if path.exists() and not force:
        raise InputError(f"{path} already exists; name another file, or give --force to replace it")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise _unwritable(path, error) from None


def write(path, text, force):
    """Write the file whole or not at all; returns its size in bytes."""
    check(path, force)
    content = text.encode()
    try:
        with files.whole(path) as file:
            file.write(content)
    except OSError as error:
        raise _unwritable(path, error) from None
    return len(content)


def _unwritable(path, error):
    return InputError(f"{path} cannot be written ({error.strerror}); name another place")
