"""The places where a function of one variable changes its sign, for all values of the parameters.

A polynomial is factored, and factors of degree one and two and powers of the variable are solved with
every sign that matters decided by the setting, which splits the region where it has to. So their list of
roots is complete. Of other functions, candidates are kept where sample values confirm them, and a change of
sign that none of them explains is refused. Whether one is missing, the checker notices.
"""

import mpmath
import sympy as sp

from workbench._support.errors import UndecidedError
from workbench.conjugates.convex import invert
from workbench.conjugates.convex.evaluation import compiled, value_at
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.samples import places
from workbench.conjugates.convex.setting import sign_at

ZERO = mpmath.mpf(10) ** -22
SCAN = 120


def sorted_roots(functions, u, low, high, setting):
    """Return the distinct places inside (low, high) where one of the functions changes its sign, in order."""
    roots: list[sp.Expr] = []
    for function in functions:
        for root in real_roots(function, u, low, high, setting):
            _insert(roots, root, setting)
    return roots


def _insert(roots, root, setting):
    for k, other in enumerate(roots):
        order = setting.order(other, root)
        if order == 0:
            return
        if order < 0:
            roots.insert(k, root)
            return
    roots.append(root)


def real_roots(function, u, low, high, setting):
    """Every root and pole of the function inside (low, high), as expressions in the positive symbols.

    Raises
    ------
    UndecidedError
        The function changes its sign at a place without a closed form.
    """
    result = []
    for side in sp.fraction(sp.together(function)):
        for factor in _factors(side, u):
            if not factor.has(u):
                # Which of two functions is the larger depends on its sign.
                setting.sign(factor)
                continue
            if has_plain_sign(factor, u, low, high):
                continue
            roots, complete = _roots_of(factor, u, setting)
            inside = [root for root in roots if _is_inside(root, low, high, setting)]
            if not complete:
                _check_complete(factor, u, inside, low, high, setting)
            result += inside
    return result


def has_plain_sign(function, u, low, high):
    """Return whether SymPy sees at once that the function does not vanish on (low, high)."""
    signs = {"positive": True} if low.is_nonnegative else {"negative": True} if high.is_nonpositive else {}
    form = function.xreplace({u: sp.Dummy(real=True, **signs)})
    return bool(form.is_positive or form.is_negative)


def _factors(function, u):
    if function.is_polynomial(u):
        parts = attempt(lambda: [factor for factor, _ in sp.factor_list(function)[1]], default=[function])
        return [part for part in parts if part.free_symbols]
    parts = sp.Mul.make_args(attempt(sp.factor, function, limit=1.0, default=function))
    parts = [part.base if part.is_Pow and not part.exp.has(u) else part for part in parts]
    return [part for part in parts if part.free_symbols]


def _is_inside(root, low, high, setting):
    return setting.order(low, root) > 0 and setting.order(root, high) > 0


def _roots_of(function, u, setting):
    """Return (candidates, whether the list is complete)."""
    if isinstance(function, sp.exp):
        return [], True
    polynomial = attempt(sp.Poly, function, u) if function.is_polynomial(u) else None
    if polynomial is None:
        return _other_roots(function, u, setting), False
    coefficients = polynomial.all_coeffs()
    while len(coefficients) > 1 and setting.sign(coefficients[0]) == 0:
        coefficients = coefficients[1:]
    polynomial = sp.Poly(coefficients, u)
    roots = _polynomial_roots(polynomial, setting)
    if roots is not None:
        return roots, True
    if not polynomial.free_symbols_in_domain and all(c.is_Rational for c in polynomial.all_coeffs()):
        return list(dict.fromkeys(sp.real_roots(polynomial))), True
    candidates = [sp.simplify(root) for root in invert.polynomial_roots(polynomial.as_expr(), u)]
    return _confirmed(candidates, polynomial.as_expr(), u, setting), False


