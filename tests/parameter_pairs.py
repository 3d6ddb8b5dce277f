"""Convex functions with parameters whose pieces change order, or whose convexity changes with a parameter.

An oracle for conjugation over all declared values: a row says where it is to be compared and for which
values p is not convex, with three places that show it. What q is there, a numeric supremum says
(`score_pairs.Function`), which evaluates the text with mpmath and shares no code with the workbench.

    p, domain      text over u as a learner would type it
    parameters     name -> what is declared of it
    values         numbers for the parameters for which p is closed and convex: inside every region, on its
                   border and far away
    slopes         texts in the parameters: where q changes its formula or its domain ends
    nonconvex      (numbers, (left, middle, right)): p(middle) lies above the chord
"""

from dataclasses import dataclass, field

REAL = {"a": "real"}
ABOVE = {"a": "a > 0"}
BOTH = {"a": "real", "b": "real"}
ORDERED = {"a": "a < b", "b": "a < b"}
UNITS = ("-1", "0", "1")
SPREAD = ("1", "2", "3")


@dataclass(frozen=True)
class Family:
    """A function of u with parameters, and where it is to be compared."""

    name: str
    p: str
    parameters: dict[str, str]
    values: tuple[dict[str, float], ...]
    slopes: tuple[str, ...] = ("0",)
    nonconvex: tuple[tuple[dict[str, float], tuple[str, str, str]], ...] = ()
    domain: str | None = None
    variable: str = field(default="u", repr=False)


def a(*numbers):
    """Values of the one parameter a."""
    return tuple({"a": float(number)} for number in numbers)


def power(*numbers):
    return tuple({"p": float(number)} for number in numbers)


def ab(*pairs):
    """Values of two parameters."""
    return tuple({"a": float(first), "b": float(second)} for first, second in pairs)


def bent(value, places=UNITS):
    """Where p is not convex: a value of a (or numbers by name), and the places that show it."""
    return ({"a": float(value)} if not isinstance(value, dict) else value), places


MOVES = a(0.5, 2, 1e-3, 1e3)
SIGNS = a(2, -2, 0, 1e-3, -1e3, 1e3)
ORDERS = ab((0, 1), (1, 0), (1, 1), (-1, 2.5), (1e3, 1e-3))
INTERVALS = ab((-1, 2), (1, 2), (-2, -1), (0, 1), (-1, 0), (-1e3, 1e3), (1, 1.0009765625))

LINES = (
    Family("three lines", "max(0, u - a, 2*u - 10)", ABOVE, a(1, 4.5, 5, 7, 1e-3, 1e3), ("0", "1", "2")),
    Family("three lines, a square in the kink", "max(0, u - a**2, 2*u - 4)", REAL, a(1, -1, 0, 3, -3, 1e3),
           ("0", "1", "2")),
    Family("three lines, two move", "max(0, u - a, 3*u - b)", BOTH,
           ab((1, 2), (1, 6), (2, 6), (3, 1), (1, 3), (1e-3, 1e3)), ("0", "1", "3")),
    Family("four lines", "max(0, u - a, 2*u - b, 3*u - 12)", BOTH,
           ab((1, 4), (5, 1), (4, 8), (6, 12), (1, 1e3), (6, 11)), ("0", "1", "2", "3")),
    Family("a slope between or beyond", "max(-u, a*u, u - 1)", REAL, a(0.5, 0, 1, -1, 3, -3), ("-1", "a",
           "1")),
    Family("two slopes without order", "max(a*u, b*u)", BOTH, ab((1, 2), (2, 1), (1, 1), (-1, 3), (0, 0)),
           ("a", "b")),
    Family("three slopes", "max(u, a*u, 2*u - a)", REAL, a(1, 1.5, 2, 3, -1, 0), ("1", "a", "2")),
    Family("hinge with a slope", "max(0, a*u - 1)", REAL, a(1, -1, 0, 1e3, 1e-3), ("0", "a")),
    Family("positive part and line", "max(0, u) - a*u", REAL, a(0.5, 0, 1, -2, 3), ("-a", "1 - a")),
    Family("dead zone of any width", "max(0, abs(u) - a)", REAL, a(2, 0, -1, 1e-3, -1e3, 1e3), ("-1", "0",
           "1")),
    Family("absolute value with a floor", "max(abs(u), a)", REAL, a(2, 0, -3, 1e-3, 1e3), ("-1", "0", "1")),
    Family("distance with a floor", "max(u - a, a - u, b)", BOTH, ab((1, 0), (1, 2), (1, -2), (0, 1e3)),
           ("-1", "0", "1")),
    Family("two kinks without order", "abs(u - a) + abs(u - b)", BOTH, ORDERS, ("-2", "0", "2")),
    Family("kinks at a and -a", "abs(u - a) + abs(u + a)", REAL, a(1, -1, 0, 1e3, -1e-3), ("-2", "0", "2")),
    Family("hinges that overlap or not", "max(0, u - a) + max(0, b - u)", BOTH, ORDERS, ("-1", "0", "1")),
    Family("kinks at 0, 1 and a", "abs(u) + abs(u - 1) + abs(u - a)", REAL, a(0.5, 0, 1, -2, 3, 1e3),
           ("-3", "-1", "1", "3")),
    Family("slope of any sign", "a*abs(u)", REAL, a(1, 0, 1e-3, 1e3), ("a", "-a"), (bent(-1), bent(-1e-3))),
    Family("greater of two slopes", "max(a, b)*abs(u)", BOTH, ab((1, -1), (-1, 2), (0, 0)),
           ("max(a, b)",), (bent({"a": -1.0, "b": -2.0}),)),
    Family("folded twice", "abs(abs(u) - a)", REAL, a(-1, 0, -1e3), ("-1", "1"), (bent(1), bent(1e-3,
           ("-1/1000", "0", "1/1000")))),
    Family("three absolute values, one taken away", "abs(u) + abs(u - a) - abs(u - b)", BOTH,
           ab((1, 1), (1, 0), (-2, -2)), ("-1", "1"), (bent({"a": 2.0, "b": 1.0}, ("1/2", "1", "3/2")),)),
    Family("dead zone with a second slope", "max(abs(u) - 1, 0) + a*max(abs(u) - 2, 0)", REAL,
           a(1, 0, 1e-3, 1e3), ("1", "1 + a"), (bent(-0.5, SPREAD), bent(-1e-3, SPREAD))),
    Family("a step that meets once", "piecewise((0, u < a), (u - 1, True))", ABOVE, a(1), ("0", "1"),
           (bent(2, ("3/2", "2", "5/2")), bent(0.5, ("0", "1/4", "1/2")))),
)  # fmt: skip

