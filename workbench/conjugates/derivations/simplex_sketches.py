"""phi of a Fenchel-Young loss and its conjugate on [0, 1] in JavaScript, with both slopes.

    phi(u), phi_slope(u)    for u in [0, 1], the ends by their limits
    value(v), slope(v)      phi*(v) = sup over u in [0, 1] of u v - phi(u), and the u where the supremum is

Omega*(z) = min over m of m + sum_j phi*(z_j - m), so that a page needs no more than these.
"""

FUNCTIONS = ("phi", "phi_slope", "value", "slope")


def sources(derivation, limit):
    """Return the functions of a pair as JavaScript; a limit is (parameter, its value, phi there)."""
    import sympy as sp

    from workbench.conjugates.codegen.javascript import javascript_function

    formulas = _formulas(derivation)
    symbols = {name: parameter.symbol for name, parameter in derivation.setting.parameters.items()}
    if limit is not None:
        name, value, there = limit
        at = sp.Eq(symbols[name], value, evaluate=False)
        formulas = [
            sp.Piecewise((special, at), (formula, True), evaluate=False)
            for special, formula in zip(_formulas(pair(there, ())), formulas, strict=True)
        ]
    u = sp.Symbol("u", real=True)
    return [
        javascript_function(name, formula, [u], None, list(symbols.values()))
        for name, formula in zip(FUNCTIONS, formulas, strict=True)
    ]


def pair(text, parameters):
    """Return phi on [0, 1] with its conjugate, after the checks that every phi passes.

    Raises
    ------
    InputError
        phi does not make a loss, its formula depends on the region of the parameters, or its conjugate
        lacks a closed form.
    """
    from workbench._support.errors import ExpressionError
    from workbench.conjugates.codegen.fenchel_young import UNIT, check
    from workbench.conjugates.convex.conjugate import conjugate

    derivation = conjugate(text, domain=UNIT, parameters=dict(parameters), variable="u")
    if len(derivation.cases) > 1:
        raise ExpressionError(f"phi = {text!r} has a formula for each region of its parameters; narrow them")
    check(text, derivation)
    if any(part.implicit for part in derivation.q.parts):
        raise ExpressionError(f"the conjugate of phi = {text!r} lacks a closed form; a page needs one")
    return derivation


def latex(derivation):
    """Return phi and the pieces of its conjugate from below, as lines of LaTeX."""
    import sympy as sp

    v, head = sp.latex(derivation.q.variable), r"\varphi^*"
    lines = [rf"\varphi({sp.latex(derivation.p.variable)}) = {sp.latex(derivation.p.expr)}"]
    *first, (last, _) = _parts(derivation)
    # Each piece on a line of its own, since a column beside figures is narrow.
    for formula, high in first:
        lines.append(rf"{head}({v}) = {sp.latex(formula)}, \quad {v} < {sp.latex(high)}")
    lines.append(rf"{head}({v}) = {sp.latex(last)}" + (r"\quad \text{above}" if first else ""))
    return lines


def _parts(derivation):
    """Return the formulas of the conjugate, each with its upper end."""
    return [(_in_a_line(part.expr, derivation.q.variable), part.high) for part in derivation.q.parts]


def _in_a_line(formula, v):
    """Return the expression with its powers of one line in v merged, since the line is positive there."""
    import sympy as sp

    lines = {
        power.base
        for power in formula.atoms(sp.Pow)
        if power.base.has(v) and not power.exp.is_number
        if power.base.is_rational_function(v) and power.base.diff(v, 2) == 0
    }
    if len(lines) != 1:
        return formula
    (line,) = lines
    t = sp.Dummy("t", positive=True)
    (place,) = sp.solve(line - t, v)
    expr = sp.expand(sp.powdenest(formula.xreplace({line: t}).xreplace({v: place}), force=True))
    expr = sp.powsimp(expr).replace(
        lambda part: part.is_Pow and part.base == t, lambda part: t ** sp.cancel(sp.together(part.exp))
    )
    return sp.factor_terms(sp.simplify(expr)).xreplace({t: line})


def _formulas(derivation):
    """phi, its slope, the conjugate and its slope as expressions in u."""
    import sympy as sp

    from workbench.conjugates.codegen.custom import without_overflow
    from workbench.conjugates.codegen.printer import derivative

    u, leave = sp.Symbol("u", real=True), derivation.setting.leave
    shape = derivation.shape
    pieces = [
        (without_overflow(leave(piece.expr)).xreplace({shape.u: u}), leave(piece.high))
        for piece in shape.pieces
    ]
    first, last = shape.pieces[0], shape.pieces[-1]
    ends = (first.values[0], last.values[1]), (first.slopes[0], last.slopes[1])
    back = {derivation.q.variable: u}
    parts = [(without_overflow(formula.xreplace(back)), high) for formula, high in _parts(derivation)]
    primal, dual = (
        [[(derivative(formula, u, order), high) for formula, high in cases] for order in (0, 1)]
        for cases in (pieces, parts)
    )
    inside = [
        sp.Piecewise((leave(low), u <= 0), (leave(high), u >= 1), *_cases(cases, u), evaluate=False)
        for (low, high), cases in zip(ends, primal, strict=True)
    ]
    return [*inside, *(sp.Piecewise(*_cases(cases, u), evaluate=False) for cases in dual)]


def _cases(cases, u):
    """Each formula up to and with its end: beyond it that of a slope may divide zero by zero."""
    *first, (last, _) = cases
    return *((formula, u <= end) for formula, end in first), (last, True)
