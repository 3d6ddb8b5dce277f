"""A learner's own loss or regularizer, from text to the source of a module like `kernels.formulas`.

The text is parsed, its conjugate derived and checked, and the same emitters as for the built-in terms
print the functions. A conjugate without a closed form calls what `codegen.roots` prints.
"""

import sympy as sp

from workbench._support.errors import InputError, UndecidedError
from workbench.conjugates.codegen import roots
from workbench.conjugates.codegen.forms import python_helpers
from workbench.conjugates.codegen.losses import loss_entry, loss_functions
from workbench.conjugates.codegen.regularizers import regularizer_entry, regularizer_functions
from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.parse import domain_of, parse_expression
from workbench.conjugates.convex.primitives import Log1pExp
from workbench.conjugates.terms.derived import DerivedLoss, DerivedRegularizer, derived_loss, summand_facts
from workbench.conjugates.terms.losses import LossTerm, U
from workbench.conjugates.terms.losses import V as SLOPE
from workbench.conjugates.terms.regularizers import RegularizerTerm, S, V, W

HEADER = (
    '"""Generated from {text!r}; do not edit."""\n\nimport math\n\n'
    "from workbench.kernels.compilation import inline\n\n"
)

# Closed forms through these overflow or have no compiled counterpart; the root is computed instead, as it is
# of Cardano's formulas, which cancel, and where a factor such as 100**-200 would be printed as 0.
IN_NUMBERS = (sp.LambertW, sp.erfinv)
LARGEST = 10**300


def claims(text, pair):
    """Return the line of a module with the claims of the pair and their status."""
    verification = pair.verify()
    if verification.status == "failed":
        raise UndecidedError(
            f"could not decide whether {text!r} has the conjugate that was derived for it: "
            f"{verification.claims[-1].detail}; write it in another way"
        )
    return f"CLAIMS = {verification.statuses!r}\n"


def loss_source(text, kind, domain, values):
    """Return the source of the module of a custom loss."""
    pair = conjugate(*read_formula(text, U, domain, values))
    everywhere = pair.p.domain == sp.S.Reals
    if everywhere and not any(low != high for low, high in pair.shape.slopes) and len(pair.shape.pieces) == 1:
        raise InputError(
            f"loss {text!r}: it is a straight line, whose dual variables have one value each, so there is "
            "nothing to solve; use a function that bends, such as max(0, 1 - u)"
        )
    value, domain = in_pieces(pair).xreplace({pair.p.variable: U}), None if everywhere else pair.p.domain
    ends = () if everywhere else _ends(pair.p, value, U)
    term = LossTerm("custom", kind, value, source=text, domain=domain, ends=ends)
    dual = derived_loss(term, pair)
    q, helpers = explicit(pair, dual.conjugate, SLOPE)
    dual = DerivedLoss(**{**vars(dual), "conjugate": q})
    entry = f"ENTRY = {{\n{loss_entry(term, dual)}}}['custom']\n{claims(text, pair)}\n"
    functions = (f"\n{source}\n" for source in loss_functions(term, dual))
    return with_helpers([HEADER.format(text=text), entry, *helpers, *functions])


def regularizer_source(text, domain, values):
    """Return the source of the module of a custom regularizer, summed over coordinates."""
    pair = conjugate(*read_formula(text, W, domain, values))
    if pair.q.domain != sp.S.Reals:
        raise InputError(
            f"regularizer {text!r}: its conjugate is finite only for v in {pair.q.domain}, so "
            "w = grad h(v) is not defined everywhere; add a strictly convex term such as w**2/2"
        )
    if any(slopes[0] == slopes[1] for slopes in pair.shape.slopes):
        raise InputError(
            f"regularizer {text!r}: it has a straight piece, so w = grad h(v) is not single-valued; "
            "add a strictly convex term such as w**2/2"
        )
    primal = in_pieces(pair).xreplace({pair.p.variable: W})
    term = RegularizerTerm(
        "custom", primal=primal, source=text, domain=pair.p.domain, ends=_ends(pair.p, primal, W)
    )
    inner, helpers = explicit(pair, pair.q.expr.xreplace({pair.q.variable: V}), V)
    dual = DerivedRegularizer(inner, S, **summand_facts(pair, term))
    entry = f"ENTRY = {{\n{regularizer_entry(term, dual)}}}['custom']\n{claims(text, pair)}\n"
    functions = (f"\n{source}\n" for source in regularizer_functions(term, dual))
    return with_helpers([HEADER.format(text=text), entry, *helpers, *functions])


def with_helpers(parts):
    """Return the header, the functions that the formulas call, and the formulas."""
    header, *rest = parts
    body = "".join(rest)
    return f"{header}{python_helpers(body, '@inline')}{body}"


