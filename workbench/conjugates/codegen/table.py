"""Entries of a generated table for a term: its parameters, and the facts that depend on them."""

import sympy as sp

from workbench.conjugates.codegen.printer import python_text
from workbench.conjugates.codegen.text import end_text, function
from workbench.conjugates.convex.syntax.parameters import parse_parameters


def parameter_table(term):
    """{name: (lower end, whether it is left out, upper end, whether it is left out, default or None)}."""
    declared = parse_parameters(term.assumptions)
    table = {}
    for parameter in term.parameters:
        low, low_open, high, high_open = declared[parameter.symbol.name].bounds[0]
        default = None if parameter.default is None else float(parameter.default)
        table[parameter.symbol.name] = (float(low), bool(low_open), float(high), bool(high_open), default)
    return table


def spelled(value):
    """Return a value of the table as Python text."""
    if isinstance(value, float):
        return end_text(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {spelled(entry)}' for key, entry in value.items())}}}"
    if isinstance(value, tuple) and any(isinstance(entry, tuple | float) for entry in value):
        return f"({', '.join(map(spelled, value))}{',' * (len(value) == 1)})"
    return repr(value)


def table_function(name, head, facts):
    """Return the function `name_facts` of theta, a dictionary of numbers and of rows of numbers."""
    lines = "".join(f'        "{key}": {_text(value)},\n' for key, value in facts.items())
    return function(f"{name}_facts", "theta", head, body=f"    return {{\n{lines}    }}\n")


def _text(value):
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))}{',' * (len(value) == 1)})"
    return python_text(sp.sympify(value))
