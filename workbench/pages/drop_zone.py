"""A place to drop a file, on the served page and in exported ones: what it says."""

import html


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
