"""What a page draws in the browser: a derivation as `report` describes it, with its curves in JavaScript.

The functions run in the worker of `convex.worker`, take and give plain data, and load SymPy only there.
Every script is printed from a parsed expression; no text of a user reaches it.
"""

from workbench.convex import report
from workbench.errors import ExpressionError, InputError

# The functions of a pair's script; each takes a number and theta, an object of the parameters by name.
PAIR_FUNCTIONS = ("p", "p_slope", "q", "q_slope")
ENDS = ("p_low", "p_high", "q_low", "q_high")
# Those of a regularizer: h(v) = outer(sum_j c_j inner(v_j)), g(w) = primal_outer(sum_j primal(w_j, c_j)).
TRANSFER_FUNCTIONS = ("inner", "slope", "outer", "outer_slope", "primal", "primal_outer")
# What the catalogue calls the regularizers of the table.
CATALOGUE = {
    "squared-l2": "squared l2", "elastic-net": "elastic net", "entropy": "unnormalized entropy",
    "normalized-entropy": "normalized entropy",
}  # fmt: skip


# --- a pair on the line


def pair(text, domain=None, parameters=None, entry=None):
    """The derivation of a pair as `report.derivation` gives it, with what a browser needs to draw it.

    Parameters
    ----------
    text, domain, parameters
        As `report.derivation` reads them.
    entry : int or "rule", optional
        The line of Appendix E that the function belongs to; its row comes along.

    Returns
    -------
    dict
        Beside the derivation: "script", JavaScript with the functions `PAIR_FUNCTIONS` and `ENDS`, "refused",
        the sentence for each of "p" and "q" that has no script, "knots", the number of functions knot_0,
        knot_1, ... at which p has a kink, "ranges" of the parameters, "row" of the table and "errata" of the
        entry.
    """
    found = _conjugate(text, domain, parameters)
    outcome = report.described(found)
    refused, sources = {}, []
    for name, function in (("p", found.p), ("q", found.q)):
        try:
            sources += _function_sources(name, function)
        except InputError as error:
            refused[name] = str(error)
    knots = [knot.place for knot in found.p.knots if found.p.parts]
    sources += [_constant(f"knot_{k}", place, found) for k, place in enumerate(knots)]
    sources += [
        _constant(name, place, found)
        for name, place in zip(ENDS, (*_ends(found.p), *_ends(found.q)), strict=True)
    ]
    from workbench.codegen.javascript import javascript_module

    line = None if entry is None else _line(entry)
    return outcome | {
        "text": text,
        "script": javascript_module(sources),
        "refused": refused,
        "knots": len(knots),
        "ranges": _ranges(found.setting.parameters),
        "row": None if line is None else report.appendix_row(line),
        "errata": [] if line is None else report.errata_rows(line.errata),
    }


def table(text, domain, parameters, name, points, numbers):
    """Values of p or q at points, for a curve that has no script; numbers are pairs of name and value."""
    found = _conjugate(text, domain, parameters)
    return getattr(found, name)(points, **dict(numbers)).tolist()


def _conjugate(text, domain, parameters):
    from workbench.convex.conjugate import conjugate

    if parameters is not None and not isinstance(parameters, dict):
        parameters = report.declared(parameters)
    return conjugate(text, domain or None, parameters)


def _function_sources(name, function):
    """JavaScript of a convex function and of its slope, +infinity off the domain."""
    import sympy as sp

    from workbench.codegen.javascript import javascript_function
    from workbench.codegen.printer import derivative

    if function.implicit:
        raise ExpressionError(f"{name} has no closed form, its curve is computed by solving p'(u) = v")
    x, parameters = function.variable, _symbols(function)
    at_knots = [(knot.value, sp.Eq(x, knot.place, evaluate=False)) for knot in function.knots]
    slopes = [(derivative(part.expr, x), x < part.high) for part in function.parts]
    cases = [(part.expr, x < part.high) for part in function.parts]
    if not cases:
        return [
            javascript_function(name, function.knots[0].value, [x], function.domain, parameters),
            javascript_function(f"{name}_slope", sp.nan, [x], None, parameters),
        ]
    value = _piecewise([*at_knots, *cases])
    return [
        javascript_function(name, value, [x], function.domain, parameters),
        javascript_function(f"{name}_slope", _piecewise(slopes), [x], None, parameters),
    ]


def _piecewise(cases):
    import sympy as sp

    *first, (last, _) = cases
    return sp.Piecewise(*first, (last, True), evaluate=False) if first else last


