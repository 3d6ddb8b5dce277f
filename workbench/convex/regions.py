"""One derivation for each region of the parameters, and regions with the same formula as one.

A derivation that meets a question whose answer depends on the parameters raises `Split`; it then runs
again under each answer. So every case is derived for values all of which give the same answers. A border,
as a = 5, is a region of its own until its formula turns out to be that of a neighbour.
"""

import sympy as sp

from workbench.convex.limited import attempt
from workbench.convex.pair import Case, CasedPair
from workbench.convex.setting import Setting, Split
from workbench.convex.shape import EmptyDomainError
from workbench.errors import ConvexityError, ExpressionError

REGIONS = 48
CASES = 12
CLOSED = {sp.StrictLessThan: sp.LessThan, sp.StrictGreaterThan: sp.GreaterThan}
OPPOSITE = {sp.LessThan: sp.StrictGreaterThan, sp.GreaterThan: sp.StrictLessThan}


def explored(parsed, derive):
    """The pair of all regions; `derive` makes the pair of one `Setting`."""
    waiting, found, excluded = [()], [], []
    count = 0
    while waiting:
        conditions = waiting.pop()
        setting = Setting(parsed.parameters, conditions)
        if setting.is_empty:
            continue
        count += 1
        if count > REGIONS:
            raise ExpressionError(
                f"{parsed.expr}: its form changes with the parameters in more than {CASES} ways; "
                "narrow their ranges"
            )
        try:
            found.append(Region(conditions, (derive(setting),)))
        except Split as split:
            waiting += [(*conditions, condition) for condition in reversed(split.conditions)]
        except (ConvexityError, EmptyDomainError) as error:
            if not conditions:
                raise
            excluded.append((conditions, error))
    if not found:
        raise excluded[0][1]
    if not excluded and len(found) == 1:
        return found[0].pairs[0]
    return _assembled(parsed, merged(found), excluded)


class Region:
    """Conditions, and the pairs of the regions that it was made of; the first has the formula."""

    def __init__(self, conditions, pairs):
        self.conditions, self.pairs = tuple(conditions), tuple(pairs)


def _assembled(parsed, regions, excluded):
    if len(regions) > CASES:
        raise ExpressionError(
            f"{parsed.expr}: its conjugate has {len(regions)} cases in the parameters, more than {CASES}; "
            "narrow their ranges"
        )
    cases = []
    for region in regions:
        pair = region.pairs[0]
        pair.members = region.pairs
        cases.append(Case(sp.And(*region.conditions), pair))
    outside = [(sp.And(*conditions), error) for conditions, error in excluded]
    return CasedPair(cases, outside, parsed, Setting(parsed.parameters))


def merged(regions):
    """Neighbours with the same formula as one."""
    regions = list(regions)
    while True:
        for i, first in enumerate(regions):
            for j, second in enumerate(regions):
                both = None if i == j else _joined(first, second)
                if both is not None:
                    rest = [region for k, region in enumerate(regions) if k not in (i, j)]
                    regions = [*rest[: min(i, j)], both, *rest[min(i, j) :]]
                    break
            else:
                continue
            break
        else:
            return regions


def _joined(first, second):
    """One region of two that differ in one condition alone and share the formula, or None."""
    for mine in first.conditions:
        others = tuple(c for c in first.conditions if c != mine)
        for its in second.conditions:
            if (mine.lhs, mine.rhs) != (its.lhs, its.rhs):
                continue
            rest = tuple(c for c in second.conditions if c != its)
            if isinstance(its, sp.Equality) and type(mine) in CLOSED:
                border = {its.lhs: its.rhs} if its.lhs.is_Symbol else {}
                if _at(others, border) == set(rest) and same(first.pairs[0].q, second.pairs[0].q, border):
                    whole = CLOSED[type(mine)](mine.lhs, mine.rhs)
                    return Region((*others, whole), first.pairs + second.pairs)
            apart = OPPOSITE.get(type(mine)) is type(its) and set(others) == set(rest)
            if apart and same(first.pairs[0].q, second.pairs[0].q, {}):
                return Region(others, first.pairs + second.pairs)
    return None


def _at(conditions, border):
    """The conditions on the border, without those that are true there."""
    return {c.subs(border) for c in conditions} - {sp.true}


def same(f, g, border):
    """Whether two convex functions are the same formula, the first taken at the border.

    Parts that have shrunk to a point there are left out.
    """
    parts = [part for part in f.parts if not vanishes(part.high - part.low, border)]
    if len(parts) != len(g.parts) or any(part.implicit for part in (*parts, *g.parts)):
        return False
    for mine, its in zip(parts, g.parts, strict=True):
        if not all(_equal(a, b, border) for a, b in zip(mine[:3], its[:3], strict=True)):
            return False
    knots = []
    for knot in f.knots:
        if not any(_equal(knot.place, other.place, border) for other in knots):
            knots.append(knot)
    pairs = [both for mine, its in zip(knots, g.knots, strict=False) for both in zip(mine, its, strict=True)]
    return len(knots) == len(g.knots) and all(_equal(a, b, border) for a, b in pairs)


def _equal(a, b, border):
    return a == b or (a.is_finite is not False and b.is_finite is not False and vanishes(a - b, border))


def vanishes(difference, border):
    """Whether an expression is zero at the border."""
    form = attempt(lambda: sp.sympify(difference).subs(border))
    if form is None or form.has(sp.nan, sp.zoo, sp.oo):
        return False
    return form == 0 or any(attempt(way, form, limit=1.0) == 0 for way in (sp.expand, sp.simplify))
