"""Faults of a file, and how to correct them: one table, which an exported page fills in as well.

Templates of `str.format`; `pages/runtime/wording.js` knows the same forms. Options are spelled as in Python.
"""

import json
from pathlib import Path

TEXTS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def sentence(name: str, **values) -> str:
    """Return a sentence of the table with these values."""
    return TEXTS[name].format(**values)
