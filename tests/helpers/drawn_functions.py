"""Functions drawn from a seed, whose convexity is known by construction.

A member that is not convex has a witness, three places whose middle lies above the chord; one that is convex
has a twin that is not. `check` holds a member against `wb.conjugate`: an accepted q has to meet u v - p(u) at
v = p'(u), with slopes by differences in many digits, and excluded parameters are to be refused.
"""

import random
from dataclasses import dataclass, field

import mpmath
import sympy as sp

DIGITS, CLOSE = 700, 1e-9
NAMES = {"abs": sp.Abs, "max": sp.Max, "E": sp.E}


@dataclass(frozen=True)
class Member:
    """`places` are numbers u at which q is compared; `inside`, `outside` hold values of the parameters."""

    text: str
    convex: bool = True
    places: tuple = (-1, 1)
    domain: str | None = None
    parameters: dict = field(default_factory=dict)
    inside: tuple = ({},)
    outside: tuple = ()
    witness: tuple = ()


def powers(chance):
    """c |a u + b|^p and c max(0, a u + b)^p: convex for p >= 1 alone."""
    a, b, c = chance.randint(1, 9), chance.randint(-9, 9), chance.choice(("1/p", "1", "3", "1/7", "p"))
    base = chance.choice(("abs({}*u + {})", "max(0, {}*u + {})", "max(0, {} - {}*u)"))
    inner = base.format(b, a) if " - " in base else base.format(a, b)
    low = chance.choice(("p >= 1", "p > 1", "p > 0", "p > 1/2", "1 <= p <= 4", "1/3 <= p < 3"))
    exponents = (chance.choice((1.0, 1.25, 1.5)), chance.choice((2.0, 2.5, 2.75)))
    inside = tuple({"p": p} for p in exponents if p > 1 or low != "p > 1")
    outside = ({"p": 0.625},) if low in ("p > 0", "p > 1/2", "1/3 <= p < 3") else ()
    places = (b / a - 1, b / a + 1) if " - " in base else (-b / a - 1, -b / a + 1)
    return Member(f"({c})*{inner}**p", places=places, parameters={"p": low}, inside=inside, outside=outside)


def far_out(chance):
    """A small term that bends down wins far out, or with the other sign never does."""
    k, kind, m = chance.randint(3, 12), chance.randrange(5), chance.randint(1, 9)
    sign = chance.choice("+-")
    far, bases = sp.Integer(10) ** k, ("u**2", "u**2", "exp(u)", "u**4", "u**2 + abs(u)")
    small = (
        f"{m}*u**4/10**{k}",
        f"exp(u/{far})/{m}",
        f"{m}*u**2/10**{k}",
        f"{m}*u**6/10**{k}",
        f"{m}*u**4/10**{k}",
    )[kind]
    place = (far, far * 40 * k, -5 * far, far, far)[kind]
    return Member(
        f"{bases[kind]} {sign} {small}",
        sign == "+",
        (0.25, 1),
        witness=(place - 1, place, place + 1) if sign == "-" else (),
    )


def near_an_end(chance):
    """d sqrt(x) or d log(x), x the distance from an end, bends down within 1e-9 of it and nowhere else."""
    k, a, sign = chance.randint(20, 24), chance.randint(-5, 5), chance.choice("+-")
    kind = chance.randrange(2)
    inner, domain = ((f"(u - ({a}))", f"u > {a}"), (f"(({a}) - u)", f"u < {a}"))[chance.randrange(2)]
    side = 1 if ">" in domain else -1
    bent = (f"sqrt{inner}", f"log{inner}")[kind]
    base = chance.choice(("u**2", "3*u**2", "u**2/5", "exp(u)"))
    step = sp.Rational(1, 10**18)
    close = tuple(a + n * side * step for n in (1, 2, 3))
    return Member(
        f"{base} {sign} {bent}/10**{k}",
        sign == "-",
        (a + side, a + 2 * side),
        domain,
        witness=close if sign == "+" else (),
    )


