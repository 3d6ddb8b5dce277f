"""The scalar and row functions of one regularizer.

A row function runs over the non-zeros of one row, so that a compiled kernel calls through a
function pointer once a row and not once a non-zero.
"""

import sympy as sp

from workbench.conjugates.codegen.printer import derivative, python_text
from workbench.conjugates.codegen.rounding import rounding_functions
from workbench.conjugates.codegen.table import parameter_table, spelled, table_function
from workbench.conjugates.codegen.text import function, identifier, unpack
from workbench.conjugates.terms.derived import derive_regularizer
from workbench.conjugates.terms.regularizers import DIVISOR, SCALE, RegularizerTerm, S, V, W

ROW_ADD = """\
    change = 0.0
    for k in range(lo, hi):
        j = indices[k]
        v = vector[j]
        before = {inner}
        v += step * data[k]
        vector[j] = v
        slopes[j] = weights[j] * ({slope})
        change += weights[j] * (({inner}) - before)
    return change
"""

ROW_PROBE = """\
    change = 0.0
    product = 0.0
    curvature = 0.0
    for k in range(lo, hi):
        j = indices[k]
        x = data[k]
        v = vector[j]
        before = {inner}
        v += step * x
        change += weights[j] * (({inner}) - before)
        product += weights[j] * ({slope}) * x
        if x != 0.0:
            curvature += weights[j] * ({curvature}) * x * x
    return change, product, curvature
"""

REFRESH = """\
{rescale}    total_sum = 0.0
    for j in range(vector.shape[0]):
        v = vector[j]
        total_sum += weights[j] * ({inner})
        slopes[j] = weights[j] * ({slope})
    return total_sum
"""

# A shift or divisor of the largest entry brings every exponential or power into (0, 1]; below
# 1e-150 the square of the divisor, which curvatures divide by, would underflow.
RESCALE = {
    None: "",
    "shift": """\
    scale = -math.inf
    for j in range(vector.shape[0]):
        scale = max(scale, vector[j])
    theta[0] = scale
""",
    "divisor": """\
    scale = 0.0
    for j in range(vector.shape[0]):
        scale = max(scale, abs(vector[j]))
    if scale < 1e-150:
        scale = 1.0
    theta[0] = scale
""",
}


def regularizer_functions(term: RegularizerTerm, dual=None):
    """Yield the source text of each function of the regularizer."""
    name = identifier(term.name)
    scale = DIVISOR if term.scaling == "divisor" else SCALE
    head = unpack((scale, *term.symbols))
    unit = DIVISOR if term.scaling == "divisor" else sp.S.One
    dual = dual or derive_regularizer(term)
    inner, slope, curvature = (python_text(derivative(dual.inner, V, order, unit)) for order in range(3))
    yield function(f"{name}_inner", "v, theta", head, inner)
    yield function(f"{name}_inner_slope", "v, theta", head, slope)
    yield function(f"{name}_inner_curvature", "v, theta", head, curvature)
    for suffix, order in (("outer", 0), ("outer_slope", 1), ("outer_curvature", 2)):
        yield function(f"{name}_{suffix}", "S, theta", head, python_text(derivative(dual.outer, S, order)))
    at_ends = [(value, sp.Eq(W, place)) for place, value in term.ends]
    valued = sp.Piecewise(*at_ends, (term.primal, True)) if at_ends else term.primal
    primal, primal_slope = python_text(valued), python_text(derivative(term.primal, W))
    if term.domain != sp.S.Reals:
        primal = f"({primal}) if {inside(term.domain)} else math.inf"
    yield function(f"{name}_primal", "w, c, theta", head, primal)
    yield function(f"{name}_primal_slope", "w, c, theta", head, primal_slope)
    yield function(f"{name}_primal_outer", "S, theta", head, python_text(term.primal_outer))
    yield from rounding_functions(name, head, ("primal", valued, "w, c"), ("inner", dual.inner, "v"))
    texts = {"inner": inner, "slope": slope, "curvature": curvature, "rescale": RESCALE[term.scaling]}
    rows = "indices, data, lo, hi, step, weights, vector"
    yield function(f"{name}_row_add", f"{rows}, slopes, theta", head, body=ROW_ADD.format(**texts))
    yield function(f"{name}_row_probe", f"{rows}, theta", head, body=ROW_PROBE.format(**texts))
    facts = {
        "lower": term.domain.inf,
        "upper": term.domain.sup,
        "curvature": sp.sympify(dual.curvature),
        "parts": dual.parts,
        "kinks": dual.kinks,
        "smoothness": dual.smoothness,
    }
    yield table_function(name, head, facts)
    rest = head if term.scaling is None else unpack(term.symbols, first=1)
    yield function(f"{name}_refresh", "weights, vector, slopes, theta", rest, body=REFRESH.format(**texts))


def inside(domain):
    """Return the condition that w lies in an interval, as Python text."""
    low = f"{python_text(domain.inf)} {'<' if domain.left_open else '<='} " if domain.inf != -sp.oo else ""
    high = f" {'<' if domain.right_open else '<='} {python_text(domain.sup)}" if domain.sup != sp.oo else ""
    return f"{low}w{high}"


def regularizer_entry(term: RegularizerTerm, dual=None):
    """Return the regularizer's line in the table of the generated module."""
    neutral = {None: 0.0, "shift": 0.0, "divisor": 1.0}[term.scaling]
    dual = dual or derive_regularizer(term)
    return (
        f'    "{term.name}": {{\n'
        f'        "parameters": {spelled(parameter_table(term))},\n'
        f'        "structure": "{term.structure}",\n'
        f'        "linear": {dual.outer == S},\n'
        f'        "neutral_scale": {neutral},\n'
        f'        "steep": {dual.steep},\n'
        f'        "source": "{term.source}",\n'
        "    },\n"
    ).replace("'", '"')
