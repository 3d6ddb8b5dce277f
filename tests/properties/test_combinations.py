"""Every accepted combination of loss, regularizer, bias, kernel and solver is solved, or refused by name.

A sample in which every loss, regularizer, kernel and bias meets every solver; `python
tests/long/combinations.py` runs the whole table.
"""

from collections import Counter

import numpy as np

from tests.long.combinations import outcome, sample, summary

# Parts of the sample, so that a failure says early what fails.
PARTS = 8


def test_every_combination_is_solved_or_refused_by_name(capsys):
    counts, faults = Counter(), []
    for part in np.array_split(np.array(sample(0.01, few=True), dtype=object), PARTS):
        for cell in part:
            kind, text = outcome(cell)
            counts[kind] += 1
            if kind == "fault":
                faults.append(f"{cell}: {text}")
        assert not faults, "\n".join(faults)
    with capsys.disabled():
        print(f"\n{summary(counts)}")
    assert counts["solved"] > 60
    assert counts["refused"] > counts["certified"] > 0
