"""The formulas of the Dual lab: the rule of each step, and the sum that a gap is."""

import math

from workbench.kernels import claims
from workbench.pages import formulas

# What the symbols of the sum are called in the figures, and the columns and the row of its table.
LIT = {"P(w)": "primal", r"D(\alpha)": "dual"}
LOSS, CONJUGATE, PRODUCT = r"f(z_i)", r"k(-\alpha_i)", r"\alpha_i z_i"
REGULARIZER = r"\lambda\, \bigl[ g(w) + h(v) - w\cdot v \bigr]"
PARTS = {LOSS: "loss", CONJUGATE: "conjugate", PRODUCT: "product", REGULARIZER: "regularizer"}
SUM = formulas.lit(
    rf"P(w) + D(\alpha) = \tfrac1n \textstyle\sum_i \bigl[ {LOSS} + {CONJUGATE} + {PRODUCT} \bigr]"
    rf" + {REGULARIZER}",
    LIT | PARTS,
)
COLUMNS = "<col span='3'>" + "".join(f"<col data-part='{PARTS[part]}'>" for part in [*PARTS][:3])
BASES = {"proved": "a proof that a small checker decides", "checked": "numbers at many points"}

SEARCH = (
    r"\min_{\Delta}\ k(-\alpha_i - \Delta, y_i)"
    r" + \lambda n\, h\!\left(v + \tfrac{\Delta}{\lambda n} x_i\right)",
    "Zhang (2002), (*) of Algorithm 1, solved along the row",
)
NEWTON = (
    r"\Delta = \arg\min_{\Delta}\ k(-\alpha_i-\Delta, y_i)"
    r" + c_2\Delta + \tfrac{c_1}{2}\Delta^2,\ \text{halved until (*) falls}",
    "Zhang (2002), (11) with Newton's step, backtracked",
)
GRADIENT = (
    r"\alpha_i \leftarrow \alpha_i - t\,\eta\,\lambda n\,\bigl(-k'(-\alpha_i, y_i) + w\cdot x_i\bigr)",
    "Zhang (2002), (11)",
)

# What c_1 stands for: with the update "bounded", with a quadratic h, and else.
CURVATURES = (
    r"\text{bound of the curvature}",
    r"x_i^\top K^{-1} x_i/(\lambda n)",
    r"x_i^\top h''(v)\, x_i/(\lambda n)",
)


def closed_form(loss):
    """The coordinate step with a parabola of curvature c_1 for h, as LaTeX, and its source.

    In the notation of the paper: t scales the step, and c_2 is the prediction. Where the conjugate is
    a nu^2 / 2 + b nu + e |nu| the step is written out.
    """
    source = f"Zhang (2002), (13); the loss: {loss.entry['source']}"
    if loss.conjugate_form is None:
        return r"\Delta\ \text{solves}\ -k'(-\alpha_i - \Delta, y_i) + c_2 + c_1 \Delta = 0", source
    a, b, e = loss.conjugate_form
    parts = ["c_2", _term(a, r"\alpha_i")]
    if loss.kind == "residual":
        parts.append("-y_i")
    parts.append(_term(-b, "y_i" if loss.kind == "margin" else ""))
    if e:
        parts.append(rf"\pm {_number(e)}")
    signed = (part if part.startswith(("-", r"\pm")) else f"+{part}" for part in parts if part)
    slope = "".join(signed).removeprefix("+")
    step = rf"\Delta = -\tfrac{{{slope}}}{{c_1{_signed(a)}}}"
    step += r"\ \text{or}\ -\alpha_i" if e else ""
    return rf"{step},\quad \alpha_i \leftarrow {_clipped(loss)}", source


def _clipped(loss):
    """alpha_i + t Delta between the ends of its interval."""
    lower, upper = 0.0 - loss.entry["upper"], 0.0 - loss.entry["lower"]
    turned = loss.kind == "margin"
    text = r"y_i\,(\alpha_i + t\,\Delta)" if turned else r"\alpha_i + t\,\Delta"
    if math.isfinite(upper):
        text = rf"\min({text},\ {_number(upper)})"
    if math.isfinite(lower):
        text = rf"\max({text},\ {_number(lower)})"
    if not turned:
        return text
    return rf"y_i {text}" if math.isfinite(lower) or math.isfinite(upper) else r"\alpha_i + t\,\Delta"


def _term(factor, symbol):
    """A multiple of a symbol; nothing for none."""
    if factor == 0.0:
        return ""
    if abs(factor) == 1.0 and symbol:
        return symbol if factor > 0.0 else f"-{symbol}"
    return f"{_number(factor)}{symbol}"


def _signed(number):
    """The number as it is added; nothing for zero."""
    return f"{'+' if number > 0.0 else '-'}{_number(abs(number))}" if number else ""


def basis(term):
    """Return in words why no bracket of a loss or a regularizer is negative."""
    claim = claims.of(term)
    return claim.get("by") or BASES[claim["bound"]]


def rules():
    """Return the texts with which the page's script explains a step and a gap."""
    return {
        "search": SEARCH,
        "newton": NEWTON,
        "gradient": GRADIENT,
        "curvatures": CURVATURES,
        "sum": SUM,
        "columns": COLUMNS,
    }


def _number(value):
    """A number in LaTeX, with a power of ten where it is very small or large."""
    if not math.isfinite(value):
        return r"\infty" if value > 0 else r"-\infty"
    if value != 0.0 and not 1e-4 <= abs(value) < 1e5:
        mantissa, exponent = f"{value:.3e}".split("e")
        return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
    return f"{value:.4f}".rstrip("0").rstrip(".")
