"""Numbers as evidence: a formula in intervals, and q against enclosures of the supremum of u v - p(u).

An interval is a pair of exact numbers of Arb, and every operation rounds outwards; what of it a logarithm or
a root does not take is left out, since p is infinite there. Every comparison is decided, or counts for
nothing: the enclosures of q(v) and of the supremum over all floats meet and are narrow (agrees), are disjoint
(contradicts), or neither (undecided).
"""

import contextlib
import functools
import heapq
import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from flint import arb, ctx, fmpq

from workbench.conjugates.convex.checker.forms import BUDGET, Undecided, Undefined
from workbench.conjugates.convex.checker.grammar import (
    INFINITY,
    MINUS_INFINITY,
    GrammarError,
    compare_infinite,
    derivative,
    kinds,
)

BITS, BOXES, NARROW, CLOSE = 120, 4000, 1e-14, 2.0**-52
BINADES = (-1000, -300, -100, -30, -10, -3, 0, 2, 4, 7, 10, 20, 30, 100, 300, 1000, 1023)
ENDLESS, MOST, OUTERMOST, INFINITE = arb(2) ** 16, arb(2) ** 60, arb(2) ** 4096, arb("inf")
ONE, ZERO = (arb(1), arb(1)), (arb(0), arb(0))
RISING = {"log": arb.log, "atan": arb.atan, "asin": arb.asin, "erf": arb.erf, "lambertw": arb.lambertw}


def precisely(function):
    """With `BITS` bits."""

    @functools.wraps(function)
    def wrapped(*arguments, **options):
        with ctx.workprec(BITS):
            return function(*arguments, **options)

    return wrapped


def interval(value):
    """Return the interval of a float, an exact number, or digits in a text."""
    return _interval(value, ctx.prec)


@functools.lru_cache(1000)
def _interval(value, _precision):
    """Return the interval at the context's precision; a formula has the same few numbers in every box."""
    if isinstance(value, str):
        # Its exact value may have millions of digits, as 1e43000000 has.
        return _of(arb(value))
    value = Fraction(value)
    return _of(arb(fmpq(value.numerator, value.denominator)))


def _of(ball):
    if ball.is_nan():
        raise Undecided("a number beyond all bounds")
    return ball.lower(), ball.upper()


def evaluate(tree, values):
    """Return the interval of a tree; raise `Undefined` without a value, `Undecided` if that is open."""
    kind, *parts = tree
    if kind == "number":
        return interval(parts[0])
    if kind == "name":
        return values[parts[0]]
    if kind == "pi":
        return _of(arb.pi())
    if kind == "infinity":
        raise Undefined("infinite")
    if kind == "cases":
        for value, condition in parts:
            holds = decided(condition, values)
            if holds is None:
                raise Undecided("which case holds")
            if holds:
                return evaluate(value, values)
        raise Undefined("no case holds")
    if kind == "branch":
        holds = decided(parts[0], values)
        a, b = (evaluate(part, values) for part in parts[1:])
        return (_least((a[0], b[0])), _most((a[1], b[1]))) if holds is None else a if holds else b
    if kind == "call":
        return _called(parts[0], evaluate(parts[1], values))
    terms = [evaluate(part, values) for part in parts]
    return functools.reduce(OPERATIONS[kind], terms) if kind in FOLDED else OPERATIONS[kind](*terms)


def decided(condition, values):
    """Return whether a condition holds; None where the intervals leave it open."""
    kind, *parts = condition
    if kind == "true":
        return True
    if kind == "not":
        inner = decided(parts[0], values)
        return None if inner is None else not inner
    if kind in ("and", "or"):
        answers = [decided(part, values) for part in parts]
        stop = kind == "or"
        return stop if stop in answers else None if None in answers else not stop
    infinite = compare_infinite(kind, *parts)
    if infinite is not None:
        return infinite
    low, high = _add(evaluate(parts[0], values), _minus(evaluate(parts[1], values)))
    equal, apart = low == 0 == high, low > 0 or high < 0
    yes, no = {
        "<": (high < 0, low >= 0),
        "<=": (high <= 0, low > 0),
        ">": (low > 0, high <= 0),
        ">=": (low >= 0, high < 0),
        "==": (equal, apart),
        "!=": (apart, equal),
    }[kind]
    return True if yes else False if no else None


