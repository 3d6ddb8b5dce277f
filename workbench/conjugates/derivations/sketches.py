"""Data of a page's drawings: a derivation as `report` describes it, with its curves in JavaScript.

The functions run in the worker of `convex.worker`, take and give plain data, and load SymPy only there.
Every script is printed from a parsed expression; no text of a user reaches it.
"""

import time

from workbench.conjugates.convex import report
from workbench.conjugates.derivations import region_sketches, simplex_sketches
from workbench.conjugates.derivations.region_sketches import piecewise, symbols

# Those of a regularizer: h(v) = outer(sum_j c_j inner(v_j)), g(w) = primal_outer(sum_j primal(w_j, c_j)).
TRANSFER_FUNCTIONS = ("inner", "slope", "outer", "outer_slope", "primal", "primal_outer")
# Those of a Fenchel-Young loss, as `simplex_sketches` describes them.
SIMPLEX_FUNCTIONS = simplex_sketches.FUNCTIONS


def within(seconds, function, *arguments):
    """Return the result of one of these functions; claims without a proof after `seconds` stay undecided."""
    from workbench.conjugates.convex.checker.forms import BUDGET

    with BUDGET.limited_to(seconds):
        return function(*arguments)


# --- a pair on the line


def pair(text, domain=None, parameters=None, entry=None):
    """Return the derivation of a pair as `report.derivation` gives it, with the data of its drawing.

    Parameters
    ----------
    text, domain, parameters
        As `report.derivation` reads them.
    entry : int or "rule", optional
        The line of Appendix E that the function belongs to; its row comes along.

    Returns
    -------
    dict
        Beside the derivation: "script", JavaScript with its "functions", which `region_sketches` names, and
        "knots" of knot_0, knot_1, ... at which p may have a kink; "refused", the sentence for each of "p"
        and "q" without a script, "ranges" of the parameters, "row" of the table and "errata" of the entry;
        "jumps", (u, p(u) as given, p(u) of the closure) at each end where these differ, and "declared", what
        was assumed of letters of which nothing was said. "seconds" are those of the derivation and its
        verification.
    """
    from workbench.conjugates.codegen.javascript import javascript_module

    start = time.perf_counter()
    free = _free_letters(text, parameters)
    derivation = _conjugate(text, domain, [*(parameters or ()), *free])
    outcome = report.described(derivation) | {"seconds": time.perf_counter() - start}
    scripts = region_sketches.Scripts(derivation, as_given=not domain)
    line = None if entry is None else _line(entry)
    return outcome | {
        "text": text,
        "script": javascript_module(scripts.sources),
        "functions": scripts.names,
        "refused": scripts.refused,
        "knots": scripts.knots,
        "ranges": region_sketches.ranges(derivation),
        "jumps": region_sketches.jumps(derivation),
        "declared": free,
        "row": None if line is None else report.appendix_row(line),
        "errata": [] if line is None else report.errata_rows(line.errata),
    }


def envelope(text, domain=None, parameters=None, _entry=None):
    """Return a function that need not be convex, as `pair` gives one: "given" is all of its script.

    The browser finds its convex envelope p** and its conjugate from values; nothing of them is derived, so
    that "claims" and "steps" are empty.
    """
    import sympy as sp

    from workbench.conjugates.codegen.javascript import javascript_function, javascript_module
    from workbench.conjugates.convex.parse import domain_of, parse_expression
    from workbench.conjugates.derivations.region_sketches import GIVEN

    start = time.perf_counter()
    free = _free_letters(text, parameters)
    parsed = parse_expression(text, report.declared([*(parameters or ()), *free]))
    u, region = parsed.variable, domain_of(domain or None, parsed.variable, parsed.parameters)
    letters = [parameter.symbol for parameter in parsed.parameters.values()]
    ends = (-sp.oo, sp.oo) if region is None else (region.inf, region.sup)
    sources = [
        javascript_function(GIVEN, parsed.where_real, [u], region, letters),
        *(
            javascript_function(name, end, [u], None, letters)
            for name, end in zip(("p_low", "p_high"), ends, strict=True)
        ),
    ]
    case = {"condition_text": "", "q_latex": r"\sup_{u} \, \left(u v - p(u)\right)"}
    return {
        "text": text,
        "script": javascript_module(sources),
        "functions": [GIVEN, "p_low", "p_high"],
        "refused": {},
        "knots": 0,
        "jumps": [],
        "declared": free,
        "row": None,
        "errata": [],
        "ranges": {name: region_sketches.bounds(parameter) for name, parameter in parsed.parameters.items()},
        "cases": [case],
        "excluded": [],
        "conditions": "",
        "conditions_text": "",
        "variable": "v",
        "p_variable": str(u),
        "p_latex": sp.latex(parsed.expr),
        "claims": [],
        "steps": [],
        "why": [],
        "status": "not convex, so p** is its convex envelope",
        "seconds": time.perf_counter() - start,
    }


def _free_letters(text, parameters):
    """Return the assumption "real" for every letter beside u that is not declared."""
    from workbench.conjugates.convex.syntax.text import read_source
    from workbench.conjugates.convex.syntax.walk import undeclared

    if isinstance(parameters, dict):
        return []
    names = undeclared(read_source("formula", text), report.declared(parameters or ()))
    return [f"{name}: real" for name in names if name != "u"] if "u" in names else []


def loss_source(text, kind):
    """Return the source of the module of a custom loss, as `custom_functions.module` derives it."""
    from workbench.conjugates.codegen import custom

    return custom.loss_source(text, kind, None, {})


