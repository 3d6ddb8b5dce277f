"""Candidates for the roots x of f(x) = v, in closed form.

Nothing here is trusted: `solve` lists every form it can think of, with all branches of roots,
inverse hyperbolic functions and Lambert's W, and the caller keeps one only if it gives back x from
f(x) all over the piece. Forms are tried from the plain to the far-fetched.
"""

import math

import sympy as sp

from workbench.conjugates.convex.limited import attempt

# f -> the expressions y with f(y) = w, as functions of w.
INVERSES = {
    sp.exp: lambda w: [sp.log(w)],
    sp.log: lambda w: [sp.exp(w)],
    sp.sinh: lambda w: [sp.asinh(w)],
    sp.cosh: lambda w: [sp.acosh(w), -sp.acosh(w)],
    sp.tanh: lambda w: [sp.atanh(w)],
    sp.coth: lambda w: [sp.acoth(w)],
    sp.asinh: lambda w: [sp.sinh(w)],
    sp.acosh: lambda w: [sp.cosh(w)],
    sp.atanh: lambda w: [sp.tanh(w)],
    sp.sin: lambda w: [sp.asin(w), sp.pi - sp.asin(w), -sp.pi - sp.asin(w)],
    sp.cos: lambda w: [sp.acos(w), -sp.acos(w)],
    sp.tan: lambda w: [sp.atan(w)],
    sp.cot: lambda w: [sp.pi / 2 - sp.atan(w), -sp.pi / 2 - sp.atan(w), sp.acot(w)],
    sp.asin: lambda w: [sp.sin(w)],
    sp.acos: lambda w: [sp.cos(w)],
    sp.atan: lambda w: [sp.tan(w)],
    sp.erf: lambda w: [sp.erfinv(w)],
    sp.LambertW: lambda w: [w * sp.exp(w)],
}


def solve(f, x, v):
    """Yield expressions in v, each possibly a root x of f(x) = v."""
    seen = set()
    for way in WAYS:
        for form in _rewritten(f):
            for root in attempt(lambda way=way, form=form: list(way(form, x, v)), limit=5.0, default=()):
                if root is not None and root not in seen and not root.has(x, sp.nan, sp.zoo):
                    seen.add(root)
                    yield root


def _rewritten(f):
    """Return the equation's left side as it stands and in two other shapes."""
    shapes = [f, attempt(sp.together, f), attempt(sp.simplify, f, limit=2.0)]
    return list(dict.fromkeys(shape for shape in shapes if shape is not None))


def _peeled(f, x, w):
    """Undo one operation after the other while the unknown stands in a single place."""
    if f == x:
        return [w]
    if isinstance(f, (sp.Add, sp.Mul)):
        constant, dependent = f.as_independent(x, as_Add=isinstance(f, sp.Add))
        if len([part for part in f.args if part.has(x)]) == 1:
            rest = w - constant if isinstance(f, sp.Add) else w / constant
            return _peeled(dependent, x, rest)
        return _affine_power(f, x, w)
    if isinstance(f, sp.exp) or f.func in INVERSES:
        return [root for y in INVERSES[f.func](w) for root in _peeled(f.args[0], x, y)]
    if isinstance(f, sp.Pow):
        return _peeled_power(f, x, w)
    return []


def _peeled_power(f, x, w):
    if f.exp == -1 and f.base.func in (sp.tan, sp.tanh):
        # The inverse of the cotangent is continuous where that of the tangent jumps.
        return _peeled((sp.cot if f.base.func is sp.tan else sp.coth)(f.base.args[0], evaluate=False), x, w)
    if not f.exp.has(x):
        roots = [w ** (1 / f.exp)]
        if f.exp.is_Rational:
            roots += [-(w ** (1 / f.exp)), -((-w) ** (1 / f.exp)), (-w) ** (1 / f.exp)]
        return [root for y in roots for root in _peeled(f.base, x, y)]
    if not f.base.has(x):
        return _peeled(f.exp, x, sp.log(w) / sp.log(f.base))
    return []