def _minus(x):
    return -x[1], -x[0]


def _add(x, y):
    return _of(x[0] + y[0])[0], _of(x[1] + y[1])[1]


def _multiply(x, y):
    # Values are finite: 0 times an end that is infinite is 0.
    ends = [_of(arb(0) if a == 0 or b == 0 else a * b) for a in x for b in y]
    return _least(low for low, _ in ends), _most(high for _, high in ends)


def _least(numbers):
    return functools.reduce(lambda a, b: a if a <= b else b, numbers)


def _most(numbers):
    return functools.reduce(lambda a, b: a if a >= b else b, numbers)


def _exp(x):
    # A larger argument has an exponent that would fill the memory.
    low, high = (_least((end, MOST)) for end in x)
    return _of(low.exp())[0], INFINITE if high < x[1] else _of(high.exp())[1]


def _rising(name, x):
    return _of(RISING[name](x[0]))[0], _of(RISING[name](x[1]))[1]


def _log(x):
    if x[1] <= 0:
        raise Undefined("a logarithm")
    return (-INFINITE if x[0] <= 0 else _of(x[0].log())[0]), _of(x[1].log())[1]


def _abs(x):
    if x[0] >= 0:
        return x
    return _minus(x) if x[1] <= 0 else (arb(0), _most((-x[0], x[1])))


def _sign(x):
    if x[0] == 0 and x[1] == 0:
        return ZERO
    if x[0] > 0 or x[1] < 0:
        return ONE if x[0] > 0 else _minus(ONE)
    raise Undecided("a sign")


def _power(base, exponent):
    # The digits of a larger exponent than this would fill the memory.
    whole = exponent[0] == exponent[1] and exponent[0].is_integer() and abs(exponent[0]) <= MOST
    if whole:
        k = int(exponent[0].unique_fmpz())
        if k < 0:
            if base[0] == 0 == base[1]:
                raise Undefined("a division by zero")
            if base[0] == 0:
                return _of(1 / base[1] ** -k)[0], INFINITE
            if base[0] < 0 <= base[1]:
                raise Undecided("a division by zero")
            below = _power(base, (arb(-k), arb(-k)))
            return _of(1 / below[1])[0], _of(1 / below[0])[1]
        if k % 2 == 0:
            base = _abs(base)
        return _of(base[0] ** k)[0], _of(base[1] ** k)[1]
    if base[0] > 0:
        return _exp(_multiply(exponent, _log(base)))
    if base[1] < 0:
        raise Undefined("a power of a negative number")
    if exponent[0] > 0:
        return arb(0), arb(0) if base[1] == 0 else _power((base[1], base[1]), exponent)[1]
    if base[0] == base[1] == 0 and exponent[1] < 0:
        raise Undefined("a negative power of zero")
    raise Undecided("a power of zero")


def _called(name, x):
    if name in ("asin", "acos"):
        if x[0] > 1 or x[1] < -1:
            raise Undefined(name)
        x = _most((x[0], arb(-1))), _least((x[1], arb(1)))
    if name == "acos":
        return _of(x[1].acos())[0], _of(x[0].acos())[1]
    if name in ("sin", "cos"):
        return _of(getattr(arb, name)(x[0].union(x[1])))
    if name == "lambertw" and not x[0] > -arb(-1).exp():
        raise Undecided("W at the end of its domain")
    return _rising(name, x)


FOLDED = ("+", "*", "max", "min")
OPERATIONS: dict[str, Callable[..., tuple]] = {
    "+": _add,
    "*": _multiply,
    "power": _power,
    "exp": _exp,
    "log": _log,
    "abs": _abs,
    "sign": _sign,
    "max": lambda x, y: (_most((x[0], y[0])), _most((x[1], y[1]))),
    "min": lambda x, y: (_least((x[0], y[0])), _least((x[1], y[1]))),
}


