"""The values of the parameters under which one derivation runs, and what they decide.

SymPy decides signs best for symbols that are positive and nothing else. So a parameter p > 1 enters a
derivation as 1 + t, one in (0, 1) as t/(1 + t), and one above another parameter as that one + t, each
with a positive t of its own; the result is written back in the parameters at the end.

A setting is a region of values: the declared ranges and further conditions. Whatever depends on a sign is
asked of it, and answered for all values of the region: by SymPy, or by z3. A sign that differs inside the
region raises `Split`, and the derivation starts again in each part. What neither decides is answered by
sample values: a guess, since what is derived is proved afterwards.
"""

import itertools
import random

import mpmath
import sympy as sp

from workbench._support.errors import InputError
from workbench.conjugates.convex.decisions import RELATIONS, Solver, declared, holds
from workbench.conjugates.convex.evaluation import DIGITS, number, value_at
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.syntax.bounds import Bound
from workbench.conjugates.convex.tidy import tidy

# Sample values of the positive symbols, unlike enough that a coincidence in one set shows in another.
_DRAWS = (
    tuple(sp.Rational(*pair) for pair in ((2, 3), (9, 5), (3, 11), (7, 4))),
    tuple(sp.Rational(*pair) for pair in ((7, 5), (4, 9), (5, 2), (8, 13))),
    tuple(sp.Rational(*pair) for pair in ((3, 1), (5, 7), (11, 6), (1, 5))),
)
TRIES = 60
_FAR = (sp.Rational(1, 10**6), sp.Integer(10) ** 6, sp.Rational(1, 50), sp.Integer(50))
ZERO = mpmath.mpf(10) ** -25


class Split(Exception):
    """The answer depends on the parameters; `conditions` are the cases, of which one always holds."""

    def __init__(self, conditions):
        super().__init__(*conditions)
        self.conditions = tuple(conditions)


