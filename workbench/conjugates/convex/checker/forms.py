"""Exact values on one face: quotients of polynomials in atoms, and z3 for their signs.

A face is a set of conditions on names (parameters, u, v). On it every tree without an undecided condition has
a form num/den, polynomials over Q in generators:

    a name
    log B           B an irreducible polynomial or prime that is positive on the face
    B^(1/d)         R > 0 with R^d = B
    exp(c m)        T > 0, m a monomial of names and logarithms, over a polynomial of parameters; c the
                    largest number of which all coefficients of m are multiples
    W(x)            of Lambert, W >= -1 with W exp(W) = x, for x >= -1/e
    sin x, cos x    S^2 + C^2 = 1, with their signs where x lies in one half turn
    f(x)            of a function without rules, such as erf

Logarithms of products and powers are sums, exponentials of logarithms powers, so that equal values get equal
forms for most of what is typed. What is known of an atom beyond its sign is log x <= x - 1 for x > 0, and
enclosures of numbers such as log 2. Conventions: a formula has a value where all its parts have one; the base
of a power is positive, or zero with a positive exponent, unless the exponent is an integer.
"""

import contextlib
import functools
import itertools
import math
import threading
import time
from fractions import Fraction

import z3
from flint import Ordering, arb, fmpq, fmpq_mpoly_ctx

from workbench.conjugates.convex.checker import grammar

GENERATORS = 40
CONTEXT = fmpq_mpoly_ctx.get([f"x{k}" for k in range(GENERATORS)], Ordering.lex)
GENS = CONTEXT.gens()
# z3 and cvc5 count their own steps, so that an answer depends neither on the machine nor on its load.
STEPS, OTHER_STEPS = 400_000, 20_000
LARGEST_POWER, LARGEST_SIZE, LARGEST_SENTENCE, MAX_LOGS = 64, 4000, 200, 6
# z3 reads digits one by one, in a time that grows with the square of their number.
MAX_DIGITS = 8_000
NAMED, LAMBERT = "name", ("call", "lambertw")
# Between which quarter turns the inverse functions lie.
QUARTERS = {"asin": (-1, 1), "acos": (0, 2), "atan": (-1, 1)}


@functools.cache
def _real(k):
    """Return the generator of a number for z3, of which each costs some calls into it."""
    return z3.Real(f"x{k}")


class Budget(threading.local):
    """Processor time of a thread for a proof: once it is over, every question that is left is undecided."""

    deadline = math.inf

    @property
    def remaining(self):
        return self.deadline - time.thread_time()

    @property
    def is_over(self):
        return self.remaining <= 0.0

    @contextlib.contextmanager
    def limited_to(self, seconds):
        before, self.deadline = self.deadline, min(self.deadline, time.thread_time() + seconds)
        try:
            yield
        finally:
            self.deadline = before


BUDGET = Budget()
RECORDS: list[list[str]] = []
ANSWERS: list[list[str]] = []


@contextlib.contextmanager
def recorded():
    """Yield a list that gets, in SMT-LIB 2, every question that z3 answers unsat in the block."""
    RECORDS.append([])
    try:
        yield RECORDS[-1]
    finally:
        RECORDS.pop()


@contextlib.contextmanager
def asked_twice():
    """Ask cvc5, where it is installed, after every unsat of z3 in the block; its sat overrules z3.

    Yields the list of its answers, or None without cvc5.
    """
    try:
        import cvc5  # noqa: F401
    except ImportError:
        yield None
        return
    ANSWERS.append([])
    try:
        yield ANSWERS[-1]
    finally:
        ANSWERS.pop()


