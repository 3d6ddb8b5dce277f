"""Why this update: the last step's rule with its numbers put in, as LaTeX."""

import math
from typing import NamedTuple


class Explanation(NamedTuple):
    """One step in words and formulas."""

    title: str
    formula: str  # LaTeX
    numbers: tuple  # of LaTeX, a line each
    badge: str
    clipped: bool
    dual: str
    source: str


# Closed forms of the coordinate step in the notation of the paper, with their source: t scales the
# step, c_2 is the prediction and c_1 the curvature.
CLOSED_FORMS = {
    "hinge-1": (
        r"\alpha_i \leftarrow y_i \max(\min(\alpha_i y_i - t\,\tfrac{c_2 - y_i}{c_1}\,y_i,\ 1),\ 0)",
        "Zhang (2002), (25)",
    ),
    "hinge-2": (
        r"\alpha_i \leftarrow y_i \max(\alpha_i y_i - t\,\tfrac{\alpha_i + c_2 - y_i}{c_1 + 1}\,y_i,\ 0)",
        "Zhang (2002), (26)",
    ),
    "smoothed-hinge": (
        r"\alpha_i \leftarrow y_i"
        r" \max(\min(\alpha_i y_i - t\,\tfrac{\alpha_i + c_2 - y_i}{c_1 + 1}\,y_i,\ 1),\ 0)",
        "Zhang (2002), (13) with Appendix E, pair 9",
    ),
    "squared": (
        r"\alpha_i \leftarrow \alpha_i - t\,\tfrac{\alpha_i/2 + c_2 - y_i}{c_1 + 1/2}",
        "Zhang (2002), (13)",
    ),
    "huber": (
        r"\alpha_i \leftarrow \max(\min(\alpha_i - t\,\tfrac{\alpha_i + c_2 - y_i}{c_1 + 1},\ 1),\ -1)",
        "Zhang (2002), (13) with Appendix E, pair 7",
    ),
    "epsilon-insensitive-1": (
        r"\Delta = -\tfrac{\pm\epsilon + c_2 - y_i}{c_1}\ \text{or}\ -\alpha_i,\quad"
        r" \alpha_i \leftarrow \max(\min(\alpha_i + t\Delta,\ 1),\ -1)",
        "Zhang (2002), the case p = 1 after (20)",
    ),
    "epsilon-insensitive-2": (
        r"\Delta = -\tfrac{\pm\epsilon + \alpha_i + c_2 - y_i}{c_1 + 1}\ \text{or}\ -\alpha_i,\quad"
        r" \alpha_i \leftarrow \alpha_i + t\Delta",
        "Zhang (2002), the case p = 2 after (20)",
    ),
    "logistic": (
        r"\beta = \alpha_i y_i\ \text{solves}\ "
        r"\ln\tfrac{\beta}{1-\beta} + y_i\,(c_2 + c_1\Delta\alpha_i) = 0",
        "Zhang (2002), (13) with Appendix E, pair 5",
    ),
}
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


def explain(run):
    """The last step of a run, or None before the first."""
    event = run.last_event
    if event is None:
        return None
    solver, problem = run.solver, run.problem
    closed = solver.update in ("exact", "bounded") and (
        solver.update == "bounded" or problem.regularizer.name == "squared-l2"
    )
    if solver.update == "gradient":
        formula, source = GRADIENT
    elif solver.update == "newton":
        formula, source = NEWTON
    else:
        formula, source = CLOSED_FORMS.get(problem.loss.key, SEARCH) if closed else SEARCH
    return Explanation(
        title=f"Step {run.steps:,} looked at sample {event.index:,} (y = {problem.y[event.index]:+g}).",
        formula=formula,
        numbers=_numbers(run, event),
        badge=_badge(event),
        clipped=event.alpha_free != event.alpha_after,
        dual=f"dual objective {event.dual_change:+.2e}",
        source=source + ("; the curvature is an upper bound" if solver.update == "bounded" else ""),
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
        return r"\text{bound of the curvature}"
    if run.problem.regularizer.name == "squared-l2":
        return r"x_i^\top K^{-1} x_i/(\lambda n)"
    return r"x_i^\top h''(v)\, x_i/(\lambda n)"


def _badge(event):
    if event.alpha_free != event.alpha_after:
        return f"clipped to {event.alpha_after:.4g}"
    if event.alpha_after == event.alpha_before:
        return "already optimal: no move"
    return "inside the domain: no clip"


def _number(value):
    """A number in LaTeX, with a power of ten where it is very small or large."""
    if not math.isfinite(value):
        return r"\infty" if value > 0 else r"-\infty"
    if value != 0.0 and not 1e-4 <= abs(value) < 1e5:
        mantissa, exponent = f"{value:.3e}".split("e")
        return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
    return f"{value:.4f}".rstrip("0").rstrip(".")