class Setting:
    """A region of values of the declared parameters.

    Attributes
    ----------
    conditions : tuple of sympy relationals
        What holds in the region besides the declared ranges.
    forward : dict
        From the symbol of a parameter to its expression in the positive symbols.
    backward : dict
        From a positive symbol to its expression in the parameters.
    draws : list of dict
        Rational sample values for the positive symbols.
    """

    def __init__(self, parameters=None, conditions=()):
        self.parameters, self.conditions = dict(parameters or {}), tuple(conditions)
        self.forward: dict[sp.Symbol, sp.Expr] = {}
        self.backward: dict[sp.Symbol, sp.Expr] = {}
        fixed = {c.lhs: c.rhs for c in self.conditions if isinstance(c, sp.Equality) and c.lhs.is_Symbol}
        # Of two parameters that bound each other, the first enters freely and the second relative to it.
        free = (parameter for parameter in self.parameters.values() if parameter.symbol not in fixed)
        self.inner = tuple(map(self._enter, free))
        for symbol, value in reversed(fixed.items()):
            self.forward[symbol] = value.xreplace(self.forward)
        self._solver, self._signs, self._far = None, {}, None
        self.draws = self._draws() if self.inner else [{}]

    # --- in and out

    def _range(self, parameter):
        """Lower end, is it open, upper end, is it open: the range of numbers or a relation entered before."""
        lower, lower_open, upper, upper_open = self._numeric_range(parameter)
        for bound in parameter.bounds[1:]:
            if not bound.lower.is_infinite and bound.lower.free_symbols <= set(self.forward):
                lower, lower_open = bound.lower, bound.lower_open
            elif not bound.upper.is_infinite and bound.upper.free_symbols <= set(self.forward):
                upper, upper_open = bound.upper, bound.upper_open
        # a < b declared at a, which came before, is a < b for b as well.
        for other in self.parameters.values():
            for bound in other.bounds[1:] if other.symbol in self.forward else ():
                if bound.upper == parameter.symbol:
                    lower, lower_open = other.symbol, bound.upper_open
                elif bound.lower == parameter.symbol:
                    upper, upper_open = other.symbol, bound.lower_open
        return lower, lower_open, upper, upper_open

    def _numeric_range(self, parameter):
        """Return the declared range of numbers, narrowed by conditions such as a < 5.

        Of a range with two ends that is not the declared one, only the end that shows a sign is kept: a
        fraction for every parameter makes formulas long, and z3 knows both ends.
        """
        lower, lower_open, upper, upper_open = declared_range = parameter.bounds[0]
        for condition in self.conditions:
            if condition.lhs != parameter.symbol or not condition.rhs.is_number:
                continue
            end, strict = condition.rhs, isinstance(condition, (sp.StrictLessThan, sp.StrictGreaterThan))
            if isinstance(condition, (sp.StrictLessThan, sp.LessThan)) and bool(end <= upper):
                upper, upper_open = end, strict
            elif isinstance(condition, (sp.StrictGreaterThan, sp.GreaterThan)) and bool(end >= lower):
                lower, lower_open = end, strict
        narrowed = Bound(lower, lower_open, upper, upper_open)
        if narrowed == declared_range or lower.is_infinite or upper.is_infinite:
            return narrowed
        if lower.is_nonnegative or not upper.is_nonpositive:
            return narrowed._replace(upper=sp.oo, upper_open=True)
        return narrowed._replace(lower=-sp.oo, lower_open=True)

    def _enter(self, parameter):
        low, lower_open, high, upper_open = self._range(parameter)
        lower, upper, symbol = low.xreplace(self.forward), high.xreplace(self.forward), parameter.symbol
        if lower.is_infinite and upper.is_infinite:
            t = sp.Symbol(f"t_{parameter.name}", real=True)
            self.forward[symbol], self.backward[t] = t, symbol
            return t
        # A fraction reaches one of two ends, at t = 0; of two closed ones z3 knows the upper.
        from_above = lower.is_infinite or (lower_open and not upper.is_infinite and not upper_open)
        closed = not (upper_open if from_above else lower_open)
        t = sp.Symbol(f"t_{parameter.name}", **{"nonnegative" if closed else "positive": True})
        if upper.is_infinite or not (lower_open or upper_open):
            self.forward[symbol], self.backward[t] = lower + t, symbol - low
        elif lower.is_infinite:
            self.forward[symbol], self.backward[t] = upper - t, high - symbol
        elif from_above:
            self.forward[symbol] = (upper + lower * t) / (1 + t)
            self.backward[t] = (high - symbol) / (symbol - low)
        else:
            self.forward[symbol] = (lower + upper * t) / (1 + t)
            self.backward[t] = (symbol - low) / (high - symbol)
        return t

    def enter(self, expression):
        """Return the expression in the positive symbols."""
        expression = sp.sympify(expression)
        return (
            tidy(expression.xreplace(self.forward))
            if expression.free_symbols & set(self.forward)
            else expression
        )

    def leave(self, expression):
        """Return the expression in the parameters, with exponents and coefficients in lowest terms."""
        expression = sp.sympify(expression)
        if not self.inner or not expression.free_symbols & set(self.inner):
            return expression
        return tidy(expression.xreplace(self.backward))

    # --- decisions

    @property
    def solver(self):
        """z3 with the declared ranges and the conditions of the region."""
        if self._solver is None:
            self._solver = Solver((*declared(self.parameters), *self.conditions))
        return self._solver

    @property
    def is_empty(self):
        """True if the region is empty, as far as z3 knows."""
        return bool(self.conditions) and self.solver.possible().verdict == "no"

    def sign(self, expression):
        """Return the sign of an expression in the positive symbols, for all values of the region.

        Raises
        ------
        Split
            It differs inside the region.
        """
        expression = sp.sympify(expression)
        sign = _plain_sign(expression)
        if sign is not None:
            return sign
        form = self.leave(expression)
        if form.is_number:
            return self._number_sign(form)
        if all(sign_at(expression, draw) == 0 for draw in self.draws):
            return self._zero(expression)
        return self._product_sign(form)

    def peek(self, expression):
        """Return the sign where it is the same all over the region, else None."""
        try:
            return self.sign(expression)
        except Split:
            return None

    def order(self, a, b):
        """Return the sign of b - a, infinite ends included."""
        a, b = sp.sympify(a), sp.sympify(b)
        if a == b:
            return 0
        if a == -sp.oo or b == sp.oo:
            return 1
        return -1 if a == sp.oo or b == -sp.oo else self.sign(b - a)

    def _number_sign(self, form):
        return sign_at(form, {})

    def _zero(self, expression):
        """0, of an expression that vanishes at all sample values."""
        form = self.leave(expression)
        ways = (sp.expand, sp.simplify, lambda e: sp.simplify(sp.expand_log(e, force=True)))
        if any(attempt(way, form, limit=1.0) == 0 for way in ways):
            return 0
        if any(self.solver.possible(RELATIONS[s](form, 0)).verdict == "yes" for s in (1, -1)):
            return self._product_sign(form)
        return 0

    def _product_sign(self, form):
        form = attempt(lambda: sp.factor(sp.together(form)), limit=1.0, default=form)
        sign = 1
        for factor in sp.Mul.make_args(form):
            if isinstance(factor, sp.exp):
                continue
            base, exponent = factor.as_base_exp()
            if isinstance(base, sp.log):
                base = base.args[0] - 1  # it is real in the region, and has the same sign
            base_sign = _plain_sign(base)
            if base_sign is not None:
                own = base_sign
            elif base != form and sp.fraction(sp.together(base))[1].free_symbols:
                # Both signs and a pole: between them the region has a border as at a zero.
                own = self._product_sign(base)
            else:
                own = self._atom_sign(base)
            if not own:
                return own
            if not (exponent.is_Integer and exponent % 2 == 0):
                sign *= own
        return sign

    def _atom_sign(self, atom):
        if atom.is_number:
            return self._number_sign(atom)
        if atom not in self._signs:
            self._signs[atom] = self._find_signs(atom)
        possible = self._signs[atom]
        if len(possible) > 1:
            raise Split([condition(atom, sign, self) for sign in sorted(possible)])
        return possible[0]

    def _find_signs(self, atom):
        """Return the signs that occur."""
        inner = _plain_sign(self.enter(atom))
        if inner is not None:
            return (inner,)
        answers = {sign: self.solver.possible(RELATIONS[sign](atom, 0)).verdict for sign in (-1, 0, 1)}
        possible = {sign for sign, verdict in answers.items() if verdict == "yes"}
        unknown = {sign for sign, verdict in answers.items() if verdict == "unknown"}
        if unknown:
            signs = {sign_at(self.enter(atom), draw) for draw in (*self.draws, *self.far)} - {None}
            possible |= signs & unknown
            if {-1, 1} <= possible and answers[0] != "no":
                possible.add(0)
        return tuple(possible or unknown or {0})

    # --- sample values

    def _draws(self):
        plain = [dict(zip(self.inner, itertools.cycle(values), strict=False)) for values in _DRAWS]
        chance = random.Random(0)
        draws = [draw for draw in plain if self._inside(draw)]
        for _ in range(TRIES):
            if len(draws) == len(plain):
                return draws
            draw = {t: self._chosen(t, chance) for t in self.inner}
            if self._inside(draw):
                draws.append(draw)
        return draws or self._modelled()

    @staticmethod
    def _chosen(t, chance):
        value = sp.Rational(chance.randint(1, 60), chance.choice((1, 4, 7, 15, 40)))
        return value if t.is_nonnegative or chance.random() < 0.5 else -value

    def _inside(self, draw):
        values = {symbol: form.xreplace(draw) for symbol, form in self.forward.items()}
        return all(holds(c, values) for c in (*declared(self.parameters), *self.conditions))

    def _modelled(self):
        """Values that z3 finds, where chance hits none."""
        samples: list[dict[sp.Symbol, sp.Expr]] = []
        for _ in range(3):
            apart = [sp.Ne(t_form, value) for draw in samples for t_form, value in draw.items()]
            answer = self.solver.example(*apart)
            if answer.verdict != "yes":
                break
            samples.append(answer.values)
        draws = [{t: self.backward[t].subs(values) for t in self.inner} for values in samples]
        draws = [draw for draw in draws if all(value.is_Rational for value in draw.values())]
        return draws or [dict.fromkeys(self.inner, sp.S.One)]

    def sample(self):
        """Plain values of the parameters inside the region, {symbol: rational}."""
        if not self.parameters:
            return {}
        answer = self.solver.example()
        symbols = {parameter.symbol for parameter in self.parameters.values()}
        if answer.verdict == "yes" and set(answer.values) >= symbols:
            return {symbol: answer.values[symbol] for symbol in symbols}
        return {symbol: form.xreplace(self.draws[0]) for symbol, form in self.forward.items()}

    @property
    def far(self):
        """Sample values far out and close to each other, for what only numbers decide."""
        if self._far is None:
            rows = itertools.islice(itertools.product(_FAR, repeat=len(self.inner)), 32)
            draws = (dict(zip(self.inner, values, strict=True)) for values in rows)
            self._far = [draw for draw in draws if self.inner and self._inside(draw)][:12]
        return self._far

    # --- numbers that a caller gives

    def values(self, mapping):
        """Return the numbers of the parameters, {symbol: mpf}, or raise `InputError`."""
        unknown = sorted(set(mapping) - set(self.parameters))
        if unknown:
            names = ", ".join(self.parameters) or "none"
            raise InputError(f"parameter {unknown[0]!r} does not occur; the parameters are: {names}")
        missing = sorted(set(self.parameters) - set(mapping))
        if missing:
            raise InputError(f"parameter {missing[0]}: a value is missing; call with {missing[0]}=...")
        numbers = {self.parameters[name].symbol: number(value) for name, value in mapping.items()}
        for name, parameter in self.parameters.items():
            self._check(name, parameter, numbers)
        return numbers

    def _check(self, name, parameter, numbers):
        value = numbers[parameter.symbol]
        for bound in parameter.bounds:
            lower, upper = value_at(bound.lower, numbers), value_at(bound.upper, numbers)
            low = value > lower or (value == lower and not bound.lower_open)
            high = value < upper or (value == upper and not bound.upper_open)
            if not (low and high):
                raise InputError(
                    f"parameter {name} = {mpmath.nstr(value, 8)} is outside {_bounds_text(name, bound)}"
                )