def read_formula(text, symbol, domain, values):
    """Return the formula in the symbol of its variable, with numbers for the parameters, and its domain."""
    parsed = parse_expression(text, dict.fromkeys(values, "real"))
    region = domain_of(domain, parsed.variable, parsed.parameters)
    numbers = {parsed.parameters[key].symbol: sp.Rational(str(value)) for key, value in values.items()}
    if region is not None:
        region = region.xreplace(numbers)
    return parsed.with_values(numbers, symbol), region


def in_pieces(pair):
    """Return p in its pieces, whatever its spelling; a kink belongs to the side with the smaller slope."""
    shape = pair.shape
    if shape is None:  # of a function that is finite at one point alone
        return pair.p.knots[0].value
    if len(shape.pieces) == 1:
        return without_overflow(pair.p.expr)
    u, *formulas = (shape.u, *(without_overflow(piece.expr) for piece in shape.pieces))
    for piece in shape.pieces[1:]:
        if not piece.expr.subs(u, piece.low).is_finite:
            raise InputError(
                f"{pair.text!r}: it is 0/0 at {u} = {piece.low}, which a program cannot compute; write it in "
                "a form that has a value there"
            )
    nearer = [
        abs(before[1]) < abs(after[0]) for before, after in zip(shape.slopes, shape.slopes[1:], strict=False)
    ]
    cases = [
        (formula, u <= piece.high if left else u < piece.high)
        for formula, piece, left in zip(formulas, shape.pieces, nearer, strict=False)
    ]
    return sp.Piecewise(*cases, (formulas[-1], True)).xreplace({u: pair.p.variable})


def without_overflow(expression):
    """ln(1 + e^x) and ln cosh x in forms that do not overflow."""
    expression = sp.sympify(expression)

    def rewrite(argument):
        rest = sp.expand(argument - 1)
        if isinstance(rest, sp.exp):
            return Log1pExp(rest.exp)
        if isinstance(argument, sp.cosh):
            size = sp.Abs(argument.args[0])
            return size + Log1pExp(-2 * size) - sp.log(2)
        return sp.log(argument)

    return expression.replace(sp.log, rewrite)


def _needs_root(expression):
    """Return whether a closed form cannot be evaluated in floating point."""
    if expression.has(*IN_NUMBERS) or any(
        node.args[0].has(sp.acos, sp.asinh, sp.acosh) for node in expression.atoms(sp.cos, sp.sinh, sp.cosh)
    ):
        return True
    sizes = (abs(number) for number in expression.atoms(sp.Rational) if number)
    return any(not 1 < LARGEST * size < LARGEST**2 for size in sizes)


def _has_pole(q, part):
    """Return whether the formula of a part is undefined where q has a value: within, or where parts meet."""
    v, inner = q.variable, (end for end in (part.low, part.high) if end not in (q.domain.inf, q.domain.sup))
    if any(part.expr.subs(v, end).is_finite is False for end in inner):
        return True
    between = sp.Interval.open(part.low, part.high)
    divisors = {
        power.base for power in part.expr.atoms(sp.Pow) if power.exp.is_negative and power.base.has(v)
    }
    # One that cannot be solved for may vanish.
    return any(attempt(sp.solveset, base, v, between, limit=2.0) != sp.S.EmptySet for base in divisors)


def _ends(function, expression, x):
    """Return (place, value) of the ends of a domain where a function is finite and its formula is 0/0."""
    return tuple(
        (knot.place, knot.value)
        for knot in function.knots
        if knot.place in (function.domain.inf, function.domain.sup)
        and knot.value.is_finite
        and not expression.xreplace({x: knot.place}).is_finite
    )


def _with_ends(q, expression, v):
    """Return a formula of q in v, with the value of q at an end of the domain where the formula is 0/0."""
    ends = [
        (value, v <= place if place == q.domain.inf else v >= place)
        for place, value in _ends(q, expression, v)
    ]
    return sp.Piecewise(*ends, (expression, True)) if ends else expression


def explicit(pair, expression, v):
    """Return the conjugate as code calls it and the source of its helpers, empty for a closed form."""
    p, q = pair.p, pair.q
    parts = [(part.implicit or _needs_root(part.expr) or _has_pole(q, part), part) for part in q.parts]
    if not any(solve for solve, _ in parts):
        return _with_ends(q, expression, v), []
    smooth = in_pieces(pair)
    best = roots.solved(smooth, p.variable)(v)
    cases = [
        (
            best if solve else part.expr.xreplace({q.variable: v}),
            v < part.high if part.high != sp.oo else True,
        )
        for solve, part in parts
    ]
    formula = sp.Piecewise(*cases) if len(cases) > 1 else cases[0][0]
    return formula, roots.helpers(smooth, p.variable, p.domain, q)
