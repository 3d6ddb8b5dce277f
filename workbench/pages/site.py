"""The dashboard as a folder of files: every page that needs no server, with Home as the index."""

import html
import json
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.pages import export, preview, registry, theme
from workbench.pages.hosts import file, links

INDEX = "index.html"
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


def write(folder, look=theme.LIGHT, force=False, say=lambda text: None):
    """Write Home and every page that can be a file into a folder, which is made where it is missing.

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
    pages = [name for name, page in registry.pages().items() if page.sentence]
    addresses = {"home": INDEX} | {page: f"{page}.html" for page in pages}
    pictures = {page: folder / f"{page}.png" for page in pages}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made ({error.strerror}); name another folder") from None
    texts = [folder / name for name in (*addresses.values(), file.RUNTIME, file.ANSWERS)]
    moved = {f"{name}.html": moved_text(name, page) for name, page in registry.former().items()}
    for path in (*texts, *pictures.values(), *(folder / name for name in moved)):
        export.check(path, force)
    sizes = {}
    for page in pages:
        beside = pictures[page]
        # Who shows a link to the page where it is shared.
        with files.whole(beside) as picture:
            picture.write(preview.png(page))
        sizes[beside.name] = beside.stat().st_size
    for name, text in (_texts(addresses, look) | moved).items():
        say(name)
        sizes[name] = export.write(folder / name, text, force)
    return sizes


def moved_text(name, page):
    """Return the text of the file that leads from a former name of a page to the page."""
    query = page.query_of(name, "")
    title, address = html.escape(page.title), html.escape(query)
    return MOVED.format(title=title, page=page.name, query=address, query_text=json.dumps(query))


def _texts(addresses, look):
    """Return the texts of the pages, and of what they share, by the names of the files."""
    built, heads, headers, footers = {}, {}, {}, {}
    begin = f'<script type="module">{links.script()}</script>\n'
    for name, address in addresses.items():
        page, stem = registry.of(name), address.removesuffix(".html")
        built[stem] = export.page_of(page)
        built[stem].others = addresses
        picture = preview.picture(f"{name}.png") if page.sentence else ""
        heads[stem] = preview.title(page.title, page.sentence) + picture + links.sheets()
        headers[stem] = links.header(page, addresses) + begin
        footers[stem] = links.footer(page, addresses)
    return file.site_texts(built, export.query_of(look), heads, headers, footers)
