"""The sentences of a page: one table, which Python and the browser fill in alike."""

import functools
import json
from pathlib import Path


class Wording:
    """Templates of `str.format` by name, of a page's `texts.json`; runtime/wording.js fills in the same."""

    def __init__(self, page):
        self.texts = _read(page, "texts.json")

    def format_text(self, name, **values):
        """A sentence of the table with these values."""
        return self.texts[name].format(**values)


@functools.cache  # a page's modules take their parts of it
def content(page):
    """Return the entries of a page's `content.json`, such as presets and questions; lists are tuples."""
    return _fixed(_read(page, "content.json"))


def _read(page, name):
    return json.loads((Path(__file__).parent / page / name).read_text(encoding="utf-8"))


def _fixed(value):
    if isinstance(value, dict):
        return {name: _fixed(entry) for name, entry in value.items()}
    return tuple(map(_fixed, value)) if isinstance(value, list) else value
