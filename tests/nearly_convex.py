"""Functions that fail to be convex only in a narrow or far place, and twins that are convex everywhere.

`witness` holds three places, made by hand: p(middle) lies above the chord from left to right, which
`test_parameters` checks with mpmath. A twin differs by a number in the same place and has no witness; it is
to be answered. For a bump h*exp(-k*(u - c)**2) the second derivative at c is -2*k*h, its least.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Narrow:
    """A function without parameters, or with one that `values` give a number."""

    name: str
    p: str
    witness: tuple[str, str, str] | None = None
    domain: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    variable: str = field(default="u", repr=False)


def around(centre, step):
    return (f"{centre} - {step}", centre, f"{centre} + {step}")


def bump(name, base, factor, height, rate, centre, convex_height, step, domain=None):
    """A bump on a convex base and the twin with a lower bump."""
    text = f"{base} + {{}}*exp(-{rate}*(u - {centre})**2){factor}"
    return (
        Narrow(name, text.format(height), around(centre, step), domain),
        Narrow(f"{name}, convex twin", text.format(convex_height), None, domain),
    )


def twins(name, text, bent, convex, witness, domain=None):
    """A text with a place for a number: not convex with the first, convex with the second."""
    return (
        Narrow(name, text.format(bent), witness, domain),
        Narrow(f"{name}, convex twin", text.format(convex), None, domain),
    )


PLACES = (
    Narrow("bump a twentieth wide", "u**2 + exp(-400*(u-1.45)**2)/20", around("1.45", "0.01")),
    *bump("bump 1/100 wide", "u**2", "/10000", "1.05", "10000", "2.37", "0.95", "1/2000"),
    *bump("bump 1/10000 wide", "u**2", "/100000000", "2", "100000000", "(-0.7312)", "0.9", "1/100000"),
    *bump("bump far off", "u**2/2", "/10000", "1", "10000", "731", "0.4", "1/1000"),
    *bump("bump near a flat minimum", "u**4", "/1000000", "1", "10000", "0.01", "0.01", "1/1000"),
    *bump("bump on softplus", "log(1 + exp(u))", "/10000", "1", "40000", "3", "0.005", "1/1000"),
    *bump("bump on an exponential", "exp(u)", "/2500", "2", "2500", "1.11", "1.4", "1/1000"),
    *bump("bump on entropy", "u*log(u)", "/1000000", "1", "1000000", "5", "0.09", "1/5000", "u > 0"),
    *bump("bump on a hyperbola", "sqrt(1 + u**2)", "/10000", "0.5", "10000", "1", "0.1", "1/1000"),
    *twins("rational bump", "u**2 + {}/(10000 + 100000000*(u - 1.7)**2)", "1.05", "0.95",
           around("1.7", "1/2000")),
    *twins("step 1/1000 wide", "u**2 + {}*tanh(1000*(u - 0.31))/1000000", "3", "2.5",
           around("0.310659", "1/10000")),
    *twins("ripple", "u**2/2 + {}*cos(300*u)/100000", "1.2", "1", around("0", "1/1000"), "abs(u) <= 4"),
    *twins("fast ripple", "u**2/2 + {}*sin(1000*u)/1000000", "1.1", "0.9", around("0.00157", "1/5000"),
           "abs(u) <= 5"),
    *twins("tiny kink", "u**2 {} abs(u - 1.2345)/10000", "-", "+", around("1.2345", "1/50000")),
    *twins("tiny kink far off", "u**2 + abs(u) {} abs(u - 300)/1000", "-", "+", around("300", "1/5000")),
    *twins("tiny kink of the positive part", "max(0, u)**2 {} max(0, -u)/100000", "-", "+", around("0",
    "1/1000000")),
    *twins("kink under a power", "abs(u)**1.5 {} abs(u)/1000", "-", "+", around("0", "1/2000000")),
    *twins("near-flat quartic", "u**4 {} u**2/1000000", "-", "+", around("0", "1/2000")),
    *twins("near-flat quartic away from 0", "(u - 2)**4 {} (u - 2)**2/100000", "-", "+", around("2",
    "1/1000")),
    *twins("sextic with a shallow dip", "u**6 - u**4/1000 + {}*u**2/10000000", "5", "7",
           around("0.01414", "1/1000")),
    *twins("hyperbolic cosine, almost", "cosh(u) - u**2/2 {} u**2/1000000", "-", "+", around("0", "1/1000")),
    *twins("tip of a tent above a parabola", "max(u**2, {} - 100*abs(u - 1.2))", "1.4404", "1.4399",
           around("1.2", "1/100000")),
    *twins("two parabolas that cross", "{}(u**2, (u - 1/1000)**2 + 1/1000)", "min", "max",
           around("0.5005", "1/10000")),
    *twins("slope lost for a thousandth", "piecewise((u**2, u < 1.5), (u**2 {} (u - 1.5)/1000, True))", "-",
    "+",
           around("1.5", "1/10000")),
    *twins("two slopes close together", "max(0, u - 1) + max(0, u - 1.001) {} max(0, u - 1.0005)", "-", "+",
           around("1.0005", "1/10000")),
    Narrow("bump of any height", "u**2 + a*exp(-10000*(u - 2)**2)", around("2", "1/2000"), None,
           {"a": "a > 0"},
           {"a": 2e-4}),
    Narrow("bump in any place", "u**2 + exp(-400*(u - a)**2)/20", around("a", "0.01"), None, {"a": "real"},
           {"a": 1e3}),
    Narrow("tiny kink in any place", "u**2 - abs(u - a)/1000", around("a", "1/5000"), None, {"a": "real"},
           {"a": -7.0}),
    Narrow("kink of any size", "u**2 - b*abs(u - 1)", around("1", "1/5000"), None, {"b": "b > 0"},
           {"b": 1e-3}),
)  # fmt: skip
