"""Tables of cases and records, and the modules that read and write them."""

import tomllib
from pathlib import Path


def table(name):
    """Return the contents of a file of cases, `corpora/NAME.toml`."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


def named(entry):
    """Return the name of the test of an entry."""
    return entry.name.replace(" ", "-").replace(",", "")


def by_name(entries, names):
    """The entries of these names."""
    entries_by_name = {entry.name: entry for entry in entries}
    return [entries_by_name[name] for name in names]
