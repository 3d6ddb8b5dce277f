"""How much of a large random test runs: a sample in `make test`, all of it in `make thorough`."""

import os

THOROUGH = bool(os.environ.get("WORKBENCH_THOROUGH"))


def amount(sample, whole):
    """The number of random cases for this run."""
    return whole if THOROUGH else sample
