"""What a generated table says of a term: the ranges of its parameters, and facts that depend on them."""

import sympy as sp

from workbench.codegen.printer import python_text
from workbench.codegen.text import end_text, function
from workbench.convex.syntax.parameters import parse_parameters


def ranges(term):
    """(lower, whether it is left out, upper, whether it is left out) for each parameter of a term."""
    declared = parse_parameters(
        {symbol.name: "positive" if symbol.is_positive else "nonnegative" for symbol in term.parameters}
        | dict(getattr(term, "ranges", ()))
    )
    found = (declared[symbol.name].bounds[0] for symbol in term.parameters)
    return tuple((float(low), bool(a), float(high), bool(b)) for low, a, high, b in found)


def spelled(value):
    """A value of the table as Python text."""
    if isinstance(value, float):
        return end_text(value)
    if isinstance(value, tuple) and any(isinstance(each, tuple | float) for each in value):
        return f"({', '.join(map(spelled, value))}{',' * (len(value) == 1)})"
    return repr(value)


def table_function(name, head, facts):
    """The function `name_facts` of theta, a dictionary of numbers and of rows of numbers."""
    lines = "".join(f'        "{key}": {_text(value)},\n' for key, value in facts.items())
    return function(f"{name}_facts", "theta", head, body=f"    return {{\n{lines}    }}\n")


def _text(value):
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))}{',' * (len(value) == 1)})"
    return python_text(sp.sympify(value))