def _affine_power(f, x, w):
    """x/(a + x) and the like: a fraction of affine functions; a power of x times a constant."""
    if isinstance(f, sp.Mul):
        merged = sp.powsimp(f, combine="exp", force=True)
        if merged != f:
            return _peeled(merged, x, w)
    numerator, denominator = sp.fraction(sp.together(f))
    equation = sp.expand(numerator - w * denominator)
    if equation.is_polynomial(x) and sp.degree(equation, x) == 1:
        return [sp.cancel(-equation.coeff(x, 0) / equation.coeff(x, 1))]
    return []


def _by_powers(f, x, w):
    """x^a (b + c x^k)^e = w to the power 1/e is rational in x^k."""
    constant, dependent = sp.powsimp(f).as_independent(x, as_Add=False)
    powers = [part.as_base_exp() for part in sp.Mul.make_args(dependent)]
    outer = [(base, exponent) for base, exponent in powers if base != x]
    plain = sp.Add(*(exponent for base, exponent in powers if base == x))
    if len(outer) != 1 or outer[0][1].has(x) or not outer[0][0].is_Add:
        return []
    base, exponent = outer[0]
    inner = {node.exp for node in base.atoms(sp.Pow) if node.base == x} or {sp.S.One}
    ratio = sp.simplify(plain / exponent / (k := inner.pop()))
    if inner or not ratio.is_Integer:
        return []
    y = sp.Dummy("y", positive=True)
    form = base.xreplace({x**k: y}) * y**ratio
    if form.has(x):
        return []
    # A negative exponent on both sides keeps w / constant positive where x is.
    return [root ** (1 / k) for root in _rational_equation(form, y, (w / constant) ** (1 / exponent))]