QUADRATICS = (
    Family("square with a floor", "max(u**2, a)", REAL, a(4, 0, -2, 1e-3, -1e3, 1e3)),
    Family("square and line", "max(a*u, u**2)", REAL, SIGNS, ("a", "2*a", "0")),
    Family("two parabolas", "max(u**2, (u - a)**2)", REAL, SIGNS, ("a", "-a")),
    Family("parabola cut at zero", "max(u**2 - a, 0)", REAL, SIGNS),
    Family("square of the cut parabola", "max(0, u**2 - a)**2", REAL, a(1, 0, -1, 1e-3)),
    Family("square beyond a and hinge at 4", "max(0, u - a)**2 + max(0, 4 - u)", ABOVE,
           a(1, 3.75, 4, 6, 1e-3, 1e3), ("-1", "0", "2*(4 - a) - 1", "2*(4 - a)")),
    Family("two half parabolas", "max(0, u - a)**2/2 + max(0, b - u)**2/2", BOTH, ORDERS, ("b - a", "a - b")),
    Family("dead zone, squared", "max(abs(u) - a, 0)**2", REAL, a(1, 0, -1, 1e-3, -1e3), ("-2*a", "2*a")),
    Family("half square and slope", "u**2/2 + (5 - a)*abs(u)", ABOVE, a(1, 4.75, 5, 1e-3), ("5 - a", "a - 5"),
           (bent(7), bent(5.5, ("-1/4", "0", "1/4")), bent(1e3))),
    Family("any curvature", "a*u**2", REAL, a(1, 0, 1e-3, 1e3), ("0",), (bent(-1), bent(-1e-3))),
    Family("any curvature and kink", "a*u**2 + abs(u)", REAL, a(1, 0, 1e-3), ("-1", "1"),
           (bent(-1, SPREAD), bent(-1e-3, SPREAD))),
    Family("curvature with two borders", "(a - 1)*(a - 3)*u**2 + abs(u)", REAL, a(0, 1, 3, 4, 1e3), ("-1",
           "1"),
           (bent(2, SPREAD), bent(1.0078125, SPREAD))),
    Family("curvature |a|", "abs(a)*u**2/2 + u", REAL, a(1, -2, 0, 1e-3), ("1",)),
    Family("square of a line", "(a*u - 1)**2", REAL, a(1, -2, 0, 1e3), ("0",)),
    Family("squared hinge with a slope, and kink", "max(1 - a*u, 0)**2/2 + b*abs(u)", {"a": "real",
           "b": "b >= 0"},
           ab((1, 1), (0, 1), (-1, 2), (2, 0), (1, 1e3)), ("b", "-b", "b - a", "-b - a")),
    Family("squared hinge and slope", "max(0, 1 - u)**2 + a*max(0, u)", REAL, a(1, 0, 2, 1e3), ("-2", "a",
           "a - 2"),
           (bent(-1, ("-1/4", "0", "1/4")),)),
    Family("square less slope", "max(0, u)**2 - a*max(0, u)", REAL, a(-1, 0, -1e3), ("0", "-a"),
           (bent(1, ("-1", "0", "1/2")),)),
    Family("kink and parabola", "max(abs(u), a*u**2)", ABOVE, MOVES, ("1", "2", "-1", "-2")),
    Family("slope and parabola", "max(a*u**2, b*abs(u))", {"a": "a > 0", "b": "b > 0"},
           ab((1, 1), (0.5, 3), (1e-3, 1), (1, 1e3)), ("b", "2*b")),
    Family("elastic net by one number", "u**2/a + a*abs(u)", ABOVE, MOVES, ("a", "-a")),
    Family("two curvatures", "piecewise((a*u**2, u < 0), (u**2, True))", REAL, a(1, 2, 0, 1e-3, 1e3), ("0",),
           (bent(-1, ("-3", "-2", "-1")),)),
    Family("Huber with threshold a", "piecewise((u**2/2, abs(u) <= a), (a*abs(u) - a**2/2, True))", ABOVE,
           MOVES,
           ("a", "-a")),
    Family("reversed Huber", "piecewise((abs(u), abs(u) <= a), ((u**2 + a**2)/(2*a), True))", ABOVE, MOVES,
           ("-1", "1")),
    Family("parabola continued by its tangent", "piecewise((u**2/2, u < a), (a*u - a**2/2, True))", REAL,
           SIGNS,
           ("a",)),
    Family("least of a square and a line", "u**2 + min(0, a*u)", REAL, a(0), ("0",),
           (bent(1, ("-1/4", "0", "1/4")), bent(-1, ("-1/4", "0", "1/4")))),
    Family("lower of two parabolas", "min(u**2, u**2 + a)", REAL, a(1, 0, -1, 1e3)),
    Family("quartic with a border at 10", "u**4 + (10 - a)*u**2", ABOVE, a(1, 9.5, 10, 1e-3), ("0",),
           (bent(11, ("-1/2", "0", "1/2")), bent(10.0078125, ("-1/32", "0", "1/32")), bent(1e3))),
    Family("quartic to square", "(1 - a)*u**4 + a*u**2", REAL, a(0.5, 0, 1, 1e-3), ("0",),
           (bent(-1, ("-1/4", "0", "1/4")), bent(2, SPREAD))),
    Family("quartic of two parameters", "a*u**4 + b*u**2", BOTH, ab((1, 1), (0, 1), (1, 0), (1e-3, 1e3)),
           ("0",),
           (bent({"a": 1.0, "b": -1.0}, ("-1/4", "0", "1/4")), bent({"a": -1.0, "b": 1.0}, SPREAD))),
)  # fmt: skip

