"""The derivation of a conjugate as steps that a student can read."""

import sympy as sp

from workbench.conjugates.convex.proof import Step
from workbench.conjugates.convex.wording import interval


def derivation(pair, notes):
    """Return the steps of a `Pair`, in order."""
    u, v = sp.latex(pair.p.variable), sp.latex(pair.q.variable)
    steps = [
        Step(
            "What is asked",
            rf"q({v}) = \sup_{{{u}}} \; {u}{v} - p({u}), \qquad p({u}) = {pair.p.latex}",
            "The conjugate is the largest distance by which the line of slope "
            f"{pair.q.variable} through the origin lies above p."
            + (
                " No domain was named: p lives where the formula is real and finite."
                if notes["natural"]
                else ""
            )
            + (" Here e is Euler's number, 2.71828..." if sp.sympify(notes["given"]).has(sp.E) else ""),
        )
    ]
    if pair.shape is None:
        reason = "p is finite at a single point, so the supremum is taken over that point alone."
        return [*steps, Step("One point", rf"q({v}) = {pair.q.latex}", reason)]
    steps += [
        _place_step(pair, part) if part.piece_index is None else _piece_step(pair, part)
        for part in pair.conjugate_pieces
    ]
    steps.append(_domain_step(pair))
    whole = Step("The conjugate", rf"q({v}) = {pair.q.latex}", "All parts put together; +∞ elsewhere.")
    steps.append(whole)
    return steps


def _interval(low, high):
    return rf"\left({sp.latex(low)}, {sp.latex(high)}\right)"


def _piece_step(pair, part):
    u, v = pair.p.variable, pair.q.variable
    expr, _, low, high = part.inverse
    title = f"The piece on {interval(low, high)}"
    equation = rf"p'({sp.latex(u)}) = {sp.latex(sp.diff(expr, u))} = {sp.latex(v)}"
    slopes = _interval(part.low, part.high)
    if part.implicit:
        reason = (
            "The supremum is where the slope of p is v. No closed form of this root was found, so it is "
            "computed in numbers, by bisection on the increasing slope."
        )
        return Step(title, rf"{equation}, \quad {sp.latex(u)} \in {_interval(low, high)}", reason)
    formula = rf"{equation} \;\Rightarrow\; {sp.latex(u)} = {sp.latex(part.root)}, \quad "
    formula += rf"q({sp.latex(v)}) = {sp.latex(part.expr)}, \quad {sp.latex(v)} \in {slopes}"
    reason = (
        "u v - p(u) is concave in u, so where its derivative v - p'(u) vanishes it is largest; put that u in."
    )
    return Step(title, formula, reason)


def _place_step(pair, part):
    u, v, at, low, high = pair.p.variable, pair.q.variable, part.root, part.low, part.high
    formula = rf"q({sp.latex(v)}) = {sp.latex(part.expr)}, \quad {sp.latex(v)} \in {_interval(low, high)}"
    if low.is_infinite or high.is_infinite:
        title = f"The end {u} = {at} of the domain"
        reason = "For these slopes u v - p(u) falls all the way from the end, so the supremum is there."
    else:
        title = f"The kink at {u} = {at}"
        reason = f"The slope of p jumps from {low} to {high}; every line between touches p at this point."
    return Step(title, formula, reason)


def _domain_step(pair):
    v, slopes = pair.q.variable, []
    for name, closed, end in (
        ("lower", not pair.q.parts or pair.q.closed_below, pair.q.domain.inf),
        ("upper", not pair.q.parts or pair.q.closed_above, pair.q.domain.sup),
    ):
        if end.is_infinite:
            continue
        verdict = (
            "finite, so it belongs to the domain"
            if closed
            else "infinite, so it does not belong to the domain"
        )
        slopes.append(f"at the {name} end {end} the limit of u v - p(u) is {verdict}")
    reason = "q is finite for the slopes that p takes"
    reason += "; " + "; ".join(slopes) + "." if slopes else ", which are all numbers."
    return Step("The domain", rf"{sp.latex(v)} \in {sp.latex(pair.q.domain)}", reason)
