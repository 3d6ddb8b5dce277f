"""Texts that are no formula, no domain or no assumption on a parameter."""

import tomllib
from pathlib import Path

REFUSED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