def polynomial_roots(equation, x):
    """Real-valued forms of the roots of a polynomial of degree 1 to 4 or in a power of x."""
    polynomial = attempt(sp.Poly, equation, x)
    if polynomial is None or polynomial.degree() < 1:
        return []
    step = math.gcd(*[int(power) for (power,), _ in polynomial.terms()])
    if step > 1:
        y = sp.Dummy("y")
        inner = sum(factor * y ** (power // step) for (power,), factor in polynomial.terms())
        roots = polynomial_roots(inner, y)
        return [sign * root ** sp.Rational(1, step) for root in roots for sign in (1, -1)]
    c = polynomial.all_coeffs()
    if len(c) == 2:
        return [-c[1] / c[0]]
    if len(c) == 3:
        discriminant = attempt(sp.factor, c[1] ** 2 - 4 * c[0] * c[2], default=c[1] ** 2 - 4 * c[0] * c[2])
        root = sp.sqrt(discriminant)
        plain = [(-c[1] + sign * root) / (2 * c[0]) for sign in (1, -1)]
        # The other spelling keeps its digits, and stays finite, where c[0] vanishes.
        return plain + [2 * c[2] / (-c[1] - sign * root) for sign in (1, -1)]
    if len(c) == 4:
        return _cubic_roots(*c)
    return list(attempt(sp.roots, polynomial, default={}))


def _cubic_roots(a, b, c, d):
    """Return x = t - b/(3a) with t^3 + P t + Q = 0, by real functions alone where one root is real."""
    shift = b / (3 * a)
    P = sp.factor((3 * a * c - b**2) / (3 * a**2))
    Q = sp.factor((2 * b**3 - 9 * a * b * c + 27 * a**2 * d) / (27 * a**3))
    if P == 0:
        t = [(-Q) ** sp.Rational(1, 3), -(Q ** sp.Rational(1, 3))]
    else:
        size = sp.sqrt(P / 3)
        t = [-2 * size * sp.sinh(sp.asinh(3 * Q / (2 * P * size)) / 3)]
        size = sp.sqrt(-P / 3)
        angle = 3 * Q / (2 * P * size)
        t += [2 * size * sp.cos(sp.acos(angle) / 3 - 2 * sp.pi * k / 3) for k in range(3)]
        t += [2 * size * sp.cosh(sp.acosh(angle) / 3), -2 * size * sp.cosh(sp.acosh(-angle) / 3)]
    return [root - shift for root in t]


def _by_logarithms(f, x, v):
    """Solve sum c_k ln f_k + constant = v, in which the product of the f_k^c_k is known."""
    expanded = attempt(sp.expand_log, sp.expand(f), force=True)
    if expanded is None:
        return []
    # Inverse hyperbolic functions are logarithms too.
    terms = [term.as_independent(x, as_Add=False) for term in sp.Add.make_args(expanded) if term.has(x)]
    if len(terms) < 2 or not all(isinstance(part, sp.log) for _, part in terms):
        return []
    unit = terms[0][0]
    ratios = [sp.simplify(factor / unit) for factor, _ in terms]
    if not all(ratio.is_Rational for ratio in ratios):
        return []
    unit = unit / math.lcm(*[int(ratio.q) for ratio in ratios])
    constant = expanded - sum(factor * part for factor, part in terms)
    product = sp.prod([part.args[0] ** sp.simplify(factor / unit) for factor, part in terms])
    return _rational_equation(product, x, sp.exp((v - constant) / unit))


def _rational_equation(f, x, w):
    numerator, denominator = sp.fraction(sp.together(f))
    return polynomial_roots(sp.expand(numerator - w * denominator), x)


def _by_exponentials(f, x, v):
    """Return a rational function of e^(k x): roots in that exponential."""
    if not f.has(sp.exp, sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch):
        return []
    form = sp.powsimp(sp.expand(f.rewrite(sp.exp)))
    different = {node.exp.as_independent(x, as_Add=True)[1] for node in form.atoms(sp.exp) if node.has(x)}
    if not different:
        return []
    exponents = [sp.expand(exponent) for exponent in different]
    unit = exponents[0]
    ratios = [sp.simplify(exponent / unit) for exponent in exponents]
    if not all(ratio.is_Rational for ratio in ratios):
        return []
    unit = unit / math.lcm(*[int(ratio.q) for ratio in ratios])
    y = sp.Dummy("y", positive=True)

    def power(node):
        constant, dependent = node.exp.as_independent(x, as_Add=True)
        return sp.exp(constant) * y ** sp.simplify(dependent / unit)

    replaced = form.replace(lambda node: isinstance(node, sp.exp) and node.has(x), power)
    if replaced.has(x):
        return []
    roots = _rational_equation(replaced, y, v) or list(_algebraic(replaced, y, v))
    return [end for root in roots for end in _peeled(unit, x, sp.log(root))]


def _by_lambert(f, x, v):
    """Yield a L + b ln L = w, a L + b e^(k L) = w and (a L + b) e^(k L) = w, with L affine in x."""
    yield from _lambert_logarithm(attempt(sp.expand_log, sp.expand(f), force=True) or f, x, v)
    yield from _lambert_exponential(sp.expand(f), x, v)
    yield from _lambert_product(sp.factor(f), x, v)


def _by_reciprocal(f, x, v):
    """Yield f in y = 1/x, where e^(1/x) is e^y."""
    if not any(node.exp.has(1 / x) for node in f.atoms(sp.exp)):
        return
    y = sp.Dummy("y", positive=True) if x.is_positive else sp.Dummy("y", real=True)
    inner = sp.expand(f.xreplace({x: 1 / y}))
    for way in (_peeled, _by_lambert):
        for root in way(inner, y, v):
            yield 1 / root


def _split(f, x, kind):
    """Return f = slope x + rest + factor kind(inner), or None."""
    terms = [term for term in sp.Add.make_args(f) if term.has(kind) and term.has(x)]
    if len(terms) != 1:
        return None
    factor, node = terms[0].as_independent(x, as_Add=False)
    affine = sp.expand(f - terms[0])
    if not isinstance(node, kind) or not affine.is_polynomial(x) or sp.degree(affine, x) != 1:
        return None
    return affine.coeff(x, 1), affine.coeff(x, 0), factor, node


def _affine(expression, x):
    expression = sp.expand(expression)
    if expression.is_polynomial(x) and sp.degree(expression, x) == 1:
        return expression.coeff(x, 1), expression.coeff(x, 0)
    return None


def _w(argument):
    return [sp.LambertW(argument), sp.LambertW(argument, -1)]


def _lambert_logarithm(f, x, v):
    parts = _split(f, x, sp.log)
    inner = parts and _affine(parts[3].args[0], x)
    if not inner:
        return []
    (slope, rest, factor, _), (k, t) = parts, inner
    # With L = k x + t:  (slope/k) L + factor ln L = v - rest + slope t/k
    a, w = slope / k, v - rest + slope * t / k
    return [(factor / a * root - t) / k for root in _w(sp.simplify(a / factor) * sp.exp(w / factor))]


def _lambert_exponential(f, x, v):
    parts = _split(f, x, sp.exp)
    inner = parts and _affine(parts[3].exp, x)
    if not inner:
        return []
    (slope, rest, factor, _), (k, t) = parts, inner
    # slope x + factor e^(k x + t) = w:  x = w/slope - W((k factor/slope) e^(t + k w/slope))/k
    w = v - rest
    return [w / slope - root / k for root in _w(k * factor / slope * sp.exp(t + k * w / slope))]


def _lambert_product(f, x, v):
    constant, dependent = f.as_independent(x, as_Add=False)
    exponentials = [part for part in sp.Mul.make_args(dependent) if isinstance(part, sp.exp)]
    rest = sp.prod([part for part in sp.Mul.make_args(dependent) if not isinstance(part, sp.exp)])
    if len(exponentials) != 1:
        return []
    exponent, factor = _affine(exponentials[0].exp, x), _affine(rest, x)
    if not exponent or not factor:
        return []
    (k, t), (a, b) = exponent, factor
    # (a x + b) e^(k x + t) = w:  y = k x + k b/a has y e^y = (k w/a) e^(k b/a - t)
    return [root / k - b / a for root in _w(sp.simplify(k / a) * (v / constant) * sp.exp(k * b / a - t))]


def _algebraic(f, x, v):
    """Radicals are squared away; roots that squaring adds are weeded out by the caller."""
    radicals = [
        node for node in f.atoms(sp.Pow) if node.exp.is_Rational and not node.exp.is_Integer and node.has(x)
    ]
    bases = {node.base for node in radicals}
    if not radicals:
        return _rational_equation(f, x, v) if f.is_rational_function(x) else []
    if len(bases) != 1:
        return []
    base = bases.pop()
    q = math.lcm(*[int(node.exp.q) for node in radicals])
    r = sp.Dummy("r", positive=True)
    replaced = f.replace(
        lambda node: node.is_Pow and node.base == base and node.exp.is_Rational,
        lambda node: r ** (node.exp * q),
    )
    inner = _affine(base, x)
    if inner:
        replaced = replaced.subs(x, (r**q - inner[1]) / inner[0])
        if replaced.is_rational_function(r):
            return [(root**q - inner[1]) / inner[0] for root in _rational_equation(replaced, r, v)]
        return []
    if q != 2 or not replaced.is_rational_function(x):
        return []
    numerator, denominator = sp.fraction(sp.together(replaced))
    linear = sp.rem(sp.Poly(sp.expand(numerator - v * denominator), r), sp.Poly(r**2 - base, r))
    even, odd = linear.coeff_monomial(1), linear.coeff_monomial(r)
    return polynomial_roots(sp.expand(sp.numer(sp.together(even**2 - odd**2 * base))), x)


def _by_sympy(f, x, v):
    """SymPy's own search, both branches of every Lambert W."""
    solutions = attempt(sp.solve, f - v, x, limit=4.0, default=[], check=False, simplify=False)
    for solution in solutions if isinstance(solutions, list) else []:
        if isinstance(solution, sp.Expr):
            yield solution
            if solution.has(sp.LambertW):
                yield solution.replace(
                    lambda node: isinstance(node, sp.LambertW) and len(node.args) == 1,
                    lambda node: sp.LambertW(node.args[0], -1),
                )


# From the plain to the far-fetched.
WAYS = (
    _peeled,
    _by_powers,
    _by_logarithms,
    _by_exponentials,
    _by_lambert,
    _by_reciprocal,
    _algebraic,
    _by_sympy,
)
