"""Tables of cases and records, and the modules that read and write them."""

import tomllib
from pathlib import Path


def table(name):
    """What a file of cases holds: `corpora/NAME.toml`."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