class Supremum:
    """Enclosures of sup over u of u v - p(u), over all floats u, for a typed p and numbers of its parameters.

    Parameters
    ----------
    typed : tree of p
    u : str
    values : dict of name to interval
    cuts : floats where p has kinks or ends, which no box should straddle
    low, high : floats between which p is finite at all
    convex : whether p is known to be convex
    scale : the size of values, to which the width of an enclosure is compared
    """

    def __init__(self, typed, u, values, cuts=(), low=-math.inf, high=math.inf, convex=False, scale=1):
        self.scale = interval(str(scale))[0]
        # The largest coefficient adds its own bits.
        self.bits = BITS + 2 * max(_lengths(typed), default=0)
        self.typed, self.u, self.values = typed, u, dict(values)
        # The digits of exp(2^1000) do not fit into memory.
        binades = [k for k in BINADES if k <= 30] if "exp" in kinds(typed) else BINADES
        ends = {*cuts, low, high, 0.0, *(s * 2.0**k for k in binades for s in (1, -1))}
        # A limit fills a hole: close to one, where the formula is 0/0 or nearly so, nothing is higher.
        with ctx.workprec(self.bits):
            self.holes = [_beside(cut) for cut in cuts if low < cut < high and self._is_hole(cut)]
        ends = {end for end in ends if not any(left < end < right for left, right in self.holes)}
        ends = ends.union(*self.holes)
        self.ends = sorted(end for end in ends if low <= end <= high and math.isfinite(end))
        try:
            self.slope = derivative(typed, u)
        except GrammarError:
            self.slope = None
        self.convex = convex and self.slope is not None

    def _is_hole(self, place):
        """Return whether the formula is undefined at a place and defined on both sides of it."""

        def has_value(u):
            try:
                evaluate(self.typed, {**self.values, self.u: interval(u)})
            except (Undefined, Undecided):
                return False
            return True

        return not has_value(place) and all(map(has_value, _beside(place)))

    def height(self, u, v):
        """Return an enclosure of u v - p(u) on an interval, None where p is infinite all over it."""
        try:
            height = self._rise(self.typed, u, _multiply(u, v))
        except Undefined:
            return None
        if self.slope is None or u[0] == u[1]:
            return height
        middle = ((u[0] + u[1]) / 2).mid()
        place = middle, middle
        try:
            at_middle = self._rise(self.typed, place, _multiply(place, v))
            slope = self._rise(self.slope, u, v)
            better = _add(at_middle, _multiply(slope, _add(u, _minus(place))))
        except (Undefined, Undecided):
            return height
        return _most((height[0], better[0])), _least((height[1], better[1]))

    def _rise(self, tree, u, start):
        return _add(start, _minus(evaluate(tree, {**self.values, self.u: u})))

    def by_slopes(self, v):
        """(lower, upper) of a convex p, between two places whose slopes lie on both sides of v."""
        left, right = self.ends[0], self.ends[-1]

        def side(place):
            at = self._rise(self.slope, (arb(place), arb(place)), v)  # v - p'(place)
            return 1 if at[0] >= 0 else -1 if at[1] <= 0 else 0

        try:
            while left < (middle := _between(left, right)) < right:
                way = side(middle)
                if way == 0:
                    left, right = self._around(middle, left, right, side)
                    break
                left, right = (middle, right) if way > 0 else (left, middle)
            first, last = (self.height((arb(place), arb(place)), v) for place in (left, right))
            rise = self._rise(self.slope, (arb(left), arb(left)), v)
        except (Undecided, Undefined):
            return None
        if first is None or last is None:
            return None
        step = _multiply((_least((rise[0], arb(0))), _most((rise[1], arb(0)))), (arb(right) - arb(left),) * 2)
        return self.highest(v, (first[0], last[0])), _most((_add(first, step)[1], last[1]))

    def highest(self, v, heights=()):
        """Return the largest of some values and of those at the cuts."""
        bounds = list(heights)
        for place in self.ends:
            with contextlib.suppress(Undecided):
                height = self.height((arb(place), arb(place)), v)
                bounds += [] if height is None else [height[0]]
        return _most(bounds) if bounds else None

    @staticmethod
    def _around(middle, left, right, side):
        """Places close to one whose slope cannot be told from v, on both sides of it."""
        step = math.ulp(middle)
        while max(left, middle - step) > left or min(right, middle + step) < right:
            near = max(left, middle - step), min(right, middle + step)
            if side(near[0]) >= 0 >= side(near[1]) and (side(near[0]), side(near[1])) != (0, 0):
                return near
            step *= 4
        return left, right

    def enclosure(self, v):
        """(lower, upper): the largest value at a place, and a bound over all floats; None where not found."""
        queue: list[tuple[float, float, float]] = []
        best, count = self.highest(v), 0

        def evaluate_at(place):
            nonlocal best
            try:
                height = self.height((arb(place), arb(place)), v)
            except Undecided:
                return
            if height is not None and (best is None or height[0] > best):
                best = height[0]

        def push(low, high):
            try:
                height = self.height((arb(low), arb(high)), v)
            except Undecided:
                height = (None, INFINITE)
            if height is not None and not (best is not None and height[1] <= best + self._allowed(best)):
                heapq.heappush(queue, (-float(height[1]), low, high))

        for low, high in itertools.pairwise(self.ends):
            if (low, high) not in self.holes:
                push(low, high)
        while queue and count < BOXES and not BUDGET.is_over:
            top, low, high = heapq.heappop(queue)
            if best is not None and -top <= float(best + self._allowed(best)):
                queue = []
                break
            middle = _between(low, high)
            if not low < middle < high:
                continue  # no float in between, and both ends were looked at
            evaluate_at(middle)
            push(low, middle)
            push(middle, high)
            count += 1
        return best, None if queue or best is None else best + self._allowed(best)

    def _allowed(self, value):
        return NARROW * (self.scale + abs(value))

    def verdict(self, v, q):
        """("agrees", "contradicts" or "undecided", the supremum as text) for v and q(v); q None is +oo."""
        with ctx.workprec(self.bits):
            return self._verdict(v, q)

    def _verdict(self, v, q):
        lower, upper = (self.by_slopes(v) if self.convex else None) or self.enclosure(v)
        if lower is None:
            return "undecided", "-oo"
        text = lower.str(12, radius=False)
        reached = [self.height((arb(end), arb(end)), v) for end in (self.ends[0], self.ends[-1])]
        # A supremum at the largest float may continue beyond the floats.
        goes_on = any(height is not None and height[1] >= lower - self._allowed(lower) for height in reached)
        if q is None:
            return "agrees" if goes_on and lower > ENDLESS * self.scale else "undecided", text
        if lower > q[1] + self._allowed(q[1]):
            return "contradicts", text
        if upper is not None and q[0] > upper + self._allowed(q[0]):
            return "undecided" if goes_on else "contradicts", text
        is_narrow = upper is not None and upper - lower <= 2 * self._allowed(lower)
        return "agrees" if is_narrow else "undecided", text