def by_a_hair(chance):
    """p'' is at least h or -h, h of 1e-4 to 1e-12; or the slope falls by h at one place."""
    h, c, sign = f"10**{chance.randint(4, 12)}", chance.randint(-9, 9), chance.choice("+-")
    kind = chance.randrange(4)
    place = (c, 0, c, 0)[kind]
    text = (
        f"(u - ({c}))**4 {sign} (u - ({c}))**2/{h}",
        f"cosh(u) - u**2/2 {sign} u**2/{h}",
        f"u**2 {sign} abs(u - ({c}))/{h}",
        f"abs(u)**3 {sign} abs(u)/{h}",
    )[kind]
    step = sp.Rational(1, 10**14)
    return Member(
        text,
        sign == "+",
        (place - 1, place + 2),
        witness=(place - step, place, place + step) if sign == "-" else (),
    )


def scales(chance):
    """A plain function times 1e-300 to 1e300, or of u times such a factor."""
    k = chance.choice((1, -1)) * chance.choice((5, 20, 60, 100, 200, 300))
    f = chance.choice(
        (
            "{}**2",
            "abs({})",
            "max(0, 1 - {})",
            "max(0, 1 - {})**2",
            "exp({})",
            "log(1 + exp({}))",
            "sqrt(1 + ({})**2)",
            "({})**4",
        )
    )
    if chance.random() < 0.5 and f not in ("exp({})",):
        return Member(f.format(f"(1e{k}*u)"), places=(mpmath.mpf(10) ** -k / 2, 2 * mpmath.mpf(10) ** -k))
    return Member(f"1e{k}*" + f.format("u"), places=(0.5, 2))


def excluded(chance):
    """Convex on one side of a value of the parameter."""
    m, n, kind = chance.randint(1, 9), chance.randint(1, 9), chance.randrange(5)
    text = (
        f"{m}*u**2 + ({n} - a)*abs(u)",
        f"u**4 + (a - {n})*u**2",
        f"(a - {n})*u**2/{m}",
        f"{m}*exp(u) + (a - {n})*u**2",
        f"u**2 + ({n} - a)*max(0, u - {m})",
    )[kind]
    below = kind in (0, 4)
    good, bad = (n - 0.5, n + 0.5) if below else (n + 0.5, n - 0.5)
    places = (m + 1, m + 2) if kind == 4 else (0.5, 1)
    return Member(
        text,
        places=places,
        parameters={"a": chance.choice(("a > 0", "real", "a >= 0"))},
        inside=({"a": good},),
        outside=({"a": bad},),
    )


def near_a_place(chance):
    """p'' is negative between a place and one 1e-3 to 1e-12 away; a parabola of that height mends it."""
    k, c, side = chance.randint(3, 12), chance.randint(-5, 5), chance.choice((1, -1))
    inner, is_mended = f"(u - ({c}))", chance.random() < 0.5
    text = f"{inner}**4 {'-' if side > 0 else '+'} {inner}**3/10**{k}"
    step = sp.Rational(side, 8 * 10**k)
    return Member(
        f"{text} + {inner}**2/10**{2 * k}" if is_mended else text,
        is_mended,
        (c - 1, c + 2),
        witness=() if is_mended else tuple(c + n * step for n in (1, 2, 3)),
    )


def half_turns(chance):
    """-m cos(a u) as far as its half turn goes, or beyond; cos u and a parabola, steep enough or not."""
    m, n, a = chance.randint(1, 9), chance.randint(1, 9), chance.choice(("1", "2", "1/3"))
    if chance.random() < 0.3:
        is_convex = chance.random() < 0.5
        c = sp.Rational(n * (10 if is_convex else 9), 20)
        bent = -sp.Rational(1, 100), 0, sp.Rational(1, 100)
        return Member(f"({c})*u**2 + {n}*cos(u)", is_convex, (-2, 2), witness=() if is_convex else bent)
    end = chance.choice(("1", "3/2", "pi/2", "8/5", "2"))
    name, start = chance.choice((("cos", "0"), ("cos", f"-({end})/({a})"), ("sin", "0")))
    is_convex = name == "sin" or end in ("1", "3/2", "pi/2")
    last = sp.sympify(end, rational=True) / sp.Rational(a)
    step = sp.Rational(1, 1000) / sp.Rational(a)
    domain = f"{start} <= u <= ({end})/({a})"
    return Member(
        f"-{m}*{name}(({a})*u)",
        is_convex,
        (float(last / 3), float(last / 2)),
        domain,
        witness=() if is_convex else (last - 2 * step, last - step, last),
    )


