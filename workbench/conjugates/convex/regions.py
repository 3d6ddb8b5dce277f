"""One derivation for each region of the parameters, and regions with the same formula as one.

A derivation that meets a question whose answer depends on the parameters raises `Split`; it then runs
again under each answer. So every case is derived for values all of which give the same answers. A border,
as a = 5, is a region of its own until its formula turns out to be that of a neighbour.
"""

import itertools

import sympy as sp

from workbench._support.errors import ConvexityError, UndecidedError
from workbench.conjugates.convex.decisions import Solver, declared
from workbench.conjugates.convex.function import Knot, Part
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.pair import Case, CasedPair
from workbench.conjugates.convex.pieces import NowhereFiniteError
from workbench.conjugates.convex.setting import Setting, Split

REGIONS = 48
CASES = 12
CLOSED = {sp.StrictLessThan: sp.LessThan, sp.StrictGreaterThan: sp.GreaterThan}


def explored(parsed, derive):
    """Return the pair of all regions; `derive` makes the pair of one `Setting`."""
    waiting: list[tuple[sp.Basic, ...]] = [()]
    excluded: list[tuple[tuple[sp.Basic, ...], Exception]] = []
    regions, count = [], 0
    while waiting:
        conditions = waiting.pop()
        setting = Setting(parsed.parameters, conditions)
        if setting.is_empty:
            continue
        count += 1
        if count > REGIONS:
            raise UndecidedError(
                f"{parsed.expr}: its form changes with the parameters in more than {CASES} ways; "
                "narrow their ranges"
            )
        try:
            regions.append(Region(conditions, (derive(setting),)))
        except Split as split:
            waiting += [(*conditions, condition) for condition in reversed(split.conditions)]
        except (ConvexityError, UndecidedError, NowhereFiniteError) as error:
            if not conditions:
                raise
            excluded.append((conditions, error))
    if not regions:
        raise excluded[0][1]
    if not excluded and len(regions) == 1:
        return regions[0].pairs[0]
    return _assembled(parsed, merged(regions, parsed.parameters), excluded)


class Region:
    """Conditions, and the pairs of the regions that it was made of; the first has the formula."""

    def __init__(self, conditions, pairs):
        self.conditions, self.pairs = tuple(conditions), tuple(pairs)


def _assembled(parsed, regions, excluded):
    if len(regions) > CASES:
        raise UndecidedError(
            f"{parsed.expr}: its conjugate has {len(regions)} cases in the parameters, more than {CASES}; "
            "narrow their ranges"
        )
    cases, solver = [], Solver(declared(parsed.parameters))
    for region in regions:
        pair = region.pairs[0]
        pair.members = region.pairs
        cases.append(Case(sp.And(*_needed(region.conditions, solver)), pair))
    outside = [(sp.And(*conditions), error) for conditions, error in excluded]
    return CasedPair(cases, outside, parsed, Setting(parsed.parameters))


def _needed(conditions, solver):
    """Return the conditions without those that follow from the others."""
    needed = list(conditions)
    for condition in conditions:
        rest = [other for other in needed if other != condition]
        if solver.excludes(*rest, condition.negated):
            needed = rest
    return needed


def merged(regions, parameters):
    """Regions with the same formula as one, where one list of conditions says both."""
    regions, solver = list(regions), Solver(declared(parameters))
    cache: dict[tuple[int, int], bool] = {}
    while True:
        for i, j in itertools.permutations(range(len(regions)), 2):
            both = _joined(regions[i], regions[j], solver, cache)
            if both is not None:
                rest = [region for k, region in enumerate(regions) if k not in (i, j)]
                place = min(i, j)
                regions = [*rest[:place], both, *rest[place:]]
                break
        else:
            return regions


def _joined(first, second, solver, cache):
    """One region of two that share the formula of the first, or None."""
    whole = _hull(first.conditions, second.conditions, solver)
    if whole is None:
        return None
    border = {c.lhs: c.rhs for c in second.conditions if isinstance(c, sp.Equality) and c.lhs.is_Symbol}
    mine, its = first.pairs[0].q, second.pairs[0].q
    key = id(mine), id(its)
    if key not in cache:
        cache[key] = has_same_formula(mine, its, border)
    return Region(whole, first.pairs + second.pairs) if cache[key] else None


def _hull(first, second, solver):
    """Conditions that hold in two regions and nowhere else, or None."""
    candidates = [loose for condition in (*first, *second) for loose in (condition, *_closed(condition))]
    hull = []
    for condition in dict.fromkeys(candidates):
        for region in (first, second):
            if condition not in region and not solver.excludes(*region, condition.negated):
                break
        else:
            hull.append(condition)
    hull = [c for c in hull if not any(c in _closed(other) for other in hull)]
    outside = [sp.Or(*(condition.negated for condition in region)) for region in (first, second)]
    return tuple(hull) if solver.excludes(*hull, *outside) else None


def _closed(condition):
    kind = CLOSED.get(type(condition))
    return [kind(condition.lhs, condition.rhs)] if kind else []


def has_same_formula(f, g, border):
    """Return whether two convex functions are the same formula, the first taken at the border.

    Parts that have shrunk to a point there are left out, and knots that the formula goes through.
    """
    parts, knots = (f.parts, f.knots) if not border else at_border(f, border)
    if [part.implicit for part in parts] != [part.implicit for part in g.parts]:
        return False
    for mine, its in zip(parts, g.parts, strict=True):
        forms, others = (
            (part.low, part.high, *((i.expr, i.low, i.high) if part.implicit else (part.expr,)))
            for part in (mine, its)
            for i in (part.inverse,)
        )
        if not all(_equal(a, b, border) for a, b in zip(forms, others, strict=True)):
            return False
    pairs = [both for mine, its in zip(knots, g.knots, strict=False) for both in zip(mine, its, strict=True)]
    return len(knots) == len(g.knots) and all(_equal(a, b, border) for a, b in pairs)


def at_border(f, border):
    """(parts, knots) of a function at the border: no empty parts, and equal neighbours as one."""
    parts: list[Part] = []
    joined: list[sp.Expr] = []
    for part in f.parts:
        if vanishes(part.high - part.low, border):
            continue
        if parts and not part.implicit and _equal(parts[-1].expr, part.expr, border):
            joined.append(part.low)
            parts[-1] = parts[-1]._replace(high=part.high)
        else:
            parts.append(part)
    knots: list[Knot] = []
    for knot in f.knots:
        is_knot = any(_equal(knot.place, other.place, border) for other in knots)
        if not is_knot and not any(_equal(knot.place, place, border) for place in joined):
            knots.append(knot)
    return parts, knots


def _equal(a, b, border):
    return a == b or (a.is_finite is not False and b.is_finite is not False and vanishes(a - b, border))


def vanishes(difference, border):
    """Return whether an expression is zero at the border."""
    form = attempt(lambda: sp.sympify(difference).subs(border))
    if form is None or form.has(sp.nan, sp.zoo, sp.oo):
        return False
    return form == 0 or any(attempt(way, form, limit=1.0) == 0 for way in (sp.expand, sp.simplify))