def _polynomial_roots(polynomial, setting):
    """Return all real roots of degree one, two, or of a polynomial in a power of u; None for others."""
    degree, c = polynomial.degree(), polynomial.all_coeffs()
    if degree <= 0:
        return []
    if degree == 1:
        return [sp.cancel(-c[1] / c[0])]
    steps = [power for (power,), _ in polynomial.terms() if power]
    step = sp.gcd_list(steps) if len(steps) > 1 else steps[0]
    if step > 1:
        y = sp.Dummy("y")
        inner = sp.Poly(sum(factor * y ** (power // step) for (power,), factor in polynomial.terms()), y)
        return _powers(_polynomial_roots(inner, setting), int(step), setting)
    if degree == 2:
        discriminant = sp.factor(c[1] ** 2 - 4 * c[0] * c[2])
        sign = setting.sign(discriminant)
        if sign < 0:
            return []
        middle, half = -c[1] / (2 * c[0]), sp.sqrt(discriminant) / (2 * c[0])
        return [sp.simplify(middle - half), sp.simplify(middle + half)] if sign else [sp.cancel(middle)]
    return None


def _powers(inner, step, setting):
    """Return u with u^step = y for each y."""
    if inner is None:
        return None
    roots = []
    for y in inner:
        sign = setting.sign(y)
        root = (y if sign >= 0 else -y) ** sp.Rational(1, step)
        if step % 2:
            roots.append(root if sign >= 0 else -root)
        elif sign >= 0:
            roots += [-root, root] if sign else [sp.S.Zero]
    return roots


def _other_roots(function, u, setting):
    candidates = [root for root in invert.solve(function, u, sp.S.Zero) if not root.has(u)]
    return _confirmed(candidates, function, u, setting)


def _confirmed(candidates, function, u, setting):
    """Those that are roots at all sample values, each once; the doubtful ones may split the region."""
    roots: list[sp.Expr] = []
    for root in candidates:
        residuals = [_residual(function, u, root, draw) for draw in setting.draws]
        if not any(residuals):
            continue
        if not all(residuals):
            _settle_domain(root, setting)
            continue
        if all(not _same(root, other, setting) for other in roots):
            roots.append(root)
    return roots


def _settle_domain(root, setting):
    """Ask for the signs of what stands under logarithms and roots, where that decides if the root is real."""
    for node in root.atoms(sp.log, sp.Pow):
        inner = node.args[0]
        if inner.free_symbols and (isinstance(node, sp.log) or not node.exp.is_Integer):
            setting.sign(inner)


def _residual(function, u, root, draw):
    value = value_at(root, draw)
    if mpmath.isnan(value) or mpmath.isinf(value):
        return False
    residual = compiled(function, u, numbers=draw)(value)
    return not mpmath.isnan(residual) and abs(residual) < ZERO * max(1, abs(value))


def _same(a, b, setting):
    return all(sign_at(a - b, draw) == 0 for draw in setting.draws)


# --- no root is missing


def _check_complete(function, u, roots, low, high, setting):
    """Refuse where the sign changes between the roots."""
    for draw in (*setting.draws, *setting.far[:4]):
        _scan(function, u, roots, low, high, draw)


def _scan(function, u, roots, low, high, draw):
    """Refuse more changes of sign than the roots allow: some root then lacks a closed form."""
    evaluate = compiled(function, u, numbers=draw)
    values = sorted(value_at(root, draw) for root in roots)
    points = places(low, high, draw, SCAN)
    cells = [sum(point > value for value in values) for point in points]
    signs = [evaluate(point) for point in points]
    for k in range(1, len(points)):
        if mpmath.isnan(signs[k]) or mpmath.isnan(signs[k - 1]) or cells[k] != cells[k - 1]:
            continue
        if signs[k] * signs[k - 1] < 0:
            raise UndecidedError(
                f"{function} changes sign near {u} = {mpmath.nstr(points[k], 5)}, where no closed form is "
                "known; name a domain or write the pieces out"
            )