def other_answer(text):
    """Return the answer of cvc5, "sat", "unsat" or "unknown", to a question in SMT-LIB 2."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", str(OTHER_STEPS))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic QF_NRA)\n{text}", "question")
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers.append(command.invoke(solver, parser.getSymbolManager()).strip())
    return next((answer for answer in answers if answer in ("sat", "unsat")), "unknown")


class Undecided(Exception):
    """A form out of reach, or a question that the face leaves open: a condition, to be tried both ways."""

    def __init__(self, reason, question=None):
        super().__init__(reason)
        self.question = question


class Undefined(Exception):
    """The formula is nowhere finite on the face."""


class Refine(Exception):
    """A root or exponential is needed in a smaller unit than so far."""

    def __init__(self, key, unit):
        super().__init__(key, unit)
        self.key, self.unit = key, unit


def constant(value):
    """Return a number as a polynomial."""
    value = Fraction(value)
    return CONTEXT.constant(fmpq(value.numerator, value.denominator))


ONE, ZERO = constant(1), constant(0)


class Form:
    """num/den in lowest terms."""

    __slots__ = ("den", "num")

    def __init__(self, num, den=ONE, reduced=False):
        if not reduced:
            common = num.gcd(den)
            if not common.is_constant():
                num, den = num / common, den / common
            if den.is_constant():
                num, den = num / den, ONE
        if len(num) + len(den) > LARGEST_SIZE:
            raise Undecided("the formula is too large for exact forms")
        self.num, self.den = num, den

    def __add__(self, other):
        return Form(self.num * other.den + other.num * self.den, self.den * other.den)

    def __sub__(self, other):
        return Form(self.num * other.den - other.num * self.den, self.den * other.den)

    def __mul__(self, other):
        return Form(self.num * other.num, self.den * other.den)

    def __truediv__(self, other):
        return Form(self.num * other.den, self.den * other.num)

    def __pow__(self, k):
        if abs(k) > LARGEST_POWER:
            raise Undecided(f"a power of {k}")
        num, den = (self.num, self.den) if k >= 0 else (self.den, self.num)
        return Form(num ** abs(k), den ** abs(k), reduced=k > 0)

    @property
    def fraction(self):
        """The number that it is, or None."""
        if not (self.num.is_constant() and self.den.is_constant()):
            return None
        value = _coefficient(self.num) / _coefficient(self.den)
        return Fraction(int(value.p), int(value.q))

    @property
    def key(self):
        return str(self.num), str(self.den)


def _coefficient(polynomial):
    """Return the number that a constant polynomial is."""
    return polynomial.coeffs()[0] if len(polynomial) else fmpq(0)


class Face:
    """Conditions, the atoms met on them, and what follows.

    With `at_limits`, a formula has its limit where it is 0 log 0.
    """

    def __init__(self, conditions=(), units=()):
        self.units, self.at_limits = dict(units), False
        self.atoms, self.facts, self.lemmas, self.indices, self.fixed = [], [], [], {}, {}
        self.questions: dict[tuple, bool | None] = {}
        self._take(sorted(conditions, key=lambda condition: condition[0] != "=="))
        for condition in conditions:
            self._raise(condition)
        self.questions = {}

    def _take(self, conditions):
        """Add conditions as facts; what has a value only where others hold comes after them."""
        waiting = []
        for condition in conditions:
            try:
                self.facts.append(self.sentence(condition))
            except Undecided as error:
                waiting.append((condition, error))
                continue
            self.questions = {}
            if condition[0] == "==":
                self._fix(*condition[1:])
        if waiting and len(waiting) == len(conditions):
            raise waiting[0][1]
        if waiting:
            self._take([condition for condition, _ in waiting])

    def _fix(self, left, right):
        """Put in the value of a name that an equation gives."""
        equation = (self.form(left) - self.form(right)).num
        for k, key in enumerate(self.atoms):
            if key[0] == NAMED and key[1] not in self.fixed and equation.degrees()[k] == 1:
                slope = equation.derivative(k)
                if slope.is_constant():
                    self.fixed[key[1]] = Form(GENS[k] - equation / slope)
                    return

    def _raise(self, condition):
        """Add to a comparison with a logarithm that of the exponentials of both sides; exp increases."""
        kind, *sides = condition
        if kind in grammar.COMPARISONS and grammar.compare_infinite(kind, *sides) is None:
            form = self.form(sides[0]) - self.form(sides[1])
            if self._has_logarithm(form):
                with contextlib.suppress(Undecided, Undefined):
                    self.lemmas.append(self.relation(self.exponential(form) - ONE_FORM, kind))

    # --- atoms

    def atom(self, key, make=lambda variable: ()):
        """Return the generator of a key; `make` gives what is known of it."""
        name = tuple(map(str, key))
        if name not in self.indices:
            if len(self.atoms) == GENERATORS:
                raise Undecided("the formula has too many functions for exact forms")
            index = len(self.atoms)
            self.atoms.append(key)
            self.indices[name] = index
            self.questions = {}
            self.facts += make(_real(index))
        return GENS[self.indices[name]]

    def variable(self, name):
        return self.atom((NAMED, name))

    def key_of(self, polynomial):
        """Return the key of a polynomial that is a generator, else None."""
        if len(polynomial) == 1 and polynomial.total_degree() == 1 and polynomial.coeffs()[0] == 1:
            return self.atoms[polynomial.monoms()[0].index(1)]
        return None

    # --- sentences

    def term(self, polynomial):
        """Return a polynomial for z3."""
        total = []
        for exponents, coefficient in polynomial.terms():
            digits = f"{coefficient.p}/{coefficient.q}"
            if len(digits) > MAX_DIGITS:
                raise Undecided("the sentence has too many digits")
            factors = [z3.RealVal(digits)] if coefficient != 1 else []
            for k, exponent in enumerate(exponents):
                factors += [_real(k)] * int(exponent)
            total.append(z3.Product(*factors) if len(factors) > 1 else (factors or [z3.RealVal(1)])[0])
        return z3.Sum(*total) if len(total) > 1 else (total or [z3.RealVal(0)])[0]

    def relation(self, form, kind):
        """Return the sentence that num/den stands in a relation to 0, den being known not to vanish."""
        product = form.num if form.den.is_constant() or kind in ("==", "!=") else form.num * form.den
        names = sum(1 for degree in product.degrees() if degree)
        if names * product.total_degree() > LARGEST_SENTENCE:
            raise Undecided("the sentence is too large")
        return grammar.compare_with_zero(self.term(product), kind)

    def sentence(self, condition):
        """Return a condition for z3."""
        kind, *parts = condition
        if kind == "true":
            return z3.BoolVal(True)
        if kind in ("and", "or"):
            return (z3.And if kind == "and" else z3.Or)(*map(self.sentence, parts))
        if kind == "not":
            return z3.Not(self.sentence(parts[0]))
        left, right = parts
        infinite = grammar.compare_infinite(kind, left, right)
        if infinite is not None:
            return z3.BoolVal(infinite)
        return self.relation(self.form(left) - self.form(right), kind)

    def follows(self, goal):
        """Return whether z3 shows a sentence from the conditions."""
        key = goal.sexpr()
        if key not in self.questions:
            if BUDGET.is_over:
                raise Undecided("the time for it ran out")
            # Most questions are settled without logarithms, and much faster.
            holds = self._is_shown(goal, self.facts)
            if self.lemmas and not holds:
                holds = self._is_shown(goal, [*self.facts, *self.lemmas])
            self.questions[key] = holds
        return self.questions[key]

    @staticmethod
    def _is_shown(goal, facts):
        solver = z3.SolverFor("QF_NRA")
        solver.set("rlimit", STEPS)
        solver.add(*facts, z3.Not(goal))
        if solver.check() != z3.unsat:
            return False
        text = solver.to_smt2() if RECORDS or ANSWERS else ""
        if RECORDS:
            RECORDS[-1].append(text)
        if ANSWERS:
            ANSWERS[-1].append(other_answer(text))
            return ANSWERS[-1][-1] != "sat"
        return True

    def holds(self, condition):
        """Return whether a condition follows from those of the face."""
        kind, *parts = condition
        if kind == "and":
            return all(map(self.holds, parts))
        if self.follows(self.sentence(condition)):
            return True
        if kind in ("<=", ">=") and self._holds_above(kind, *parts):
            return True
        return kind in ("<", "<=", ">", ">=") and self._holds_by_pairs(condition)

    def _holds_by_pairs(self, condition):
        """Once more with what pairs of logarithms and exponentials say of each other.

        They are in the order of their arguments, and log(A/B) <= A/B - 1 for any two positive atoms A and B.
        """
        logs = [(key[1], atom) for key, atom in zip(self.atoms, GENS, strict=False) if key[0] == "log"]
        logs += [
            (atom, self._log_of(atom).num)
            for key, atom in zip(self.atoms, GENS, strict=False)
            if key[0] == "exp" and key[2].is_constant()
        ]
        if not 2 <= len(logs) <= MAX_LOGS:
            return False
        lemmas = list(self.lemmas)
        self.lemmas += self.in_order()
        for (a, log_a), (b, log_b) in itertools.permutations(logs, 2):
            self.lemmas.append(self.term((log_a - log_b) * b) <= self.term(a - b))
        self.questions = {}
        holds = self.follows(self.sentence(condition))
        self.lemmas, self.questions = lemmas, {}
        return holds

    def in_order(self):
        """Exponentials and logarithms are in the order of their arguments."""
        groups: dict[str, list] = {"exp": [], "log": []}
        for k, key in enumerate(self.atoms):
            if key[0] in groups and key[2:3] in ((), (ONE,)):
                unit = z3.RealVal(str(key[3]) if key[3:] else 1)
                groups[key[0]].append((self.term(key[1]) * unit, _real(k)))
        return [
            z3.And(z3.Implies(a < b, x < y), z3.Implies(a == b, x == y), z3.Implies(a > b, x > y))
            for alike in groups.values()
            for (a, x), (b, y) in itertools.combinations(alike, 2)
        ]

    def _holds_above(self, kind, left, right):
        """Return a >= b where exp(a) >= exp(b), in which logarithms have gone."""
        form = self.form(left) - self.form(right)
        if not self._has_logarithm(form):
            return False
        return self.follows(
            self.relation(self.exponential(self._without_positive_names(form)) - ONE_FORM, kind)
        )

    def _has_logarithm(self, form):
        used = [num or den for num, den in zip(form.num.degrees(), form.den.degrees(), strict=True)]
        return any(key[0] == "log" and degree for key, degree in zip(self.atoms, used, strict=False))

    def _without_positive_names(self, form):
        """Return the form divided by those of its factors that are names of positive numbers."""
        for polynomial, side in ((form.num, 1), (form.den, -1)):
            for factor, count in polynomial.factor()[1]:
                key = self.key_of(factor)
                if key and key[0] == NAMED and self.is_(Form(factor, reduced=True), ">"):
                    form = form * Form(factor, reduced=True) ** (-side * int(count))
        return form

    def is_(self, form, kind):
        """Return whether a form is known to stand in a relation to 0."""
        value = form.fraction
        if value is not None:
            return grammar.compare_with_zero(value, kind)
        return self.follows(self.relation(form, kind))

    def is_zero(self, form):
        """Return whether a form is zero all over the face: identically, modulo roots, or by z3."""
        rest = self._reduced(form.num)
        return rest.is_zero() or self.follows(self.term(rest) == 0)

    def _reduced(self, polynomial):
        """Return the polynomial with R^d = B put in."""
        for k, key in enumerate(self.atoms):
            if key[0] == "root" and polynomial.degrees()[k] >= key[2]:
                total = ZERO
                for exponents, coefficient in polynomial.terms():
                    whole, rest = divmod(int(exponents[k]), key[2])
                    monomial = CONTEXT.from_dict({(*exponents[:k], rest, *exponents[k + 1 :]): coefficient})
                    total += monomial * key[1] ** whole
                return self._reduced(total)
        return polynomial

    # --- forms of trees

    def form(self, tree):
        """Return the form of a tree on the face; `Undefined`, or `Undecided`."""
        kind, *parts = tree
        if kind == "number":
            return Form(constant(parts[0]), reduced=True)
        if kind == "name":
            return self.fixed.get(parts[0]) or Form(self.variable(parts[0]), reduced=True)
        if kind == "infinity":
            raise Undecided("oo stands elsewhere than as the value of a case")
        return getattr(self, f"_{ {'+': 'sum', '*': 'product'}.get(kind, kind) }")(*parts)

    def _pi(self):
        return Form(self.atom(("pi",), lambda x: _enclosed(x, arb.pi())))

    def _sum(self, *parts):
        total = self.form(parts[0])
        for part in parts[1:]:
            total = total + self.form(part)
        return total

    def _product(self, *parts):
        total, endless = ONE_FORM, False
        for k, part in enumerate(parts):
            try:
                total = total * self.form(part)
            except Undefined:
                if self.at_limits and part[0] == "+":
                    return self._sum(*(("*", *parts[:k], term, *parts[k + 1 :]) for term in part[1:]))
                endless = self.at_limits and part[0] == "log" and self.is_zero(self.form(part[1]))
                if not endless:
                    raise
        if endless and not self.is_zero(total):
            raise Undefined("an infinite logarithm")
        return total

    def _sign(self, x):
        form = self.form(x)
        for sign, kind in ((1, ">"), (-1, "<"), (0, "==")):
            if self.is_(form, kind):
                return Form(constant(sign), reduced=True)
        raise Undecided("a sign", ("<" if self.is_(form, "<=") else "<=", x, grammar.ZERO))

    def _abs(self, x):
        form = self.form(x)
        if self.is_(form, ">="):
            return form
        if self.is_(form, "<="):
            return ZERO_FORM - form
        raise Undecided("a sign", ("<=", x, grammar.ZERO))

    def _max(self, *parts, sign=1):
        first, *others = parts
        best = self.form(first)
        for part in others:
            other = self.form(part)
            if self.is_(best - other, "<=" if sign > 0 else ">="):
                first, best = part, other
            elif not self.is_(best - other, ">=" if sign > 0 else "<="):
                raise Undecided("which is larger", ("<=", first, part))
        return best

    def _min(self, *parts):
        return self._max(*parts, sign=-1)

    def _cases(self, *cases):
        for value, condition in cases:
            sentence = self.sentence(condition)
            if self.follows(sentence):
                if value == grammar.INFINITY:
                    raise Undefined("infinite")
                return self.form(value)
            if not self.follows(z3.Not(sentence)):
                raise Undecided("which case holds", condition)
        raise Undefined("no case holds")

    def _call(self, name, x):
        form = self.form(x)
        if name in ("sin", "cos"):
            return self._turned(name, form)
        if name != "acos" and self.is_zero(form):
            return ZERO_FORM
        if name in ("asin", "acos") and not (
            self.is_(form - ONE_FORM, "<=") and self.is_(form + ONE_FORM, ">=")
        ):
            if self.is_(form - ONE_FORM, ">") or self.is_(form + ONE_FORM, "<"):
                raise Undefined("the argument of an arc sine")
            raise Undecided("the argument of an arc sine")
        if name == "lambertw" and not self.is_(form + self._exp(grammar.number(-1)), ">="):
            raise Undecided("the argument of W")
        turn = _real(self._pi_index()) if name in QUARTERS else None

        def known(x):
            if turn is not None:
                low, high = QUARTERS[name]
                above, below = (self.relation(form, kind) for kind in ("><" if name != "acos" else "<>"))
                middle = turn * (low + high)  # of four quarters
                return [
                    2 * x >= low * turn,
                    2 * x <= high * turn,
                    (4 * x > middle) == above,
                    (4 * x < middle) == below,
                ]
            if name == "lambertw":
                sign = next((kind for kind in (">", ">=") if self.is_(form, kind)), None)
                return [grammar.compare_with_zero(x, sign)] if sign else [x >= -1]
            return [x >= -1, x <= 1] if name == "erf" else []

        return Form(self.atom(("call", name, form.num, form.den), known))

    def _pi_index(self):
        self._pi()
        return self.indices["pi",]

    # --- angles

    def _turned(self, name, angle):
        """Return sin or cos of an angle from those of the angle without quarter turns and a plain sign."""
        k, turns = self._pi_index(), Fraction(0)
        if angle.den.is_constant():
            pi = tuple(int(j == k) for j in range(GENERATORS))
            coefficient = angle.num.to_dict().get(pi, fmpq(0))
            turns = 2 * Fraction(int(coefficient.p), int(coefficient.q))
        if turns.denominator != 1:
            turns = Fraction(0)
        angle = angle - Form(constant(turns / 2) * GENS[k])
        sign = -1 if len(angle.num) and angle.num.coeffs()[0] < 0 else 1
        sine, cosine = self._sine_and_cosine(angle if sign > 0 else ZERO_FORM - angle)
        sine = sine if sign > 0 else ZERO_FORM - sine
        # A quarter turn takes (sin, cos) to (cos, -sin).
        for _ in range(int(turns) % 4):
            sine, cosine = cosine, ZERO_FORM - sine
        return sine if name == "sin" else cosine

    def _sine_and_cosine(self, angle):
        if self.is_zero(angle):
            return ZERO_FORM, ONE_FORM
        key = self.key_of(angle.num) if angle.den.is_constant() else None
        if key and key[0] == "call" and key[1] in QUARTERS:
            x = Form(*key[2:])
            if key[1] == "atan":
                cosine = ONE_FORM / self._square_root(ONE_FORM + x * x)
                return x * cosine, cosine
            other = self._square_root(ONE_FORM - x * x)
            return (x, other) if key[1] == "asin" else (other, x)
        sine, cosine = (self.atom(("call", name, angle.num, angle.den)) for name in ("sin", "cos"))
        if ("circle", str(sine)) not in self.indices:
            self.indices["circle", str(sine)] = None
            self.facts.append(self.term(sine * sine + cosine * cosine - ONE) == 0)
            self.questions = {}
        for part, start in ((sine, 0), (cosine, -1)):
            self._signed(part, angle, start)
        return Form(sine), Form(cosine)

    def _signed(self, part, angle, start):
        """Add the sign: positive on the half turn from `start` quarters on, negative on its neighbours."""
        for half in (-2, -1, 0, 1) if ("turned", str(part)) not in self.indices else ():
            low, high = (Form(constant(Fraction(start, 2) + k) * self._pi().num) for k in (half, half + 1))
            for inside, kind in ((">", ">"), (">=", ">=")):
                if self.is_(angle - low, inside) and self.is_(high - angle, inside):
                    self.indices["turned", str(part)] = None
                    self.facts.append(grammar.compare_with_zero(self.term(part * (1 - 2 * (half % 2))), kind))
                    self.questions = {}
                    return

    def _square_root(self, form):
        if self.is_zero(form):
            return ZERO_FORM
        return self.exponential(self.logarithm(form) * Form(constant(Fraction(1, 2))))

    def _log(self, x):
        return self.logarithm(self.form(x))

    def _exp(self, x):
        return self.exponential(self.form(x))

    def _power(self, base_tree, exponent_tree):
        base, exponent = self.form(base_tree), self.form(exponent_tree)
        value = exponent.fraction
        if value is not None and value.denominator == 1:
            if value <= 0 and not self.is_(base, "!="):
                if self.is_zero(base):
                    if value == 0:
                        return ONE_FORM
                    raise Undefined("a division by zero")
                raise Undecided("whether a denominator vanishes", ("==", base_tree, grammar.ZERO))
            return base ** int(value)
        if self.is_zero(base):
            if self.is_(exponent, ">"):
                return ZERO_FORM
            if self.is_(exponent, "<"):
                raise Undefined("a negative power of zero")
            if self.is_zero(exponent):
                return ONE_FORM
            raise Undecided(
                "a power of zero", (("==" if self.is_(exponent, ">=") else "<="), exponent_tree, grammar.ZERO)
            )
        if not self.is_(base, ">"):
            if self.is_(base, "<"):
                raise Undefined("a power of a negative number")
            raise Undecided(
                "a power of what may be negative",
                ("==" if self.is_(base, ">=") else "<", base_tree, grammar.ZERO),
            )
        return self.exponential(self.logarithm(base) * exponent)

    def is_isolated(self, equation, name):
        """Return whether an equation, a product of factors linear in a name, has isolated solutions."""
        _, factors = (self.form(equation[1]) - self.form(equation[2])).num.factor()
        plain = {k for k, key in enumerate(self.atoms) if key[0] == NAMED}
        k = self.indices.get((NAMED, name))
        for factor, _ in factors:
            used = {j for j, degree in enumerate(factor.degrees()) if degree}
            linear = (
                k in used
                and used <= plain
                and factor.degrees()[k] == 1
                and factor.derivative(k).is_constant()
            )
            if not linear and not self.is_(Form(factor, reduced=True), "!="):
                return False
        return True

    # --- logarithms and exponentials

    def logarithm(self, form):
        """Return log of a form that is positive on the face."""
        form = self._in_lowest_powers(form)
        if not self.is_(form, ">"):
            if self.is_(form, "<="):
                raise Undefined("the logarithm of a number that is not positive")
            raise Undecided("the sign below a logarithm")
        total = ZERO_FORM
        for polynomial, side in ((form.num, 1), (form.den, -1)):
            content, factors = polynomial.factor()
            content = Fraction(int(content.p), int(content.q))
            for factor, count in factors:
                if not self.is_(Form(factor, reduced=True), ">"):
                    if not self.is_(Form(factor, reduced=True), "<"):
                        key = self.key_of(factor)
                        question = ("<", key, grammar.ZERO) if key and key[0] == NAMED else None
                        raise Undecided("the sign of a factor below a logarithm", question)
                    factor, content = -factor, content * (-1) ** int(count)
                total = total + Form(constant(side * int(count))) * self._log_of(factor)
            total = total + Form(constant(side)) * self._log_of_number(abs(content))
        self._bounded_log(form, total)
        return total

    def _in_lowest_powers(self, form):
        """Return the form with R^d = B put in, which has other factors."""
        num, den = self._reduced(form.num), self._reduced(form.den)
        return form if den.is_zero() else Form(num, den)

    def _bounded_log(self, x, log):
        """Add the facts log x <= x - 1 and log(1/x) <= 1/x - 1."""
        if ("bounded", *x.key) not in self.indices:
            self.indices["bounded", *x.key] = None
            self.lemmas += [
                self.relation(x - ONE_FORM - log, ">="),
                self.relation(ONE_FORM / x - ONE_FORM + log, ">="),
            ]
            self.questions = {}

    def _log_of_number(self, value):
        total = ZERO_FORM
        for whole, side in ((value.numerator, 1), (value.denominator, -1)):
            for prime, count in _factors(whole):
                # "E" stands as exp(1), whose logarithm is 1, and never comes here.
                atom = self.atom(("log", constant(prime)), lambda x, p=prime: _enclosed(x, arb(p).log()))
                total = total + Form(constant(side * count) * atom)
        return total

    def _log_of(self, factor):
        key = self.key_of(factor)
        if key and key[0] == "exp":
            return Form(key[1], key[2]) * Form(constant(key[3]))
        if key and key[0] == "root":
            return self.logarithm(Form(key[1])) * Form(constant(Fraction(1, key[2])))
        if key and key[:2] == LAMBERT:
            return self.logarithm(Form(*key[2:])) - Form(factor)  # W exp(W) = x
        lead = Fraction(int(factor.coeffs()[0].p), int(factor.coeffs()[0].q))
        factor = factor / constant(abs(lead))
        base = self.term(factor)
        # log B <= B - 1 and log(1/B) <= 1/B - 1.
        count = len(self.atoms)
        atom = self.atom(("log", factor))
        if len(self.atoms) > count:
            x = _real(count)
            self.lemmas += [x <= base - 1, x * base >= base - 1]
        return Form(atom) + self._log_of_number(abs(lead))

    def exponential(self, form):
        """Return exp of a form, as a product of powers of atoms."""
        form = self._in_lowest_powers(form)
        quotient, rest = divmod(form.num, form.den)
        total = ONE_FORM
        for polynomial, below in ((quotient, ONE), (rest, form.den)):
            for exponents, coefficient in polynomial.terms():
                monomial = CONTEXT.from_dict({exponents: 1})
                total = total * self._exponential_of(
                    monomial, below, Fraction(int(coefficient.p), int(coefficient.q))
                )
        return total

    def _exponential_of(self, monomial, below, coefficient):
        """exp(coefficient monomial / below)."""
        if below.is_constant():
            coefficient /= Fraction(int(_coefficient(below).p), int(_coefficient(below).q))
            below = ONE
            key = self.key_of(monomial)
            if key and key[0] == "log":
                return self._root(key[1], coefficient)
            if key and key[:2] == LAMBERT:
                x, w = Form(*key[2:]), Form(monomial)
                if coefficient.denominator == 1 and self.is_(w, "!="):
                    return (x / w) ** int(coefficient)
                if self.is_(w, ">"):
                    power = self.exponential(self.logarithm(x) * Form(constant(coefficient)))
                    return power * self._root(monomial, -coefficient)
        else:
            lead = below.coeffs()[0]
            below, coefficient = (
                below / CONTEXT.constant(lead),
                coefficient / Fraction(int(lead.p), int(lead.q)),
            )
        unit = self._unit((str(monomial), str(below)), coefficient)
        atom = self.atom(("exp", monomial, below, unit), lambda x: self._growth(x, monomial, below, unit))
        return Form(atom) ** int(coefficient / unit)

    def _growth(self, x, monomial, below, unit):
        """Add T > 0, T >= 1 + m and 1/T >= 1 - m for T = exp(m), m a number of units of a monomial."""
        if monomial.is_constant() and below.is_constant():
            return [x > 0, *_enclosed(x, (arb(unit.numerator) / unit.denominator).exp())]
        if not below.is_constant():
            return [x > 0]
        argument = self.term(monomial * constant(unit))
        bounds = [x > 0, x >= 1 + argument, x * (1 - argument) <= 1]
        key = self.key_of(monomial)
        if key and key[:2] == LAMBERT and unit.numerator == 1 and unit.denominator <= LARGEST_POWER:
            # exp(W) as a power of exp(unit W)
            whole = z3.Product(self.term(monomial * key[3]), *[x] * unit.denominator)
            bounds.append(whole == self.term(key[2]))
        return bounds

    def _root(self, base, exponent):
        """base^exponent for a base that is positive on the face."""
        if exponent.denominator == 1:
            return Form(base) ** int(exponent)
        parts = self._unit(("root", str(base)), exponent).denominator
        if parts > LARGEST_POWER:
            raise Undecided(f"a root of order {parts}")
        body = self.term(base)
        root = self.atom(("root", base, parts), lambda x: [x > 0, z3.Product(*[x] * parts) == body])
        whole, rest = divmod(int(exponent * parts), parts)
        return Form(base) ** whole * Form(root) ** rest

    def _unit(self, key, coefficient):
        """Return the number of which all coefficients met so far are multiples."""
        unit = self.units.get(key, abs(coefficient))
        if (coefficient / unit).denominator > 1:
            common = math.lcm(unit.denominator, coefficient.denominator)
            raise Refine(key, Fraction(math.gcd(int(unit * common), int(coefficient * common)), common))
        self.units[key] = unit
        return unit


ZERO_FORM, ONE_FORM = Form(ZERO, reduced=True), Form(ONE, reduced=True)


def _enclosed(variable, ball):
    """Return the facts about a number: its enclosure by rationals."""
    nearest = float(ball.mid())
    if math.isinf(nearest):
        return []  # a number above all floats: nothing of it is said
    middle = Fraction(nearest)
    radius = Fraction(1, 10**12) * (1 + abs(middle)) + 2 * Fraction(float(ball.rad()))
    return [variable >= z3.RealVal(str(middle - radius)), variable <= z3.RealVal(str(middle + radius))]


def _factors(whole):
    """Primes and their counts; a number with large ones counts as one."""
    prime, factors = 2, []
    while prime * prime <= whole and prime < 1000:
        count = 0
        while whole % prime == 0:
            whole, count = whole // prime, count + 1
        if count:
            factors.append((prime, count))
        prime += 1
    if whole > 1:
        factors.append((whole, 1))
    return factors


def settled(work, conditions=(), besides=None, splits=4, tries=12):
    """Return whether work(face) holds on a face with these conditions.

    Roots are as fine as they are needed, and a question that the face leaves open is answered both ways.
    With `besides`, the name of a variable, its isolated values at which a formula is undefined are left out.
    """
    units: dict[tuple, Fraction] = {}
    question: tuple | None
    for _ in range(tries):
        try:
            face = Face(conditions, units)
            zero = ("==", ("name", besides), grammar.ZERO)
            at_zero = zero if besides and ("not", zero) not in conditions else None
            try:
                if (answer := work(face)) or splits == 0 or at_zero is None:
                    return answer
                question = at_zero
            except (Undecided, Undefined) as error:
                if face.follows(z3.BoolVal(False)):
                    return True
                question = getattr(error, "question", None) or at_zero
                if splits == 0 or question is None:
                    raise
            isolated = besides and question[0] == "==" and face.is_isolated(question, besides)
        except Refine as refine:
            units[refine.key] = refine.unit
            continue
        ways = [(work, question), (work, ("not", question))]
        if isolated:
            ways[0] = _where_defined(work), question
        return all(settled(way, [*conditions, side], besides, splits - 1, tries) for way, side in ways)
    raise Undecided("roots of too many orders")


def _where_defined(work):
    """Return `work` as a function that answers yes where a formula is undefined."""

    def answered(face):
        try:
            return work(face)
        except Undefined:
            return True

    return answered