def inverses(chance):
    """Convex functions whose slopes have Lambert's W, angles or roots as inverses; negated, they are not."""
    m, n, kind = chance.randint(1, 9), chance.randint(1, 9), chance.randrange(6)
    text, places, domain = (
        (f"exp({m}*u) + u**2/{n}", (-1, 1), None),
        (f"u*log(u) + {m}*u**2", (0.5, 2), "u >= 0"),
        (f"exp(u**2/{n}) + {m}", (-1, 1), None),
        (f"-{m}*log({n} - u**2)", (-0.5, 0.5), None),
        (f"{m}*asin(u)", (0.25, 0.5), "0 <= u <= 1"),
        (f"{m}*u*exp(u/{n})", (0.5, 1), "u >= 0"),
    )[kind]
    is_convex = chance.random() < 0.8
    witness = () if is_convex else tuple(sp.Rational(k, 4) for k in (1, 2, 3))
    return Member(text if is_convex else f"-({text})", is_convex, places, domain, witness=witness)


CLASSES = {
    family.__name__: family
    for family in (
        powers,
        far_out,
        near_an_end,
        by_a_hair,
        scales,
        excluded,
        near_a_place,
        half_turns,
        inverses,
    )
}


def members(name, count, seed=0):
    """Draw `count` members of a class, no two alike."""
    chance, drawn = random.Random(f"{name} {seed}"), {}
    while len(drawn) < count:
        member = CLASSES[name](chance)
        drawn.setdefault((member.text, *member.parameters.values()), member)
    return list(drawn.values())


def graph(member, values):
    """p as a function of numbers to many digits."""
    names = {name: sp.Symbol(name, real=True) for name in ("u", *member.parameters)}
    form = sp.sympify(member.text, locals={**NAMES, **names}, rational=True)
    exact = {names[name]: sp.Rational(value) for name, value in values.items()}
    return sp.lambdify(names["u"], form.xreplace(exact), "mpmath")


def exactly(place):
    return mpmath.mpf(place.p) / place.q if isinstance(place, sp.Rational) else mpmath.mpf(place)


def is_witnessed(member):
    """Return True if the member's chord lies below the function, in many digits."""
    p = graph(member, {})
    with mpmath.workdps(DIGITS):
        a, m, b = (p(exactly(sp.sympify(place))) for place in member.witness)
        return m > (a + b) / 2


def check(member):
    """("right" | "wrong accepted" | "right refused" | "undecided", status of the proof or why)."""
    import workbench as wb

    refused = (wb.ConvexityError, wb.InputError)
    try:
        pair = wb.conjugate(member.text, member.domain, member.parameters or None)
    except wb.UndecidedError as error:
        return ("raw error" if error.__cause__ else "undecided"), str(error)
    except wb.ConvexityError as error:
        return ("right refused" if member.convex else "right"), str(error)
    except wb.ExpressionError as error:
        return "undecided", str(error)
    status = pair.verify().status
    if not member.convex:
        return "wrong accepted", status
    for values in member.outside:
        try:
            pair.q(0.0, **values)
            return "wrong accepted", f"{values} [{status}]"
        except refused:
            continue
    for values in member.inside:
        p = graph(member, values)
        for place in member.places:
            with mpmath.workdps(DIGITS):
                u = mpmath.mpf(place)
                v = mpmath.diff(p, u)
                expected, size = u * v - p(u), abs(u * v) + mpmath.mpf(10) ** -300
            try:
                value = pair.q(float(v), **values)
            except refused as error:
                return "right refused", f"{values}: {error}"
            if not abs(value - expected) <= CLOSE * (abs(expected) + size):
                return "wrong accepted", f"q({mpmath.nstr(v, 8)}) = {value} [{status}]"
    return "right", status
