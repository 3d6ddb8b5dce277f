"""What Your data shows of a file and offers to do with it, as HTML; every text of the file is escaped."""

import html

from workbench.data.tables.columns import as_text
from workbench.pages import registry
from workbench.pages.numerals import numerals
from workbench.pages.your_data import new_rows

MAX_COLUMNS = 8
MAX_ROWS = 5
LONGEST = 24
# The pages that take source=upload-TOKEN.
TAKERS = {"dual-lab": "every step of the solver, and why", "compare": "against other solvers"}


def note(text):
    return f"<div class='wb-note'>{html.escape(text)}</div>"


def preview(upload, facts):
    """The numbers of a file and its first rows, the label set apart."""
    cards = "".join(
        f"<div class='wb-stat'><span>{name}</span><b style='overflow: hidden; text-overflow: ellipsis'>"
        f"{html.escape(_cut(value))}</b></div>"
        for name, value in facts
    )
    first = upload.first_rows(MAX_COLUMNS)[:MAX_ROWS]
    if upload.columns:
        names = list(upload.names[:MAX_COLUMNS])
        label = upload.columns[upload.target]
    else:
        names, label = ["index:value …"], "label"
    more = upload.X.shape[1] > MAX_COLUMNS
    rows = [(_cut(text), *(entries if upload.columns else [" ".join(entries)])) for text, entries in first]
    # Folded, since the figures come first on a laptop.
    return (
        f"<div class='wb-stats'>{cards}</div><details class='wb-note' style='margin-top: 8px'>"
        f"<summary>The first rows</summary>{_table((label, *names), rows, more, 'The first rows')}</details>"
    )


def predictions(result):
    """The first rows of a `Predicted`, the predictions first."""
    outs = result.new_columns[: len(result.heads)]
    inputs = [name for name in result.table.columns if name not in result.new_columns][:MAX_COLUMNS]
    first = result.table.head(MAX_ROWS)
    rows = [
        tuple(map(_cut, (_cell(place), *map(_numeral, numbers), *map(_cell, cells))))
        for place, numbers, cells in zip(first.index, _rows(first, outs), _rows(first, inputs), strict=True)
    ]
    more = len(outs) + len(inputs) < result.table.shape[1]
    return _table(
        (new_rows.format_text("place"), *result.heads, *inputs), rows, more, new_rows.format_text("preview")
    )


def _numeral(value):
    return numerals(_cell(value)) if isinstance(value, float) else _cell(value)


def _rows(frame, names):
    return frame[names].itertuples(index=False)


def _cell(value):
    """A cell, nothing where it is empty."""
    if value is None or value != value:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else as_text(value)


def _table(head, rows, more, label):
    """Rows whose first entry heads them, in a region of this label that scrolls."""
    cell = "style='padding: 2px 12px 2px 0; text-align: left; white-space: nowrap'"
    head = "".join(f"<th {cell}>{html.escape(_cut(name))}</th>" for name in head)
    more = "<td>…</td>" if more else ""
    body = ""
    for first, *entries in rows:
        cells = "".join(f"<td {cell}>{html.escape(entry)}</td>" for entry in entries)
        body += f"<tr><th scope='row' {cell}>{html.escape(first)}</th>{cells}{more}</tr>"
    return (
        f"<div style='overflow-x: auto' tabindex='0' role='region' aria-label='{html.escape(label)}'>"
        f"<table class='wb-note' style='border-spacing: 0'><thead><tr>{head}</tr>"
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def links(visit, values, upload):
    """Where the file may be taken, on the pages that are served."""
    served, titles = registry.served or registry.pages(), registry.titles()
    lines = "".join(
        f"<p><a href='{html.escape(visit.link(page, **_settings(page, values)))}' "
        f"target='_blank' style='color: {visit.look.blue}; font-weight: 600'>{titles[page]}</a>: "
        f"{html.escape(what)}</p>"
        for page, what in TAKERS.items()
        if page in served
    )
    return (
        f"<div class='wb-note'><p>{html.escape(upload.name)} in a page of its own:</p>{lines}"
        "<p>Only those who have the link can see the file; it is deleted some hours after its last use.</p>"
        "</div>"
    )


def _settings(page, values):
    """Return the settings of a link: only the Dual lab has the same losses and regularizers."""
    return values if page == "dual-lab" else {"source": values["source"]}


def _cut(text):
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
