"""A place to drop a file, on the served page and in exported ones: what it says and how it looks."""

import html

from workbench.pages import theme


def text(megabytes):
    """What the place asks for."""
    return f"Drop a CSV or LIBSVM file here, or press to choose one; at most {megabytes} MB"


def card(megabytes, name):
    """The place in an exported page, hidden until it can take files, with a line on the data in use."""
    label = html.escape(text(megabytes))
    return (
        f"<div id='x-{name}' hidden><label class='drop'><span>{label}. It stays in this browser.</span>"
        f"<input type='file' aria-label='{label}'></label>"
        f"<div class='wb-status said' role='status' id='x-{name}-line'></div>"
        f"<div class='x-pace'><button type='button' id='x-{name}-back' hidden>back to the packed data"
        "</button></div></div>"
    )


def css(look):
    """The place's style."""
    return f"""
.drop {{
  display: block; position: relative; padding: 14px 12px; text-align: center; cursor: pointer;
  border: 2px dashed {look.muted}; border-radius: 8px; background: {look.paper}; color: {look.ink};
  font: {look.px(13)}/1.4 {theme.FONT};
}}
.drop:hover, .drop.over {{ border-color: {look.blue}; }}
.drop:focus-within {{ outline: 2px solid {look.blue}; outline-offset: 1px; }}
.drop input {{ position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer; }}
.drop + .said {{ margin: 8px 0; overflow-wrap: anywhere; line-height: 1.45; }}
"""