def _ends(function):
    if not function.parts:
        return function.knots[0].place, function.knots[0].place
    return function.parts[0].low, function.parts[-1].high


def _constant(name, place, found):
    """A function of theta alone; its first argument is there for the sake of one signature."""
    from workbench.codegen.javascript import javascript_function

    return javascript_function(name, place, [found.p.variable], None, _symbols(found.p))


def _symbols(function):
    return [parameter.symbol for parameter in function.setting.parameters.values()]


def _ranges(parameters):
    """For each parameter the ends of its slider, where numbers bound it."""
    ranges = {}
    for name, parameter in parameters.items():
        lows = [float(b.lower) for b in parameter.bounds if b.lower.is_number and b.lower.is_finite]
        highs = [float(b.upper) for b in parameter.bounds if b.upper.is_number and b.upper.is_finite]
        ranges[name] = max(lows, default=None), min(highs, default=None)
    return ranges


def _line(number):
    """A line of Appendix E by its number."""
    from workbench.convex.appendix_e import appendix_e

    return next(entry for entry in appendix_e() if entry.number == number)


# --- a regularizer


def transfer(name):
    """JavaScript of a regularizer, by its name in the table or that of a p-norm on a ball.

    Returns
    -------
    dict
        "script" with the functions `TRANSFER_FUNCTIONS`, "linear" (h is the sum itself), "lower" end of
        each coordinate of w, "latex" of h and of w = grad h(v), "source".
    """
    from workbench.codegen.javascript import javascript_function, javascript_module
    from workbench.terms.regularizers import C, S, V, W

    formulas, symbols, lower, source = _ball(name) if name.endswith("ball") else _term(name)
    arguments = (V, V, S, S, W, S)
    sources = []
    for function, formula, argument in zip(TRANSFER_FUNCTIONS, formulas, arguments, strict=True):
        more = [C] if function == "primal" else []
        sources.append(javascript_function(function, formula, [argument, *more], None, symbols))
    return {
        "script": javascript_module(sources),
        "linear": formulas[2] == S,
        "lower": float(lower),
        "latex": _transfer_latex(name),
        "source": source,
    }


def _transfer_latex(name):
    """h and its gradient as the catalogue derives them, each on a line."""
    from workbench.convex.catalogue import catalogue

    entry = next(entry for entry in catalogue() if entry.name == CATALOGUE.get(name, name))
    return entry.derived.split(r" \\ ")


def _term(name):
    from workbench.codegen.printer import derivative
    from workbench.terms.derived import derive_regularizer
    from workbench.terms.regularizers import DIVISOR, REGULARIZERS, SCALE, S, V

    term = next(term for term in REGULARIZERS if term.name == name)
    dual = derive_regularizer(term)
    # On a page v is small: the run's scale stays neutral.
    neutral = {SCALE: 0, DIVISOR: 1}
    inner, outer = (part.xreplace(neutral) for part in (dual.inner, dual.outer))
    formulas = (
        inner, derivative(inner, V), outer, derivative(outer, S), term.primal, term.primal_outer
    )  # fmt: skip
    return formulas, term.parameters, term.lower, term.source


def _ball(name):
    """base(|w|_p) with |w|_p <= B: h = base*(|v|_q), from the pair of one variable."""
    import sympy as sp

    from workbench.codegen.printer import derivative
    from workbench.convex.conjugate import conjugate
    from workbench.terms.regularizers import S, V, W

    text = "t**2/2" if name.startswith("half") else "t**2/(2*(p - 1))"
    found = conjugate(text, "0 <= t <= B", {"p": "1 < p <= 2", "B": "B > 0"})
    p, B = _symbols(found.p)
    q = p / (p - 1)
    radius = S ** (1 / q)
    # The length is never negative, and below that the conjugate of the base on t >= 0 is constant.
    cases = [
        (part.expr.subs(found.q.variable, radius), radius < part.high)
        for part in found.q.parts
        if not sp.sympify(part.high).is_nonpositive
    ]
    outer = _piecewise(cases)
    slope = _piecewise([(derivative(formula, S), where) for formula, where in cases])
    inside = found.p.parts[-1].expr.subs(found.p.variable, S ** (1 / p))
    primal = sp.Piecewise((inside, B**p * (1 + sp.Float("1e-12")) >= S), (sp.oo, True))
    formulas = (sp.Abs(V) ** q, derivative(sp.Abs(V) ** q, V), outer, slope, sp.Abs(W) ** p, primal)
    return formulas, (p, B), -sp.oo, "Zhu et al. (2009), Theorem 3 and Corollary 2"
