"""What a generated table says of a term: the bounds of its parameters, and facts that depend on them."""

import sympy as sp

from workbench.codegen.printer import python_text
from workbench.codegen.text import function


def bounds(term):
    """("above" or "at_least", a number) for each parameter of a term, as `names.check_number` takes them."""
    ranges = dict(getattr(term, "ranges", ()))
    return tuple(_bound(symbol, ranges.get(symbol.name)) for symbol in term.parameters)


def _bound(symbol, text):
    if text is None:
        return ("above" if symbol.is_positive else "at_least", 0.0)
    relation = sp.sympify(text, locals={symbol.name: symbol})
    return ("above" if isinstance(relation, sp.Gt) else "at_least", float(relation.rhs))


def table_function(name, head, facts):
    """The function `name_facts` of theta, a dictionary of numbers and of rows of numbers."""
    lines = "".join(f'        "{key}": {_text(value)},\n' for key, value in facts.items())
    return function(f"{name}_facts", "theta", head, body=f"    return {{\n{lines}    }}\n")


def _text(value):
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))}{',' * (len(value) == 1)})"
    return python_text(sp.sympify(value))
