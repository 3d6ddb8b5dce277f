"""Judge symbolic conjugation by a numeric supremum that shares no code with it, and by a table of pairs.

right      q agrees with the table at every point: inside its domain, near its ends, at them and off it
implicit   the same, and q says that it is implicit
refused    an error of the contract, undecided, or no answer in time
wrong      q differs anywhere, an input to refuse was answered, or anything else was raised
"""

import ast
import functools
import itertools

import mpmath
import numpy as np

from tests.corpora.published_pairs import Pair

# A context of its own: 110 digits leave 60 after the cancellation at the farthest place, 4^80.
MP = mpmath.mp.clone()
MP.dps = 110
FARTHEST = 80
SETTLED = MP.mpf(10) ** -6  # growth over the last doublings, below which the supremum is a finite limit
GOLDEN = (MP.sqrt(5) - 1) / 2

EXPLICIT_TOLERANCE = 1e-9
IMPLICIT_TOLERANCE = 1e-10
LIMIT = 20  # seconds a pair


# --- evaluating the table's texts


def xlogx(v):
    return MP.zero if v == 0 else v * MP.log(v)


FUNCTIONS = ("exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
NAMES = {name: getattr(MP, name) for name in (*FUNCTIONS, "asinh", "acosh", "atanh", "lambertw")}
NAMES |= {"abs": abs, "max": max, "min": min, "xlogx": xlogx, "number": MP.mpf, "pi": +MP.pi, "e": +MP.e}
NAMES |= {"oo": MP.inf}


class _Exact(ast.NodeTransformer):
    """Decimals and quotients are exact, and piecewise evaluates only the value that it takes."""

    def visit_Constant(self, node):
        if not isinstance(node.value, float):
            return node
        return ast.Call(ast.Name("number", ast.Load()), [ast.Constant(repr(node.value))], [])

    def visit_BinOp(self, node):
        self.generic_visit(node)
        numerator = node.left.operand if isinstance(node.left, ast.UnaryOp) else node.left
        if isinstance(node.op, ast.Div) and isinstance(numerator, ast.Constant):
            node.left = ast.Call(ast.Name("number", ast.Load()), [node.left], [])
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if getattr(node.func, "id", "") != "piecewise":
            return node
        *cases, last = [pair.elts for pair in node.args]
        value = last[0]
        for case_value, condition in reversed(cases):
            value = ast.IfExp(condition, case_value, value)
        return value


@functools.cache
def compiled(text):
    tree = _Exact().visit(ast.parse(text.strip(), mode="eval"))
    return compile(ast.fix_missing_locations(tree), text, "eval")


def evaluated(text, names):
    """The text's value at 110 digits; `names` holds numbers for its symbols."""
    return eval(compiled(text), {"__builtins__": {}, **NAMES, **names})


def exact(values):
    return {name: MP.mpf(value) for name, value in values.items()}


def finite_or_infinity(text, names):
    """The text's value, +oo where it is not a real number."""
    try:
        value = MP.convert(evaluated(text, names))
    except ZeroDivisionError:
        return MP.inf
    return value if isinstance(value, MP.mpf) and not MP.isnan(value) else MP.inf


# --- the numeric supremum


class Function:
    """p as a text, at given parameters, +oo off its domain."""

    def __init__(self, pair, values):
        self.p, self.domain, self.variable = pair.p, pair.domain, pair.variable
        self.parameters = exact(values)
        self.ends = {}
        self.inner = self._inner()

    def __call__(self, u):
        names = {**self.parameters, self.variable: u}
        if self.domain is not None and not evaluated(self.domain, names):
            return MP.inf
        return finite_or_infinity(self.p, names)

    def _inner(self):
        """A point of the domain, inside it unless it is a single point; None where none was found."""
        numbers = [n.value for n in ast.walk(ast.parse(self.domain or "0")) if isinstance(n, ast.Constant)]
        quarters = sorted(range(-24, 25), key=lambda k: (abs(k), k))
        places = [MP.mpf(k) / 4 for k in quarters]
        places += [s * (x + d) for x in self.parameters.values() for d in (0, 1 / MP.mpf(8)) for s in (1, -1)]
        points = [u for u in [*places, *(MP.mpf(n) for n in numbers)] if MP.isfinite(self(u))]
        step = MP.mpf(1) / 64
        inside = [u for u in points if MP.isfinite(self(u - step)) and MP.isfinite(self(u + step))]
        return (inside or points or [None])[0]

    def end(self, finite, infinite):
        """The last place before the end of the domain that lies between the two, to 60 digits."""
        sign = MP.sign(infinite - finite)
        if sign not in self.ends:
            for _ in range(200):
                middle = (finite + infinite) / 2
                if MP.isfinite(self(middle)):
                    finite = middle
                else:
                    infinite = middle
            self.ends[sign] = finite
        return self.ends[sign]

    def reach(self, sign, farthest):
        """The end of the domain in this direction, or `farthest` steps of growing size."""
        last = self.inner
        for k in range(farthest):
            place = self.inner + sign * MP.mpf(4) ** k / 8
            if not MP.isfinite(self(place)):
                return self.end(last, place)
            last = place
        return last

    def supremum(self, v):
        """sup over u of u v - p(u), for a convex p: +oo where it grows without end."""
        return self.enclosure(v)[0]

    def enclosure(self, v):
        """The supremum as found, and a bound that it cannot exceed since u v - p(u) is concave."""

        def phi(u):
            return u * v - self(u)

        start = phi(self.inner)
        sides = [self._march(phi, start, sign) for sign in (1, -1)]
        if any(isinstance(side, MP.mpf) for side in sides):
            limit = max(side for side in sides if isinstance(side, MP.mpf))
            return limit, limit + SETTLED
        low, high = sides[1][0], sides[0][0]
        # A march that went beyond its first step starts the bracket there, not at `inner`.
        if sides[0][1] is not None:
            low = sides[0][1]
        elif sides[1][1] is not None:
            high = sides[1][1]
        candidates = (self.inner, low, high, golden(phi, low, high))
        best, place = max((phi(u), u) for u in candidates)
        step = MP.mpf(10) ** -20 * (1 + abs(place))
        heights = [phi(place + k * step) for k in range(-2, 3)]
        return best, max(bound(best, heights), bound(best, heights[::-1]))

    def _march(self, phi, start, sign):
        """(the place where phi no longer grows, the place two steps before) or the limit at infinity."""
        places, heights = [self.inner], [start]
        for k in range(FARTHEST):
            place = self.inner + sign * MP.mpf(4) ** k / 8
            height = phi(place)
            if not MP.isfinite(height):
                place = self.end(places[-1], place)
                return place, places[-2] if len(places) > 1 else None
            if height <= heights[-1]:
                return place, places[-2] if len(places) > 1 else None
            places.append(place)
            heights.append(height)
        settled = heights[-1] - heights[-FARTHEST // 4] <= SETTLED
        return heights[-1] if settled else MP.inf


def bend(function, places):
    """A place above the chord between its neighbours, where the function is not convex; None if none is."""
    heights = [(u, function(u)) for u in sorted(places)]
    finite = [k for k, (_, height) in enumerate(heights) if MP.isfinite(height)]
    slope = -MP.inf
    for k, following in itertools.pairwise(finite):
        (left, low), (right, high) = heights[k], heights[following]
        if following > k + 1:
            return (left + right) / 2
        steeper = (high - low) / (right - left)
        if steeper < slope - MP.mpf(10) ** -30 * (1 + abs(slope)):
            return left
        slope = steeper
    return None


def bound(best, heights):
    """Bound a concave function between the second and the middle of five places.

    It is best at the middle, and falls beyond the neighbours unless these are higher. A chord that ends at
    an end of the interval lies, continued, above the function within it.
    """
    before, near, _, beyond, _ = heights
    if max(near, beyond) > best:
        return MP.inf
    chords = [2 * best - beyond, 2 * near - before if before < near else near]
    return min((chord for chord in chords if MP.isfinite(chord)), default=MP.inf)


def golden(phi, low, high):
    """Maximize a concave function on [low, high] by golden section."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = phi(left), phi(right)
    tiny = MP.mpf(10) ** -24 * (1 + abs(low))
    while high - low > tiny:
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = phi(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = phi(left)
    return left if at_left > at_right else right


# --- places of q, and the table's value there


def q_ends(pair, values):
    """(lower, closed, upper, closed) as numbers."""
    lower, lower_closed, upper, upper_closed = pair.q_domain
    lower, upper = (MP.convert(evaluated(end, exact(values))) for end in (lower, upper))
    return lower, lower_closed, upper, upper_closed


def places(pair, values):
    """Floats where q is compared: spread over its domain, near its ends, at them where exact, and outside."""
    lower, _, upper, _ = q_ends(pair, values)
    inside = {-75.5, -20.25, -6.5, -4.125, -2.5, -1.375, -0.625, -0.0625}
    inside |= {0.0, 0.25, 0.5, 1.0, 1.75, 2.625, 9.5, 24.0, 80.0}
    inside |= {sign * abs(value) * k / 2 for value in values.values() for sign in (1, -1) for k in (1, 2, 3)}
    around = set()
    for end in (lower, upper):
        if MP.isfinite(end):
            spots = [end] if MP.mpf(float(end)) == end else []
            spots += [end + sign * MP.mpf(2) ** -k for sign in (1, -1) for k in (1, 3, 9, 16)]
            around |= {float(spot) for spot in spots}
    if MP.isfinite(lower) and MP.isfinite(upper):
        around |= {float(lower + (upper - lower) * k / 7) for k in range(1, 7)}
    return sorted(inside | around)


def belongs(pair, values, v):
    lower, lower_closed, upper, upper_closed = q_ends(pair, values)
    return (lower < v or (lower_closed and v == lower)) and (v < upper or (upper_closed and v == upper))


def published(pair, values, v, function):
    """q(v) by the table, or by the numeric supremum of `function` where the table has no closed form."""
    v = MP.mpf(v)
    if not belongs(pair, values, v):
        return MP.inf
    if pair.q is None:
        return function.supremum(v)
    return MP.convert(evaluated(pair.q, {**exact(values), "v": v}))


# --- the score


def differs(pair, answer, values):
    """Describe where the answer's q differs from the table; None where it does not."""
    points = places(pair, values)
    function = Function(pair, values)
    tolerance = EXPLICIT_TOLERANCE if pair.q is not None else IMPLICIT_TOLERANCE
    numbers = np.asarray(answer.q(np.array(points), **values))
    if numbers.shape != (len(points),) or numbers.dtype != np.float64:
        return f"q gives {numbers.dtype} of shape {numbers.shape} for {len(points)} places"
    for v, got in zip(points, numbers.tolist(), strict=True):
        want = float(published(pair, values, v, function))
        if got != want and not abs(got - want) <= tolerance * max(1.0, abs(want)):
            return f"q({v!r}) = {got!r}, not {want!r}, at {values}"
    return None


def errors():
    import workbench

    return (
        workbench.ConvexityError,
        workbench.ExpressionError,
        workbench.UndecidedError,
        workbench.DerivationTimeout,
    )


def score(pair):
    """(outcome, detail) of a pair of the table."""
    import workbench

    try:
        answer = workbench.conjugate(pair.p, domain=pair.domain, parameters=pair.parameters)
        for values in pair.values:
            detail = differs(pair, answer, values)
            if detail is not None:
                return "wrong", detail
        return ("implicit" if answer.q.implicit else "right"), str(answer.q.expr)
    except errors() as error:
        return "refused", f"{type(error).__name__}: {error}"
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}"


def score_refusal(entry):
    """(outcome, detail) of an input that has no conjugate: right where it is refused.

    With parameters, it may be refused at the values of the table alone, outside a range that is said.
    """
    import workbench

    convexity, expression, *unanswered = errors()
    try:
        answer = workbench.conjugate(entry.p, domain=entry.domain, parameters=entry.parameters)
        if entry.values and str(answer.conditions) != "True":
            answer.q(0.0, **entry.values)
        return "wrong", f"answered {answer.q.expr}"
    except (convexity, expression) as error:
        return "right", f"{type(error).__name__}: {error}"
    except tuple(unanswered) as error:
        return "refused", f"{type(error).__name__}: {error}"
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}"


def judged(entry):
    """(outcome, detail) of an entry of either table."""
    return score(entry) if isinstance(entry, Pair) else score_refusal(entry)


def outcomes(entries):
    """(entry, outcome, detail) of each, in order, by two processes; each stopped at the limit of its time."""
    from workbench._support.errors import DerivationTimeout
    from workbench.conjugates.convex.worker import Deriver

    with Deriver(places=2) as deriver:
        futures = [(entry, deriver.submit(judged, entry, timeout=LIMIT)) for entry in entries]
        for entry, future in futures:
            try:
                yield entry, *future.result()
            except DerivationTimeout:
                yield entry, "refused", f"no answer in {LIMIT} s"
