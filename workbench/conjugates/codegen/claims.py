"""The text of `workbench/kernels/claims.json`: what was shown of the pair of each built-in term."""

import json
from pathlib import Path

from workbench.conjugates.terms import LOSSES, REGULARIZERS
from workbench.conjugates.terms.derived import coordinate_conjugate, derive_loss

TARGET = Path(__file__).resolve().parents[2] / "kernels" / "claims.json"


def generate():
    """Return the table as JSON, the same for the same terms."""
    table = {term.name: derive_loss(term).pair.verify().statuses for term in LOSSES}
    for term in REGULARIZERS:
        if term.structure == "separable":
            table[term.name] = coordinate_conjugate(term)[0].verify().statuses
    return json.dumps(table, indent=1) + "\n"
