"""Why this update: the last step's rule with its numbers put in, as LaTeX."""

import math
from typing import NamedTuple

from workbench.pages.dual_lab.captions import said


class Explanation(NamedTuple):
    """One step in words and formulas."""

    title: str
    formula: str  # LaTeX
    numbers: tuple  # of LaTeX, a line each
    badge: str
    clipped: bool
    dual: str
    source: str


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


def explain(run):
    """The last step of a run, or None before the first."""
    event = run.last_event
    if event is None:
        return None
    solver, problem = run.solver, run.problem
    closed = solver.update in ("exact", "bounded") and (
        solver.update == "bounded" or problem.regularizer.is_quadratic
    )
    if solver.update == "gradient":
        formula, source = GRADIENT
    elif solver.update == "newton":
        formula, source = NEWTON
    else:
        formula, source = closed_form(problem.loss) if closed else SEARCH
    return Explanation(
        title=said("step", step=run.steps, index=event.index, y=problem.y[event.index]),
        formula=formula,
        numbers=_numbers(run, event),
        badge=_badge(event),
        clipped=event.alpha_free != event.alpha_after,
        dual=said("dual", change=event.dual_change),
        source=source + (said("bounded") if solver.update == "bounded" else ""),
    )


def _numbers(run, event):
    """The step's numbers, a line each, ending in the new value."""
    solver, problem = run.solver, run.problem
    lines = [rf"c_2 = w\cdot x_i = {_number(event.prediction)}"]
    if solver.update == "gradient":
        step = solver.scale * solver.eta * problem.lam_n
        slope = (event.alpha_before - event.alpha_free) / step
        lines += [rf"t\,\eta\,\lambda n = {_number(step)}", rf"-k' + c_2 = {_number(slope)}"]
    else:
        lines.append(rf"c_1 = {_curvature_meaning(run)} = {_number(event.curvature)}")
    lines.append(rf"\alpha_i: {_number(event.alpha_before)} \to {_number(event.alpha_free)}")
    if event.alpha_free != event.alpha_after:
        lines.append(rf"\text{{clipped to }} {_number(event.alpha_after)}")
    return tuple(lines)


def _curvature_meaning(run):
    if run.solver.update == "bounded":
        return CURVATURES[0]
    return CURVATURES[1 if run.problem.regularizer.is_quadratic else 2]


def _badge(event):
    if event.alpha_free != event.alpha_after:
        return said("clipped", value=event.alpha_after)
    return said("optimal" if event.alpha_after == event.alpha_before else "inside")


def _number(value):
    """A number in LaTeX, with a power of ten where it is very small or large."""
    if not math.isfinite(value):
        return r"\infty" if value > 0 else r"-\infty"
    if value != 0.0 and not 1e-4 <= abs(value) < 1e5:
        mantissa, exponent = f"{value:.3e}".split("e")
        return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
    return f"{value:.4f}".rstrip("0").rstrip(".")
