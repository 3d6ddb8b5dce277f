"""Cards and tables as HTML that needs no script and no style sheet, in light and in dark."""

import html
import math

# Colours come from the page around it; lines and shades are the text's own colour, faint.
CARD = (
    "border:1px solid color-mix(in srgb, currentColor 25%, transparent);border-radius:6px;padding:8px 14px;"
    "margin:4px 0;display:inline-block;max-width:100%;overflow-x:auto;vertical-align:top"
)
CELL = "padding:2px 14px 2px 0;text-align:left;vertical-align:top"
HEAD = f"{CELL};font-weight:600;white-space:nowrap"

SHEET = (
    ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;"
    "padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}section{overflow-x:auto}"
    "code{font:13px ui-monospace,monospace;white-space:pre-wrap}"
)


def escaped(value):
    """Return a value as text within HTML; what is HTML already passes as `Safe`."""
    return str(value) if isinstance(value, Safe) else html.escape(_text(value))


class Safe(str):
    """Text that is HTML."""


def _text(value):
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else str(value)
    return str(value)


def card(title, *parts):
    """Return a titled box, which the keyboard can scroll where it is too narrow."""
    body = "".join(escaped(part) for part in parts)
    return Safe(
        f"<div style='{CARD}' tabindex='0' role='group' aria-label='{escaped(title)}'><div "
        f"style='font-weight:600;margin-bottom:4px'>{escaped(title)}</div>{body}</div>"
    )


def facts(pairs):
    """Return a table of names and values."""
    rows = "".join(
        f"<tr><th scope='row' style='{HEAD}'>{escaped(name)}</th><td "
        f"style='{CELL}'>{escaped(value)}</td></tr>"
        for name, value in pairs
    )
    return Safe(f"<table style='border-collapse:collapse;margin:0'><tbody>{rows}</tbody></table>")


def table(heads, rows):
    """Return a table with a head."""
    head = "".join(f"<th scope='col' style='{HEAD}'>{escaped(text)}</th>" for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td style='{CELL}'>{escaped(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return Safe(
        f"<table style='border-collapse:collapse;margin:0'><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def paragraph(text):
    """One paragraph."""
    return Safe(f"<p style='margin:4px 0'>{escaped(text)}</p>")


def page(title, *sections):
    """Return a page of its own: sections of a heading and parts, fetched from nowhere."""
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">"
        f"<title>{escaped(title)}</title><style>{SHEET}</style></head>"
        f"<body><h1>{escaped(title)}</h1>{joined(sections)}</body></html>\n"
    )


def joined(sections):
    """Return sections of a heading and parts, one below the other."""
    return "".join(
        f"<section><h2>{escaped(heading)}</h2>{''.join(escaped(part) for part in parts)}</section>"
        for heading, *parts in sections
    )
