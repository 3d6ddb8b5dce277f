"""A pair in JavaScript, region by region of its parameters.

Where the formula depends on the region, each case has functions of its own, and the functions that a page
calls choose among them while a slider moves: p and q are NaN for values without a conjugate.
"""

from workbench._support.errors import ExpressionError, InputError

# The functions of a pair's script; each takes a number and theta, an object of the parameters by name.
PAIR_FUNCTIONS = ("p", "p_slope", "q", "q_slope")
ENDS = ("p_low", "p_high", "q_low", "q_high")
# Which case holds and which of the regions without one, -1 for none; what p is there, as it was given.
REGIONS = ("region", "excluded")
GIVEN = "given"


class Scripts:
    """The functions of a pair.

    Attributes
    ----------
    sources : list of str
        Of JavaScript.
    names : list of str
        Of the functions that a page calls.
    refused : dict
        The sentence for "p" or "q" that lacks a formula in some region.
    knots : int
        The number of functions knot_0, knot_1, ...
    """

    def __init__(self, pair, as_given=True):
        self.pair, self.sources = pair, []
        self.refused: dict[str, str] = {}
        cases = pair.cases
        self.several = len(cases) > 1 or bool(getattr(pair, "excluded", ()))
        for k, (_, single) in enumerate(cases):
            self._add_case(single, f"_{k}" if self.several else "")
        counts = [len(_knots(single)) for _, single in cases]
        self.knots = max(counts)
        names = [name for name in PAIR_FUNCTIONS if name[0] not in self.refused]
        self.names = [*names, *ENDS, *(f"knot_{k}" for k in range(self.knots))]
        if self.several:
            self.sources += [_chooser(name, len(cases)) for name in (*names, *ENDS)]
            for j in range(self.knots):
                self.sources.append(_chooser(f"knot_{j}", len(cases), [j < count for count in counts]))
            self._add_regions(as_given)

    def _add_case(self, single, suffix):
        for name, function in (("p", single.p), ("q", single.q)):
            try:
                self.sources += _function_sources(name, suffix, function)
            except InputError as error:
                self.refused[name] = str(error)
        places = zip(ENDS, (*_ends(single.p), *_ends(single.q)), strict=True)
        knots = ((f"knot_{k}", place) for k, place in enumerate(_knots(single)))
        for name, place in (*places, *knots):
            self.sources.append(self._constant(name + suffix, place))

    def _add_regions(self, as_given):
        excluded = getattr(self.pair, "excluded", ())
        for name, regions in zip(REGIONS, (self.pair.cases, excluded), strict=True):
            index = piecewise([*((k, where) for k, (where, _) in enumerate(regions)), (-1, True)])
            self.sources.append(self._constant(name, index))
        self.names += REGIONS
        if excluded and as_given:
            from workbench.conjugates.codegen.javascript import javascript_function

            p, u = self.pair.parsed.where_real, self.pair.p.variable
            try:
                self.sources.append(javascript_function(GIVEN, p, [u], None, symbols(self.pair)))
            except InputError:
                return  # then the page shows the witness of the derivation alone
            self.names.append(GIVEN)

    def _constant(self, name, value):
        """Return a function of theta alone; its first argument is there for the sake of one signature."""
        from workbench.conjugates.codegen.javascript import javascript_function

        return javascript_function(name, value, [self.pair.p.variable], None, symbols(self.pair))


def _chooser(name, count, present=None):
    """Return a function that calls that of the region."""
    present = present or [True] * count
    cases = ", ".join(f"{name}_{k}" if there else "() => NaN" for k, there in enumerate(present))
    return (
        f"function {name}(x, theta) {{\n  const k = region(0, theta);\n"
        f"  return k < 0 ? NaN : [{cases}][k](x, theta);\n}}\n"
    )


def _function_sources(name, suffix, function):
    """JavaScript of a convex function and of its slope, +infinity off the domain."""
    import sympy as sp

    from workbench.conjugates.codegen.javascript import javascript_function
    from workbench.conjugates.codegen.printer import derivative

    if function.implicit:
        raise ExpressionError(f"{name} lacks a closed form; its curve is computed by solving p'(u) = v")
    x, parameters = function.variable, symbols(function)
    value_name, slope_name = name + suffix, f"{name}_slope{suffix}"
    at_knots = [(knot.value, sp.Eq(x, knot.place, evaluate=False)) for knot in function.knots]
    try:
        slopes = [(derivative(part.expr, x), x < part.high) for part in function.parts]
    except ValueError:
        raise ExpressionError(f"the slope of the formula of {name} cannot be printed") from None
    cases = [(part.expr, x < part.high) for part in function.parts]
    if not cases:
        return [
            javascript_function(value_name, function.knots[0].value, [x], function.domain, parameters),
            javascript_function(slope_name, sp.nan, [x], None, parameters),
        ]
    value = piecewise([*at_knots, *cases])
    return [
        javascript_function(value_name, value, [x], function.domain, parameters),
        javascript_function(slope_name, piecewise(slopes), [x], None, parameters),
    ]


def piecewise(cases):
    """Return the cases as they stand; the last holds elsewhere."""
    import sympy as sp

    *first, (last, _) = cases
    return sp.Piecewise(*first, (last, True), evaluate=False) if first else sp.sympify(last)


def symbols(function):
    """Return the symbols of the parameters of a function or a pair."""
    return [parameter.symbol for parameter in function.setting.parameters.values()]


def _ends(function):
    if not function.parts:
        return function.knots[0].place, function.knots[0].place
    return function.parts[0].low, function.parts[-1].high


def _knots(pair):
    return [knot.place for knot in pair.p.knots if pair.p.parts]


def ranges(pair):
    """For each parameter the numbers that bound it, None for none, and the borders of regions in it."""
    conditions = [where for where, _ in (*pair.cases, *getattr(pair, "excluded", ()))]
    intervals = {}
    for name, parameter in pair.setting.parameters.items():
        intervals[name] = bounds(parameter, _borders(conditions, parameter.symbol))
    return intervals


def bounds(parameter, borders=()):
    """Return the numbers that bound a parameter, None if unbounded, with the borders."""
    lows = [float(b.lower) for b in parameter.bounds if b.lower.is_number and b.lower.is_finite]
    highs = [float(b.upper) for b in parameter.bounds if b.upper.is_number and b.upper.is_finite]
    return max(lows, default=None), min(highs, default=None), borders


def jumps(pair):
    """Return (u, value, value of the closure) at the places where a convex function is not closed.

    Only ends of the domain can be such places. Places and values that depend on parameters are left out.
    """
    if pair.setting.parameters or pair.notes.get("wanted") is None or not pair.p.parts:
        return []
    domain, expr, u = pair.notes["wanted"], pair.notes["given"], pair.p.variable
    places = [(end, expr.subs(u, end)) for end in (domain.inf, domain.sup) if end.is_finite and end in domain]
    values = [(float(u), float(value), float(pair.p(float(u)))) for u, value in places if value.is_finite]
    return [row for row in values if row[1] - row[2] > 1e-9 * (1.0 + abs(row[1]))]


def _borders(conditions, symbol):
    """Return the borders of conditions on this symbol alone, within the range of a slider."""
    import sympy as sp

    roots = set()
    for condition in conditions:
        for relation in sp.sympify(condition).atoms(sp.core.relational.Relational):
            difference = relation.lhs - relation.rhs
            if difference.free_symbols == {symbol} and difference.is_polynomial(symbol):
                roots |= {float(root) for root in sp.Poly(difference, symbol).nroots() if root.is_real}
    return tuple(sorted(border for border in roots if abs(border) <= 900))
