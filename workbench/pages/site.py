"""The dashboard as a folder of files: every page that needs no server, and an index with relative links."""

import html
import json
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.pages import export, export_file, preview, registry, theme
from workbench.pages.home import model as home
from workbench.pages.hosts import file, links

INDEX = "index.html"
SERVED = "These pages need the workbench itself, <code>workbench serve</code>: {names}."
# The file of a former name: it leads to the page, with the settings of its own address.
MOVED = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title} · Duality Workbench</title></head>
<body><a href="{page}.html#{query}">{title}</a><script>
const {{ hash, search }} = location;
const settings = new URLSearchParams({query_text});
for (const [name, value] of new URLSearchParams(hash.slice(1) || search)) settings.set(name, value);
location.replace(`{page}.html#${{settings}}`);
</script></body></html>
"""
SAYS = (
    "Each page is one file that needs no server and no network: its results are computed in the browser, or "
    "were stored when the file was written. Every gap is a certificate: the objective exceeds its optimum by "
    "at most that much."
)


def write(folder, look=theme.LIGHT, force=False, say=lambda text: None):
    """Write the index and every page that can be a file into a folder, which is made where it is missing.

    Parameters
    ----------
    folder : path
    look : theme.Look
    force : bool
        Whether files that exist are replaced.
    say : callable
        Hears what is being computed.

    Returns
    -------
    dict of str to int
        The size of each file in bytes.

    Raises
    ------
    InputError
        The folder cannot be made, or holds one of the files already; nothing is written then.
    """
    folder = Path(folder)
    pages = [name for name, page in registry.files().items() if page.sentence]
    paths = {page: folder / f"{page}.html" for page in pages} | {"": folder / INDEX}
    pictures = {page: folder / f"{page}.png" for page in pages}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made ({error.strerror}); name another folder") from None
    shared = [folder / name for name in (file.RUNTIME, file.ANSWERS)]
    moved = {f"{name}.html": moved_text(name, page) for name, page in registry.former().items()}
    for path in (*paths.values(), *pictures.values(), *shared, *(folder / name for name in moved)):
        export_file.check(path, force)
    sizes, others = {}, [(paths[name].name, registry.of(name).title) for name in pages]
    for page in pages:
        beside = pictures[page]
        # Who shows a link to the page where it is shared.
        with files.whole(beside) as picture:
            picture.write(preview.png(page))
        sizes[beside.name] = beside.stat().st_size
    for page in pages:
        if registry.of(page).hosted:
            continue
        say(page)
        text = export.text(page, look, say=lambda run, page=page: say(f"{page}, {run}"))
        text = text.replace("</title>\n", f"</title>\n{preview.picture(pictures[page].name)}", 1)
        sizes[paths[page].name] = export_file.write(
            paths[page], export_file.linked(text, INDEX, others), force
        )
    for name, text in (_hosted_texts(pages, dict(others), pictures, look) | moved).items():
        say(name)
        sizes[name] = export_file.write(folder / name, text, force)
    sizes[INDEX] = export_file.write(paths[""], index(pages, look), force)
    return sizes


def _hosted_texts(pages, others, pictures, look):
    """Return the texts of the hosted pages among these, and of what they share, by the names of the files."""
    hosted = {page: registry.of(page) for page in pages if registry.of(page).hosted}
    heads = {
        name: preview.title(page.title, page.sentence) + preview.picture(pictures[name].name) + links.sheets()
        for name, page in hosted.items()
    }
    begin = f'<script type="module">{links.script()}</script>\n'
    headers = {name: links.header(page, others, INDEX) + begin for name, page in hosted.items()}
    built = {name: export.hosted_page(page) for name, page in hosted.items()}
    return file.site_texts(built, export.query_of(look), heads, headers) if built else {}


def moved_text(name, page):
    """Return the text of the file that leads from a former name of a page to the page."""
    query = page.query_of(name, "")
    title, address = html.escape(page.title), html.escape(query)
    return MOVED.format(title=title, page=page.name, query=address, query_text=json.dumps(query))


def index(pages, look):
    """The text of the index of these pages."""
    entries = [page for page in registry.pages().values() if page.sentence]
    served = ", ".join(page.title for page in entries if page.name not in pages)
    cards = "".join(_card(page, look) for page in entries if page.name in pages)
    note = f"<p>{SERVED.format(names=html.escape(served))}</p>" if served else ""
    main = (
        f"<div class='wb-note'><p>{SAYS}</p></div><div class='x-cards'>{cards}</div>"
        f"<div class='wb-note'>{note}</div>"
    )
    return export_file.still("Home", look, main)


def _card(card, look):
    name = html.escape(card.title)
    curves = card.picture() if card.picture else ()
    picture = home.svg(curves, (look.blue, look.vermillion), f"Curves of the page {name}")
    return (
        f"<section class='x-card'><div class='x-inside'>{picture}"
        f"<h2><a href='{card.name}.html'>{name}</a></h2><p>{html.escape(card.sentence)}</p></div></section>"
    )
