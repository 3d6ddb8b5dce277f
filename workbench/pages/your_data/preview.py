"""What Your data shows of a file and offers to do with it, as HTML; every text of the file is escaped."""

import html

from workbench.pages import shell

MOST_COLUMNS = 8
MOST_ROWS = 5
LONGEST = 24
# The pages that take source=upload-TOKEN.
TAKERS = {"dual-lab": "every step of the solver, and why", "race": "against other solvers"}


def note(text):
    return f"<div class='wb-note'>{html.escape(text)}</div>"


def preview(upload, facts):
    """The numbers of a file and its first rows, the label set apart."""
    cards = "".join(
        f"<div class='wb-stat'><span>{name}</span><b style='overflow: hidden; text-overflow: ellipsis'>"
        f"{html.escape(_cut(value))}</b></div>"
        for name, value in facts
    )
    cell = "style='padding: 2px 12px 2px 0; text-align: left; white-space: nowrap'"
    first = upload.first_rows(MOST_COLUMNS)[:MOST_ROWS]
    if upload.columns:
        shown = list(upload.names[:MOST_COLUMNS])
        label = upload.columns[upload.target]
    else:
        shown, label = ["index:value …"], "label"
    head = "".join(f"<th {cell}>{html.escape(_cut(name))}</th>" for name in (label, *shown))
    more = "<td>…</td>" if upload.X.shape[1] > MOST_COLUMNS else ""
    rows = ""
    for text, entries in first:
        entries = entries if upload.columns else [" ".join(entries)]
        cells = "".join(f"<td {cell}>{html.escape(entry)}</td>" for entry in entries)
        rows += f"<tr><th scope='row' {cell}>{html.escape(_cut(text))}</th>{cells}{more}</tr>"
    # Folded, since the figures come first on a laptop.
    table = (
        "<details class='wb-note' style='margin-top: 8px'><summary>The first rows</summary>"
        "<div style='overflow-x: auto' tabindex='0' role='region' aria-label='The first rows'>"
        f"<table class='wb-note' style='border-spacing: 0'><thead><tr>{head}</tr>"
        f"</thead><tbody>{rows}</tbody></table></div></details>"
    )
    return f"<div class='wb-stats'>{cards}</div>{table}"


def links(visit, values, upload):
    """Where the file may be taken, on the pages that are served."""
    served = shell.served or list(shell.resources.pages())
    lines = "".join(
        f"<p><a href='{html.escape(visit.link(page, **_taken(page, values)))}' "
        f"target='_blank' style='color: {visit.look.blue}; font-weight: 600'>{shell.PAGES[page]}</a>: "
        f"{html.escape(what)}</p>"
        for page, what in TAKERS.items()
        if page in served
    )
    return (
        f"<div class='wb-note'><p>{html.escape(upload.name)} in a page of its own:</p>{lines}"
        "<p>Only those who have the link can see the file; it is deleted some hours after its last use.</p>"
        "</div>"
    )


def _taken(page, values):
    """The race has losses and regularizers of its own."""
    return values if page == "dual-lab" else {"source": values["source"]}


def _cut(text):
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
