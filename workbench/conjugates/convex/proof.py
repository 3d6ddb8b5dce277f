"""The record of a derivation: readable steps, and claims with their status."""

from dataclasses import dataclass
from typing import NamedTuple

# From weakest to strongest; a verification is as strong as its weakest claim.
STATUSES = ("failed", "checked", "proved")


class Step(NamedTuple):
    """One step of a derivation: a heading, a formula in LaTeX and the reason why it holds."""

    title: str
    latex: str
    reason: str


@dataclass(frozen=True)
class Claim:
    """One statement, "proved" for all values, "checked" in numbers only, or "failed".

    `detail` says what was shown and how; of a claim that was only checked it names the missing step.
    """

    name: str
    status: str
    detail: str


@dataclass(frozen=True)
class Verification:
    """The claims that together make q the conjugate of p; `fault` says what contradicts them, if anything."""

    claims: tuple[Claim, ...]
    fault: str = ""

    def _repr_html_(self):
        from workbench._support.display import cards

        return cards.verification(self)

    def __repr__(self):
        return f"Verification({self.status}, {len(self.claims)} claims)"

    @property
    def status(self):
        """The status of the weakest claim; "failed" where nothing is claimed."""
        return min((claim.status for claim in self.claims), key=STATUSES.index, default="failed")

    @property
    def statuses(self):
        """Name of a claim -> its status."""
        return {claim.name: claim.status for claim in self.claims}