def _beside(place):
    """Numbers close to a place, on both sides of it."""
    aside = CLOSE * max(1.0, abs(place))
    return place - aside, place + aside


def _lengths(tree):
    """Yield the bits of the numbers in a tree."""
    if tree[0] == "number":
        yield max(tree[1].numerator.bit_length(), tree[1].denominator.bit_length())
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from _lengths(part)


def _allowed(value):
    return NARROW * (1 + abs(value))


def _between(low, high):
    """Return the middle of two floats, by their exponents where they are far apart."""
    if low < 0 < high:
        return 0.0
    if low >= 0 and high > 4 * max(low, 1e-300):
        return max(low, 1e-300) ** 0.5 * high**0.5
    if high <= 0 and low < 4 * min(high, -1e-300):
        return -_between(-high, -low)
    return low + (high - low) / 2


def nonnegative(tree, name, low, high):
    """Return whether a formula of one name is decided to be 0 or more between two ends, which are trees."""
    return least(tree, name, low, high, arb(0)).lower >= 0


class Least(NamedTuple):
    """lower <= the infimum of a formula <= upper, which is its value at a place, or infinite without one."""

    lower: arb
    upper: arb
    place: arb | None


@precisely
def least(tree, name, low, high, enough=None, seek=False, boxes=BOXES, cuts=()):
    """Return the `Least` of a formula of one name between two ends, which are trees.

    With `enough`, no further than shows whether the formula falls below it: where `seek`, also when the
    bound is lost, in order to find a place. It is looked at between further cuts.
    """
    try:
        (first, after), (before, last), slope = _end(low), _end(high), derivative(tree, name)
    except (Undecided, Undefined, GrammarError):
        return Least(-INFINITE, INFINITE, None)
    cuts = [s * arb(2) ** k for k in BINADES for s in (1, -1)] + [arb(0)] + [cut.mid() for cut in cuts]
    inside = sorted((cut for cut in cuts if first < cut < last), key=float)
    boundaries = [first, *inside, last]
    queue: list[tuple] = []  # a bound from below, a number that keeps ties apart, the bound, both ends
    settled, best, place, order = INFINITE, INFINITE, None, itertools.count()

    def image(form, box):
        try:
            return evaluate(form, {name: box})
        except (Undecided, Undefined):
            return -INFINITE, INFINITE

    def lower(first, last):
        bound = image(tree, (first, last))[0]
        if enough is not None and bound >= enough:
            return bound
        rise = image(slope, (first, last))
        # A monotone formula is least at an end; the mean value theorem bounds any other.
        if rise[0] >= 0 or rise[1] <= 0:
            end = first if rise[0] >= 0 else last
            return _most((bound, image(tree, (end, end))[0])) if end.is_finite() else bound
        middle = _middle(first, last)
        if not (rise[0].is_finite() and rise[1].is_finite() and first.is_finite() and last.is_finite()):
            return bound
        reach = _multiply(rise, ((first - middle).lower(), (last - middle).upper()))
        return _most((bound, _add(image(tree, (middle, middle)), reach)[0]))

    def evaluate_at(at):
        nonlocal best, place
        # Between the ends for certain, which may be known as balls alone.
        if at.is_finite() and after < at < before and (value := image(tree, (at, at))[1]) < best:
            best, place = value, at

    def push(first, last):
        bottom = lower(first, last)
        key = math.nextafter(float(bottom), -math.inf)  # no larger, so that no value is forgotten
        heapq.heappush(queue, (key, next(order), bottom, first, last))

    for cut in inside:
        evaluate_at(cut)
    for first, last in itertools.pairwise(boundaries):
        push(first, last)
    while queue:
        key, count, bottom, first, last = heapq.heappop(queue)
        target = enough if enough is not None else best - _allowed(best) if best.is_finite() else INFINITE
        is_hopeless = not seek and settled < (-ENDLESS if enough is None else enough)
        is_reached = enough is not None and best < enough
        if is_hopeless or is_reached or count > 2 * boxes or BUDGET.is_over:
            settled = _least((settled, arb(key)))
            break
        middle = _middle(first, last)
        if bottom >= target or not first < middle < last:
            settled = _least((settled, bottom))
            continue
        evaluate_at(middle)
        push(first, middle)
        push(middle, last)
    return Least(_least((settled, best)), best, place)


def _middle(low, high):
    """Return a number between two, by their exponents where they are far apart; none beyond all bounds."""
    if low < 0:
        return arb(0) if high > 0 else -_middle(-high, -low)
    if high == INFINITE:
        return (_most((low, arb(2))) ** 2).mid() if low < OUTERMOST else low
    if low == 0 and high * 2 ** BINADES[-1] < 1:
        return (high**2).mid() if high * OUTERMOST > 1 else low
    return ((low * high).sqrt() if low > 0 and high > 4 * low else (low + high) / 2).mid()


def _end(tree):
    """Return the interval of an end, which may be infinite."""
    if tree in (INFINITY, MINUS_INFINITY):
        return (INFINITE, INFINITE) if tree == INFINITY else (-INFINITE, -INFINITE)
    return evaluate(tree, {})


def lies_above(tree, u, values, left, middle, right):
    """Return whether intervals show a formula above its chord at the midpoint, or without a value there."""
    with ctx.workprec(4 * BITS):
        ends = _add(*(evaluate(tree, {**values, u: interval(place)}) for place in (left, right)))
        try:
            value = evaluate(tree, {**values, u: interval(middle)})
        except Undefined:
            return True
        return bool(2 * value[0] > ends[1])