def _bounds_text(name, bound):
    left, right = "<" if bound.lower_open else "<=", "<" if bound.upper_open else "<="
    return f"{bound.lower} {left} {name} {right} {bound.upper}"


def condition(atom, sign, setting):
    """Return atom < 0, = 0 or > 0 (by the sign), solved for a parameter where it is linear in one."""
    symbols = sorted(atom.free_symbols, key=lambda s: list(setting.parameters).index(s.name))
    for symbol in symbols:
        if not atom.is_polynomial(symbol) or sp.degree(atom, symbol) != 1:
            continue
        slope, rest = sp.expand(atom).coeff(symbol, 1), sp.expand(atom).coeff(symbol, 0)
        way = _plain_sign(setting.enter(slope))
        if way:
            return RELATIONS[sign * way](symbol, sp.cancel(-rest / slope))
    constant, rest = sp.expand(atom).as_coeff_Add()
    return RELATIONS[sign](rest, -constant)


def _plain_sign(expression):
    """Return the sign that SymPy knows from the signs of the symbols, else None."""
    if expression.is_positive:
        return 1
    if expression.is_negative:
        return -1
    return 0 if expression.is_zero else None


def sign_at(expression, draw):
    """Return the sign of an expression in the positive symbols at sample values, 0 within rounding."""
    value = value_at(expression, draw)
    if abs(value) < ZERO:
        # A small number is as large in more digits, and the rounding of zero is not.
        value = value_at(expression, draw, 4 * DIGITS)
        if abs(value) < ZERO**4:
            return 0
    return None if mpmath.isnan(value) else int(mpmath.sign(value))
