"""The one table of functions that code may call: in Python, which numba compiles, and in JavaScript.

Both forms of a function compute the same numbers: each is finite wherever the function is, keeps its
relative precision in the tails, and is nan where the function is not real. `log(0)` and `1/0` are
infinities, by nature in JavaScript and by the error model "numpy" in numba.
"""

import re
from typing import NamedTuple


class Form(NamedTuple):
    """The text of one function in both languages: a name to call, or a template of its arguments."""

    python: str
    javascript: str


class Helper(NamedTuple):
    """Source of a function that forms call; None where the language has it."""

    python: str | None
    javascript: str | None


def _same(*names):
    return {name: Form(f"math.{name}", f"Math.{name}") for name in names}


FORMS = {
    "Log1pExp": Form(
        "(max({0}, 0.0) + math.log1p(math.exp(-abs({0}))))",
        "(Math.max({0}, 0.0) + Math.log1p(Math.exp(-Math.abs({0}))))",
    ),
    "Expit": Form(
        "(math.exp(min({0}, 0.0)) / (1.0 + math.exp(-abs({0}))))",
        "(Math.exp(Math.min({0}, 0.0)) / (1.0 + Math.exp(-Math.abs({0}))))",
    ),
    "BinaryEntropy": Form(
        "(({0} * math.log({0}) if {0} > 0.0 else 0.0)"
        " + ((1.0 - {0}) * math.log1p(-{0}) if {0} < 1.0 else 0.0))",
        "(({0} > 0.0 ? {0} * Math.log({0}) : 0.0) + ({0} < 1.0 ? (1.0 - {0}) * Math.log1p(-{0}) : 0.0))",
    ),
    "Logit": Form("(math.log({0}) - math.log1p(-{0}))", "(Math.log({0}) - Math.log1p(-{0}))"),
    # The ratio and not w is tested, since it may underflow where w does not.
    "RelativeEntropy": Form(
        "({0} * math.log({0} / {1}) if {0} / {1} > 0.0 else 0.0)",
        "({0} / {1} > 0.0 ? {0} * Math.log({0} / {1}) : 0.0)",
    ),
    "sign": Form("math.copysign(1.0, {0})", "copysign(1.0, {0})"),
    "Abs": Form("abs", "Math.abs"),
    # Math.max differs from Python's max at nan and at -0.
    "Max": Form("max", "larger"),
    "Min": Form("min", "smaller"),
    "Heaviside": Form(
        "(0.0 if {0} < 0.0 else 1.0 if {0} > 0.0 else {1} if {0} == 0.0 else math.nan)",
        "({0} < 0.0 ? 0.0 : {0} > 0.0 ? 1.0 : {0} == 0.0 ? {1} : NaN)",
    ),
    # The slope of a jump everywhere but at the jump: a Newton step from there must still move.
    "DiracDelta": Form("0.0", "0.0"),
    **_same("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
    **_same("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    # SymPy's own printers write the hyperbolic ones as quotients of exponentials, which overflow to nan.
    "sec": Form("(1.0 / math.cos({0}))", "(1.0 / Math.cos({0}))"),
    "csc": Form("(1.0 / math.sin({0}))", "(1.0 / Math.sin({0}))"),
    "cot": Form("(1.0 / math.tan({0}))", "(1.0 / Math.tan({0}))"),
    "sech": Form("(1.0 / math.cosh({0}))", "(1.0 / Math.cosh({0}))"),
    "csch": Form("(1.0 / math.sinh({0}))", "(1.0 / Math.sinh({0}))"),
    "coth": Form("(1.0 / math.tanh({0}))", "(1.0 / Math.tanh({0}))"),
    "acot": Form("math.atan(1.0 / {0})", "Math.atan(1.0 / {0})"),
    "acoth": Form("math.atanh(1.0 / {0})", "Math.atanh(1.0 / {0})"),
    "erf": Form("math.erf", "erf"),
    "erfc": Form("math.erfc", "erfc"),
    "erfinv": Form("inverse_erf", "inverse_erf"),
    "LambertW": Form("lambertw", "lambertw"),
}

HELPERS = {
    "copysign": Helper(
        None,
        # JavaScript hides the sign of nan; numba's nan mostly is positive.
        """\
function copysign(size, x) {
  return x < 0 || (x === 0 && 1 / x < 0) ? -size : size;
}
""",
    ),
    "larger": Helper(
        None,
        """\
function larger(first, ...rest) {
  return rest.reduce((best, x) => (x > best ? x : best), first);
}
""",
    ),
    "smaller": Helper(
        None,
        """\
function smaller(first, ...rest) {
  return rest.reduce((best, x) => (x < best ? x : best), first);
}
""",
    ),
    # The pow of C has 1^nan = 1 and (-1)^inf = 1, where Math.pow has nan.
    "power": Helper(
        None,
        """\
function power(base, exponent) {
  return base === 1 || (base === -1 && Math.abs(exponent) === Infinity) ? 1 : Math.pow(base, exponent);
}
""",
    ),
    "entry": Helper(
        None,
        """\
function entry(theta, position, name) {
  return Array.isArray(theta) || ArrayBuffer.isView(theta) ? theta[position] : theta[name];
}
""",
    ),
    # Halley's iteration on w + ln|w|, exact where e^w would overflow.
    "w_plus_log": Helper(
        """\
def w_plus_log(level, w):
    # The w on the start's side of -1 with w + ln|w| = level.
    for _ in range(12):
        slope = 1.0 + 1.0 / w
        miss = w + math.log(abs(w)) - level
        move = miss / (slope + 0.5 * miss / w / (w * slope))
        w -= move
        if abs(move) <= 1e-16 * abs(w):
            break
    return w
""",
        """\
function w_plus_log(level, w) {
  // The w on the start's side of -1 with w + ln|w| = level.
  for (let i = 0; i < 12; i += 1) {
    const slope = 1.0 + 1.0 / w;
    const miss = w + Math.log(Math.abs(w)) - level;
    const move = miss / (slope + 0.5 * miss / w / (w * slope));
    w -= move;
    if (Math.abs(move) <= 1e-16 * Math.abs(w)) break;
  }
  return w;
}
""",
    ),
    # 1/e is 0.36787944117144233 less 1.24e-17, so x + 1/e keeps its relative precision. With w = -1 + t,
    # w e^w = x becomes (t - 1) e^t + 1 = e (x + 1/e), whose power series in t begins with t^2/2.
    "w_near_branch": Helper(
        """\
def w_near_branch(x, side):
    # The w with w e^w = x for -1/e <= x <= -0.3; the float next to -1/e, just below it, counts as -1/e.
    if x <= -0.36787944117144233:
        return -1.0 if x == -0.36787944117144233 else math.nan
    height = math.e * ((x + 0.36787944117144233) - 1.2428753672788363e-17)
    p = side * math.sqrt(2.0 * height)
    t = p * (1.0 + p * (p * (11.0 / 72.0) - 1.0 / 3.0))
    for _ in range(8):
        term, total = t, 0.0
        for k in range(2, 26):
            term *= t / k
            total += (k - 1.0) * term
        slope = t * math.exp(t)
        move = (total - height) / slope
        move /= 1.0 - 0.5 * move * (1.0 + 1.0 / t)
        t -= move
        if abs(move) <= 1e-16 * abs(t):
            break
    return t - 1.0
""",
        """\
function w_near_branch(x, side) {
  // The w with w e^w = x for -1/e <= x <= -0.3; the float next to -1/e, just below it, counts as -1/e.
  if (x <= -0.36787944117144233) return x === -0.36787944117144233 ? -1.0 : NaN;
  const height = Math.E * ((x + 0.36787944117144233) - 1.2428753672788363e-17);
  const p = side * Math.sqrt(2.0 * height);
  let t = p * (1.0 + p * (p * (11.0 / 72.0) - 1.0 / 3.0));
  for (let i = 0; i < 8; i += 1) {
    let term = t;
    let total = 0.0;
    for (let k = 2; k < 26; k += 1) {
      term *= t / k;
      total += (k - 1.0) * term;
    }
    const slope = t * Math.exp(t);
    let move = (total - height) / slope;
    move /= 1.0 - 0.5 * move * (1.0 + 1.0 / t);
    t -= move;
    if (Math.abs(move) <= 1e-16 * Math.abs(t)) break;
  }
  return t - 1.0;
}
""",
    ),
    # Halley's iteration, in three regions, since w e^w - x cancels near -1/e and overflows for large x.
    "lambertw": Helper(
        """\
def lambertw(x, branch):
    # w with w e^w = x: w >= -1 on branch 0, w <= -1 on branch -1.
    if x < -0.3:
        return w_near_branch(x, 1.0 if branch == 0.0 else -1.0)
    if branch != 0.0:
        if x >= 0.0:
            return -math.inf if x == 0.0 else math.nan
        level = math.log(-x)
        return w_plus_log(level, level - math.log(-level))
    if x > 3.0:
        level = math.log(x)
        return w_plus_log(level, level - math.log(level)) if x < math.inf else x
    w = math.log1p(x)
    w *= 1.0 - math.log1p(w) / (2.0 + w)
    for _ in range(12):
        size = math.exp(w)
        miss = w * size - x
        move = miss / (size * (w + 1.0) - 0.5 * (w + 2.0) * miss / (w + 1.0))
        w -= move
        if abs(move) <= 1e-16 * abs(w):
            break
    return w
""",
        """\
function lambertw(x, branch) {
  // w with w e^w = x: w >= -1 on branch 0, w <= -1 on branch -1.
  if (x < -0.3) return w_near_branch(x, branch === 0 ? 1.0 : -1.0);
  if (branch !== 0) {
    if (x >= 0.0) return x === 0 ? -Infinity : NaN;
    const level = Math.log(-x);
    return w_plus_log(level, level - Math.log(-level));
  }
  if (x > 3.0) {
    const level = Math.log(x);
    return x < Infinity ? w_plus_log(level, level - Math.log(level)) : x;
  }
  let w = Math.log1p(x);
  w *= 1.0 - Math.log1p(w) / (2.0 + w);
  for (let i = 0; i < 12; i += 1) {
    const size = Math.exp(w);
    const miss = w * size - x;
    const move = miss / (size * (w + 1.0) - 0.5 * (w + 2.0) * miss / (w + 1.0));
    w -= move;
    if (Math.abs(move) <= 1e-16 * Math.abs(w)) break;
  }
  return w;
}
""",
    ),
    "lambertw_exp": Helper(
        """\
def lambertw_exp(level):
    # lambertw(e^level, 0) without the exponential that overflows.
    if not level > 1.1:
        return lambertw(math.exp(level), 0.0)
    return w_plus_log(level, level - math.log(level)) if level < math.inf else level
""",
        """\
function lambertw_exp(level) {
  // lambertw(e^level, 0) without the exponential that overflows.
  if (!(level > 1.1)) return lambertw(Math.exp(level), 0.0);
  return level < Infinity ? w_plus_log(level, level - Math.log(level)) : level;
}
""",
    ),
    # The series e^(-x^2) (2x)^(2k+1) k!/(2k+1)! does not change its sign; above 1 the complement is small.
    "erf": Helper(
        None,
        """\
function erf(x) {
  if (Math.abs(x) >= 1.0) return x > 0 ? 1.0 - erfc(x) : erfc(-x) - 1.0;
  let term = x;
  let total = x;
  for (let k = 1; k < 30; k += 1) {
    term *= 2.0 * x * x / (2 * k + 1);
    total += term;
  }
  return 2.0 / Math.sqrt(Math.PI) * Math.exp(-x * x) * total;
}
""",
    ),
    # Laplace's continued fraction; x is split so that the rounding of x^2 does not reach the exponential.
    "erfc": Helper(
        None,
        """\
function erfc(x) {
  if (!(x >= 1.0)) return x <= -1.0 ? 2.0 - erfc(-x) : 1.0 - erf(x);
  if (x > 30.0) return 0.0;
  let fraction = x;
  for (let k = 200; k > 0; k -= 1) fraction = x + 0.5 * k / fraction;
  const top = Math.fround(x);
  return Math.exp(-top * top) * Math.exp((top - x) * (top + x)) / (Math.sqrt(Math.PI) * fraction);
}
""",
    ),
    # Halley's iteration on erf, or on its complement where y is close to 1.
    "inverse_erf": Helper(
        """\
def inverse_erf(y):
    a = abs(y)
    if not a < 1.0:
        return math.copysign(math.inf, y) if a == 1.0 else math.nan
    if a < 0.5:
        x = a * (0.8862269254527580 + 0.2320136665346545 * a * a)
    else:
        level = math.log((1.0 - a) * (1.0 + a))
        half = 4.330746750799873 + 0.5 * level
        x = math.sqrt(math.sqrt(half * half - level / 0.147) - half)
    for _ in range(4):
        miss = math.erf(x) - a if a < 0.5 else (1.0 - a) - math.erfc(x)
        move = miss * 0.8862269254527580 * math.exp(x * x)
        x -= move / (1.0 + x * move)
    return math.copysign(x, y)
""",
        """\
function inverse_erf(y) {
  const a = Math.abs(y);
  if (!(a < 1.0)) return a === 1.0 ? copysign(Infinity, y) : NaN;
  let x = a * (0.8862269254527580 + 0.2320136665346545 * a * a);
  if (a >= 0.5) {
    const level = Math.log((1.0 - a) * (1.0 + a));
    const half = 4.330746750799873 + 0.5 * level;
    x = Math.sqrt(Math.sqrt(half * half - level / 0.147) - half);
  }
  for (let i = 0; i < 4; i += 1) {
    const miss = a < 0.5 ? erf(x) - a : (1.0 - a) - erfc(x);
    const move = miss * 0.8862269254527580 * Math.exp(x * x);
    x -= move / (1.0 + x * move);
  }
  return copysign(x, y);
}
""",
    ),
}

_NAME = re.compile(r"[A-Za-z_][\w.]*")


def call(name, language, arguments):
    """Return the function of that name at arguments given as texts, each a name or in parentheses."""
    form = getattr(FORMS[name], language)
    if not _NAME.fullmatch(form):
        return form.format(*arguments)
    return f"{form}({', '.join(arguments)})"


def helper_names(text, language):
    """Return the helpers that a source text calls, directly or not; a helper follows those that it calls."""
    names: list[str] = []

    def visit(source, above):
        for name, helper in HELPERS.items():
            own = getattr(helper, language)
            if own and name not in (*names, *above) and re.search(rf"\b{name}\(", source):
                visit(own, (*above, name))
                names.append(name)

    visit(text, ())
    return names


def python_helpers(text, decorator=""):
    """Return the source of the helpers that a Python text calls, each under a decorator, as ``@inline``."""
    head = f"{decorator}\n" if decorator else ""
    return "\n\n".join(f"{head}{HELPERS[name].python}" for name in helper_names(text, "python"))


def javascript_helpers(text):
    """Return the source of the helpers that a JavaScript text calls."""
    return "\n".join(str(HELPERS[name].javascript) for name in helper_names(text, "javascript"))
