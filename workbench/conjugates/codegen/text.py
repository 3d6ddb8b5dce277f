"""Small pieces of source text that the emitters share."""

import math


def identifier(name):
    """Return a term's name as the start of a Python name."""
    return name.replace("-", "_")


def unpack(parameters, first=0):
    """Return the lines that name the entries of theta."""
    return "".join(
        f"    {parameter} = theta[{position}]\n" for position, parameter in enumerate(parameters, first)
    )


def end_text(value):
    """Return a float that may be infinite, as Python text."""
    value = float(value)
    if math.isinf(value):
        return "math.inf" if value > 0 else "-math.inf"
    return repr(value)


def function(name, arguments, head, expression=None, body=None):
    """One function: its parameters unpacked, then an expression to return or a body."""
    body = f"    return {expression}\n" if body is None else body
    used = "".join(line for line in head.splitlines(True) if line.split()[0] in body)
    return f"def {name}({arguments}):\n{used}{body}"
