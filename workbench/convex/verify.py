"""What is proved of a conjugate pair, and what is only checked in numbers.

Four claims together say that q, as it is evaluated, is the conjugate of the closed convex p:

    convex    p'' >= 0 on every piece, p continuous, one-sided slopes in order where pieces meet
    pieces    q(p'(u)) = u p'(u) - p(u) identically in u on every curved piece
    places    q(v) = a v - p(a) between the one-sided slopes at every kink and end a
    domain    the slopes of p cover the domain of q; an end belongs where u v - p(u) has a finite limit

A fifth compares q with the supremum of u v - p(u), maximized in numbers over the formula as it was
given: it proves nothing, but it shares no step with the derivation. A claim is "proved" where SymPy, z3 or
interval arithmetic shows it for all values of the parameters, "checked" where only numbers speak for it.
"""

from itertools import pairwise

import mpmath
import sympy as sp

from workbench.convex.comparison import AGREE, FAR, compare, refuse_wrong
from workbench.convex.evaluation import DIGITS
from workbench.convex.identity import is_zero
from workbench.convex.judged import judge
from workbench.convex.numeric import supremum
from workbench.convex.proof import Claim, Verification
from workbench.convex.wording import words

__all__ = ["AGREE", "FAR", "compare", "is_zero", "refuse_wrong", "supremum", "verify_cases", "verify_pair"]


@mpmath.workdps(DIGITS)
def verify_pair(pair, function=None):
    """The `Verification` of a pair; of another function in place of its q where one is given."""
    function = pair.q if function is None else function
    if pair.shape is None:
        return Verification((_point(pair, function),))
    claims = [_convex(pair), _order(pair), *_primal(pair), *judge(pair, function), _numeric(pair, function)]
    # Numbers that agree take nothing away from a proof; numbers that do not agree refute it.
    if claims[-1].status == "checked" and all(claim.status == "proved" for claim in claims[:-1]):
        claims[-1] = Claim(claims[-1].name, "proved", claims[-1].detail + "; implied by the claims above")
    return Verification(tuple(claims))


def verify_cases(pair):
    """The claims of every case, for the function that is evaluated there and for each region it covers."""
    claims = []
    known = {case.condition: case.pair for case in pair.cases}
    for condition, function in pair.q.cases:
        derived = known.pop(condition, None)
        if derived is None:
            claims.append(Claim("cases", "checked", f"missing step: {words(condition)} was derived"))
            continue
        for member in getattr(derived, "members", (derived,)):
            where = sp.And(*member.setting.conditions) if len(pair.cases) > 1 else condition
            for claim in verify_pair(member, function).claims:
                name = f"{claim.name}, {words(where)}".removesuffix(", ")
                claims.append(Claim(name, claim.status, claim.detail, claim.kind))
    if known:
        claims.append(Claim("cases", "failed", f"no formula is evaluated for {words(next(iter(known)))}"))
    elif list(pair.q.cases) and len(pair.q.cases) == len(pair.cases):
        detail = "each question that the parameters decide was split into answers of which one always holds"
        claims.append(Claim("cases", "proved", detail))
    return Verification(tuple(claims))


def _point(pair, function):
    (knot,) = pair.p.knots
    wanted = knot.place * function.variable - knot.value
    whole = len(function.parts) == 1 and not function.knots and function.parts[0][:2] == (-sp.oo, sp.oo)
    if whole and is_zero(function.parts[0].expr - wanted):
        return Claim("point", "proved", "the supremum over one point is its value there")
    return Claim("point", "failed", f"the supremum over one point is {wanted} for every v")


def _convex(pair):
    leave, proofs = pair.setting.leave, pair.shape.proofs
    for piece, proof in zip(pair.shape.pieces, proofs, strict=True):
        if proof.status != "proved":
            place = f"({leave(piece.low)}, {leave(piece.high)})"
            return Claim("convex", "checked", f"missing step: p'' >= 0 on {place}; {proof.detail}")
    means = list(dict.fromkeys(proof.detail for proof in proofs if proof.detail))
    if not means:
        return Claim("convex", "proved", "p'' >= 0 on every piece")
    kind = " and ".join(means)
    return Claim("convex", "proved", f"p'' >= 0 on every piece, proved {kind}", kind)


def _order(pair):
    peek = pair.setting.peek
    for (_, before), (after, _) in pairwise(pair.shape.slopes):
        if before != after and peek(after - before) not in (0, 1):
            return Claim("meeting", "checked", f"missing step: the slopes {before} and {after} are in order")
    for (_, before), (after, _) in pairwise(pair.shape.values):
        if not is_zero(before - after) and peek(before - after) != 0:
            return Claim("meeting", "checked", f"missing step: the values {before} and {after} agree")
    return Claim("meeting", "proved", "p is continuous and its slopes are in order where pieces meet")


def _primal(pair):
    """Nothing where p is evaluated as it was derived; a claim that failed where it was replaced."""
    from workbench.convex.spans import primal

    wanted, given = primal(pair.shape, pair.setting), pair.p
    if type(given) is type(wanted) and (given.parts, given.knots) == (wanted.parts, wanted.knots):
        return []
    return [Claim("primal", "failed", "p is evaluated by another formula than the one that was derived from")]


def _numeric(pair, function):
    """q against the supremum over the formula as given, at points inside, at the ends and outside."""
    count, fault = compare(pair, pair.setting.enter(pair.given), function=function)
    if fault:
        return Claim("numbers", "failed", fault)
    return Claim(
        "numbers",
        "checked",
        f"q agrees with the supremum in numbers at {count} points, ends and outside included",
    )
