"""Verification of a conjugate pair: claims that are proved, and claims only checked in numbers.

The `checker` decides what is proved. Where a claim is not, numbers speak for it: q as it is evaluated,
against enclosures of the supremum over the formula as given. They prove nothing, and refute what they
contradict.
"""

import mpmath
import sympy as sp

from workbench.conjugates.convex.checker import claims
from workbench.conjugates.convex.checker.forms import BUDGET
from workbench.conjugates.convex.evaluation import DIGITS
from workbench.conjugates.convex.evidence import evidence
from workbench.conjugates.convex.limited import OutOfTime, seconds
from workbench.conjugates.convex.proof import Claim, Verification
from workbench.conjugates.convex.proposal import completed, matched, proposal

# Seconds of processor time: for a proof, for the numbers, and for the current question to end.
SECONDS, KEPT, PATIENCE = 12.0, 5.0, 1.0


@mpmath.workdps(DIGITS)
def verify(pair, function=None):
    """Return the `Verification` of a pair with one case or several; `function` stands in for its q."""
    functions = None if function is None else [function]
    try:
        cases = matched(pair, functions)
    except claims.ProofError as error:
        return Verification((Claim("cases", "failed", str(error)),))
    try:
        limit = min(SECONDS, BUDGET.remaining - min(KEPT, BUDGET.remaining / 4))
        # A normal form may grow for minutes inside one question.
        with BUDGET.limited_to(limit), seconds(max(limit, 0.0) + PATIENCE):
            verdicts = claims.check(completed(proposal(pair, functions)))
    except (claims.ProofError, OutOfTime) as error:
        reason = str(error) or f"the time of {SECONDS:.0f} seconds is over"
        verdicts = [claims.Claim(name, False, reason) for name in claims.NAMES]
    if all(claim.shown for claim in verdicts):
        return Verification(tuple(Claim(claim.name, "proved", claim.detail) for claim in verdicts))
    if any(not (q.parts or q.knots) for q, _ in cases):
        return Verification((Claim("cases", "failed", "no formula is evaluated"),))
    convex = any(claim.shown for claim in verdicts if claim.name == "convex")
    results = [
        evidence(member.text, member.p, q, member.setting, _domain_ends(member), convex, member.units)
        for q, case in cases
        for member in getattr(case.pair, "members", (case.pair,))
    ]
    worst = min(results, key=lambda result: (result.status != "failed", result.counts["agrees"]))
    rows = [
        Claim(claim.name, "proved", claim.detail)
        if claim.shown
        else Claim(claim.name, worst.status, f"missing step: {claim.detail}")
        for claim in verdicts
    ]
    return Verification((*rows, Claim("numbers", worst.status, worst.detail)), worst.fault)


def _domain_ends(pair):
    """Return the ends of the domain that was named."""
    region = pair.notes.get("wanted")
    return (-sp.oo, sp.oo) if region is None else (region.inf, region.sup)
