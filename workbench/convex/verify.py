"""What is proved of a conjugate pair, and what is only checked in numbers.

The `checker` decides what is proved. Where a claim is not, numbers speak for it: q as it is evaluated,
against enclosures of the supremum over the formula as given. They prove nothing, and refute what they
contradict.
"""

import mpmath
import sympy as sp

from workbench.convex.checker import claims, grammar
from workbench.convex.checker.forms import BUDGET, settled
from workbench.convex.evaluation import DIGITS
from workbench.convex.evidence import evidence
from workbench.convex.primitives import formula
from workbench.convex.proof import Claim, Verification
from workbench.convex.proposal import completed, matched, proposal

# Of processor time: for a proof, and what is kept for the numbers.
SECONDS, KEPT = 12.0, 5.0


@mpmath.workdps(DIGITS)
def verify(pair, function=None):
    """The `Verification` of a pair with one case or several; of another q where `function` is given."""
    functions = None if function is None else [function]
    if pair.cases[0].pair.shape is None:
        return Verification((_point(pair, pair.q if function is None else function),))
    try:
        cases = matched(pair, functions)
    except claims.ProofError as error:
        return Verification((Claim("cases", "failed", str(error)),))
    try:
        with BUDGET.of(min(SECONDS, BUDGET.remaining - KEPT)):
            verdicts = claims.check(completed(proposal(pair, functions)))
    except claims.ProofError as error:
        verdicts = [claims.Claim(name, False, str(error)) for name in claims.NAMES]
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
    worst = min(results, key=lambda each: (each.status != "failed", each.counts["agrees"]))
    rows = [
        Claim(claim.name, "proved", claim.detail)
        if claim.shown
        else Claim(claim.name, worst.status, f"missing step: {claim.detail}")
        for claim in verdicts
    ]
    return Verification((*rows, Claim("numbers", worst.status, worst.detail)), worst.fault)


def _domain_ends(pair):
    """The ends of the domain that was named."""
    region = pair.notes.get("wanted")
    return (-sp.oo, sp.oo) if region is None else (region.inf, region.sup)


def _point(pair, function):
    (knot,) = pair.p.knots
    expected = formula(knot.place * function.variable - knot.value)
    whole = len(function.parts) == 1 and not function.knots and function.parts[0][:2] == (-sp.oo, sp.oo)
    if whole:
        actual = formula(function.parts[0].expr)
        difference = grammar.read(f"({actual}) - ({expected})")
        if settled(lambda face: face.is_zero(face.form(difference))):
            return Claim("point", "proved", "the supremum over one point is its value there")
    return Claim("point", "failed", f"the supremum over one point is {expected} for every v")