def table(text, domain, parameters, name, points, numbers):
    """Values of p or q at points, for a curve without a script; numbers are pairs of name and value."""
    derivation = _conjugate(text, domain, parameters)
    return getattr(derivation, name)(points, **dict(numbers)).tolist()


def _conjugate(text, domain, parameters):
    from workbench.conjugates.convex.conjugate import conjugate

    if parameters is not None and not isinstance(parameters, dict):
        parameters = report.declared(parameters)
    return conjugate(text, domain or None, parameters)


def _line(number):
    """Return a line of Appendix E by its number."""
    from workbench.conjugates.convex.appendix_e import appendix_e

    return next(entry for entry in appendix_e() if entry.number == number)


# --- a regularizer


def transfer(name):
    """JavaScript of a regularizer, by its name in the table or that of a p-norm on a ball.

    Returns
    -------
    dict
        "script" with the functions `TRANSFER_FUNCTIONS`, "linear" (h is the sum itself), "latex" of h and
        of w = grad h(v), "source".
    """
    from workbench.conjugates.codegen.javascript import javascript_function, javascript_module
    from workbench.conjugates.terms.regularizers import C, S, V, W

    formulas, symbols, source = _ball(name) if name.endswith("ball") else _term(name)
    arguments = (V, V, S, S, W, S)
    sources = []
    for function, formula, argument in zip(TRANSFER_FUNCTIONS, formulas, arguments, strict=True):
        more = [C] if function == "primal" else []
        sources.append(javascript_function(function, formula, [argument, *more], None, symbols))
    return {
        "script": javascript_module(sources),
        "linear": formulas[2] == S,
        "latex": _transfer_latex(name),
        "source": source,
    }


def _transfer_latex(name):
    """Return h and its gradient as the catalogue derives them, each on a line."""
    from workbench.conjugates.convex.catalogue import catalogue
    from workbench.conjugates.terms.regularizers import REGULARIZERS

    names = {term.name: term.catalogue for term in REGULARIZERS if term.catalogue}
    entry = next(entry for entry in catalogue() if entry.name == names.get(name, name))
    return entry.derived.split(r" \\ ")


def _term(name):
    import sympy as sp

    from workbench.conjugates.codegen.printer import derivative
    from workbench.conjugates.terms.derived import derive_regularizer
    from workbench.conjugates.terms.regularizers import DIVISOR, REGULARIZERS, SCALE, S, V, W

    term = next(term for term in REGULARIZERS if term.name == name)
    dual = derive_regularizer(term)
    # On a page v is small: the run's scale stays neutral.
    neutral = {SCALE: 0, DIVISOR: 1}
    inner, outer = (part.xreplace(neutral) for part in (dual.inner, dual.outer))
    # Rounding must not put what h maps to outside.
    reach = 1 + sp.Float("1e-12")
    low, high = term.domain.inf, term.domain.sup
    inside = [reach * low <= W] if low.is_finite else []
    inside += [reach * high >= W] if high.is_finite else []
    primal = sp.Piecewise((term.primal, sp.And(*inside)), (sp.oo, True)) if inside else term.primal
    formulas = (inner, derivative(inner, V), outer, derivative(outer, S), primal, term.primal_outer)
    return formulas, term.symbols, term.source


def _ball(name):
    """base(|w|_p) with |w|_p <= B: h = base*(|v|_q), from the pair of one variable."""
    import sympy as sp

    from workbench.conjugates.codegen.printer import derivative
    from workbench.conjugates.convex.conjugate import conjugate
    from workbench.conjugates.terms.regularizers import S, V, W

    text = "t**2/2" if name.startswith("half") else "t**2/(2*(p - 1))"
    derivation = conjugate(text, "0 <= t <= B", {"p": "1 < p <= 2", "B": "B > 0"})
    p, B = symbols(derivation.p)
    q = p / (p - 1)
    radius = S ** (1 / q)
    # The length is never negative, and below that the conjugate of the base on t >= 0 is constant.
    cases = [
        (part.expr.subs(derivation.q.variable, radius), radius < part.high)
        for part in derivation.q.parts
        if not sp.sympify(part.high).is_nonpositive
    ]
    outer = piecewise(cases)
    slope = piecewise([(derivative(formula, S), where) for formula, where in cases])
    inside = derivation.p.parts[-1].expr.subs(derivation.p.variable, S ** (1 / p))
    primal = sp.Piecewise((inside, B**p * (1 + sp.Float("1e-12")) >= S), (sp.oo, True))
    formulas = (sp.Abs(V) ** q, derivative(sp.Abs(V) ** q, V), outer, slope, sp.Abs(W) ** p, primal)
    return formulas, (p, B), "Zhu et al. (2009), Theorem 3 and Corollary 2"


# --- a Fenchel-Young loss


def simplex(text, parameters=(), limit=None):
    """JavaScript of phi and of its conjugate on [0, 1], which make the loss of classes.

    Parameters
    ----------
    text : str
        phi as `losses.fenchel_young` reads it.
    parameters : sequence of (str, str), optional
        What is declared of each other name in the text.
    limit : (str, number, str), optional
        A parameter, the value at which the formula is not defined, and phi there.

    Returns
    -------
    dict
        "script" with the functions `SIMPLEX_FUNCTIONS`, "latex", the lines of phi and phi*.
    """
    from workbench.conjugates.codegen.javascript import javascript_module

    derivation = simplex_sketches.pair(text, parameters)
    return {
        "script": javascript_module(simplex_sketches.sources(derivation, limit)),
        "latex": simplex_sketches.latex(derivation),
    }
