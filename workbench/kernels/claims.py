"""The claims behind a certificate: for each term, how much is proved of the pair of which its gap is made.

A gap needs the claim "bound" alone, p(u) + q(v) - u v >= 0 for all u and v. That of a separable term is that
of its scalar; the others follow from an inequality, which is named.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


@functools.cache
def _table():
    return json.loads(Path(__file__).with_name("claims.json").read_text(encoding="utf-8"))


def of(term: Any) -> dict[str, str]:
    """{claim: "proved" | "checked"} of a loss or regularizer, with "by" where an inequality is trusted."""
    if term.inequality:
        return {"bound": "proved", "by": term.inequality}
    own = getattr(term, "module", None)
    return dict(own.CLAIMS if own is not None else _table()[getattr(term, "key", term.name)])


def proof_status(problem: Any) -> dict[str, dict[str, str]]:
    """{name of a term: its claims} of the loss and the regularizer of a problem."""
    return {term.name: of(term) for term in (problem.loss, problem.regularizer)}


def weakest(proof_status: Mapping[str, Mapping[str, str]]) -> str:
    """Return the status of the weakest bound."""
    return "proved" if all(claims["bound"] == "proved" for claims in proof_status.values()) else "checked"