DOMAINS = (
    Family("parabola right of b", "(u - a)**2", BOTH, ab((0, 1), (1, 0), (1, 1), (1e3, 0)), ("2*(b - a)",),
           domain="u > b"),
    Family("half square on an interval anywhere", "u**2/2", ORDERED, INTERVALS, ("a", "b"),
           domain="a <= u <= b"),
    Family("kink in an interval or not", "abs(u)", ORDERED, INTERVALS, ("-1", "1"), domain="a <= u <= b"),
    Family("half square on a ball", "u**2/2", ABOVE, MOVES, ("a", "-a"), domain="abs(u) <= a"),
    Family("kink inside or before the end", "abs(u - 1)", REAL, a(0, 1, 2, -1e3, 1e3), ("-1", "1"),
           domain="u >= a"),
    Family("kink and an open end", "abs(u)", REAL, a(-1, 0, 1), ("-1", "1"), domain="u > a"),
    Family("exponential up to a", "exp(u)", REAL, a(0, -3, 5), ("0", "1"), domain="u <= a"),
    Family("negative logarithm up to a", "-log(u)", ABOVE, MOVES, ("-1/a", "0"), domain="0 < u and u <= a"),
    Family("hinge up to a", "max(0, 1 - u)", REAL, a(0, 1, 2, -5), ("-1", "0"), domain="u <= a"),
    Family("three lines from a on", "max(-u, 0, u - 1)", REAL, a(-1, 0, 0.5, 1, 2), ("-1", "0", "1"),
           domain="u >= a"),
    Family("cube and line on the half line", "u**3 + a*u", REAL, SIGNS, ("a",), domain="u >= 0"),
    Family("cube from a on", "u**3", REAL, a(0, 1, 1e-3, 1e3), ("3*a**2",),
           (bent(-1, ("-1", "-1/2", "0")), bent(-1e-3, ("-1/1000", "-1/2000", "0"))), domain="u >= a"),
    Family("double well from a on", "u**4 - u**2", ABOVE, a(1, 0.5, 3), ("2", "4*a**3 - 2*a"),
           (bent(0.25, ("1/4", "5/16", "3/8")),), domain="u >= a"),
    Family("cube less square", "u**3/3 - a*u**2", REAL, a(1, 0, -2, 0.9990234375), ("1 - 2*a",),
           (bent(2, ("1", "5/4", "3/2")),), domain="u >= 1"),
    Family("square over a line", "u**2/(1 + a*u)", ABOVE, MOVES, ("0", "1/a"), domain="u >= 0"),
)  # fmt: skip

SMOOTH = (
    Family("exponential and line", "exp(u) + a*u", REAL, a(0, 1, -1, 1e3), ("a",)),
    Family("exponential of any rate", "exp(a*u)", REAL, a(1, -2, 0, 1e-3), ("0",)),
    Family("exponentials of both signs", "exp(u) + a*exp(-u)", REAL, a(1, 0, 1e-3), ("0",),
           (bent(-1, ("-2", "-1", "0")),)),
    Family("softplus less line", "log(1 + exp(u)) - a*u", REAL, a(0.5, 0, 1, 2, -1), ("-a", "1 - a")),
    Family("softplus and curvature", "log(1 + exp(u)) + a*u**2", REAL, a(1, 0, 1e-3), ("0", "1"),
           (bent(-1), bent(-0.0625, ("10", "11", "12")))),
    Family("power of the positive part", "max(0, u)**p", {"p": "p > 0"}, power(1, 2, 1.5, 1.0078125), ("0",
           "1"),
           (bent({"p": 0.5}, ("0", "1", "2")),)),
    Family("power of any exponent above 0", "abs(u)**p", {"p": "p > 0"}, power(1, 1.5, 3), ("-1", "1"),
           (bent({"p": 0.5}, ("0", "1", "2")),)),
    Family("negative power", "-u**p", {"p": "p > 0"}, power(0.5, 1, 0.25), ("0", "-1"),
           (bent({"p": 2.0}, ("0", "1", "2")),), domain="u >= 0"),
    Family("power of any exponent", "u**p", {"p": "real"}, power(-1, 0, 1, 2), ("0", "1"),
           (bent({"p": 0.5}, SPREAD), bent({"p": 1e-3}, SPREAD)), domain="u > 0"),
    Family("power and kink", "abs(u)**p/p + abs(u)", {"p": "p >= 1"}, power(1, 1.5, 2, 4), ("-1", "1", "2")),
    Family("entropy and curvature", "u*log(u) + a*u**2", REAL, a(1, 0, 1e-3), ("0",),
           (bent(-1, SPREAD), bent(-1e-3, ("1000", "1500", "2000"))), domain="u > 0"),
    Family("half square and barrier", "u**2/2 - a*log(u)", REAL, a(1, 0, 1e-3), ("0",),
           (bent(-1, ("1/4", "1/2", "3/4")), bent(-1e-3, ("1/64", "1/50", "1/40"))), domain="u > 0"),
    Family("hyperbolic cosine less curvature", "cosh(u) - a*u**2", REAL, a(0, 0.5, -1, 0.4990234375), ("0",),
           (bent(1), bent(0.51, ("-1/8", "0", "1/8")))),
    Family("hyperbola and line", "sqrt(1 + u**2) + a*u", REAL, a(0, 0.5, 1, -2), ("a - 1", "a + 1")),
    Family("hyperbola that becomes a kink", "sqrt(a + u**2)", {"a": "a >= 0"}, a(1, 0, 1e-3, 1e3), ("-1",
           "1")),
    Family("hyperbola of a squared", "sqrt(a**2 + u**2)", REAL, a(1, -1, 0, 1e3), ("-1", "1")),
    Family("log-sum-exp of two rates", "log(exp(a*u) + exp(u))", REAL, a(2, 1, 0, -1), ("a", "1")),
    Family("logarithm of exponential and a", "log(exp(u) + a)", ABOVE, MOVES, ("0", "1")),
    Family("exponential with a floor", "max(exp(u), a)", REAL, a(1, 0, -1, 1e-3, 1e3), ("0", "a")),
    Family("exponential and line, the greater", "max(u, a*exp(u))", ABOVE, a(1, 0.125), ("0", "1")),
    Family("logistic beyond a kink", "log(1 + exp(u)) + a*abs(u)", REAL, a(1, 0, 1e-3), ("-a", "1 + a"),
           (bent(-0.5, ("-1", "0", "1")),)),
)  # fmt: skip

FAMILIES = (*LINES, *QUADRATICS, *DOMAINS, *SMOOTH)
