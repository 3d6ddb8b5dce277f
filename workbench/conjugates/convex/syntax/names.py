"""Which name of a formula is its variable: the one that is not declared as a parameter."""

import sympy as sp

from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.syntax.vocabulary import (
    CONSTANTS,
    FUNCTION_NAMES,
    check_name,
    did_you_mean,
    quote,
)

# The letters that a function of one variable is mostly written in, in the order of preference.
USUAL = ("u", "x", "z", "t", "v", "w", "y")


def variable_name(variable, parameters):
    """Return the name of a variable given as a name or a symbol, or None."""
    if variable is None:
        return None
    name = check_name("variable", variable.name if isinstance(variable, sp.Symbol) else variable)
    if name in parameters:
        raise ExpressionError(f"variable: {name} is a parameter too; give one of them another name")
    return name


def symbols_of(name, parameters):
    """Return the symbol of every name that a formula may hold, the variable first."""
    symbols = {name: sp.Symbol(name, real=True)} if name else {}
    return symbols | {key: parameter.symbol for key, parameter in parameters.items()}


def _refuse(what, source, node, sentence):
    if source is None:
        raise ExpressionError(f"{what}: {sentence}")
    source.refuse(node, sentence)


def refuse_unknown(names, declared, source, what="formula"):
    """Raise an error for the first of the names, if there is one, that lists the known names."""
    for name, node in names.items():
        fix = did_you_mean(name, [*declared, *CONSTANTS, *sorted(FUNCTION_NAMES)])
        text = ", ".join([*declared, *CONSTANTS])
        _refuse(what, source, node, f"{quote(name)} is not known; {fix}known names are {text}")


def choose(what, names, variable, parameters, source=None):
    """Return the variable's name: the given one, or the one name that is not declared, or u.

    Parameters
    ----------
    names : dict of str to syntax node or None
        The names that are neither declared nor `variable`, in their order.
    """
    if variable is not None:
        refuse_unknown(names, [variable, *parameters], source, what)
        return variable
    if len(names) > 1:
        guess = next((name for name in USUAL if name in names), next(iter(names)))
        others = [name for name in names if name != guess]
        example = ", ".join(f'"{name}": "{name} > 0"' for name in others[:3])
        close = ((name, did_you_mean(name, list(parameters))) for name in names)
        fix = next((f"{quote(name)}: {hint}" for name, hint in close if hint), "")
        first, *rest = names
        text = ", ".join([first, *rest[:-1][:4]])
        try:
            _refuse(
                what,
                source,
                names[first],
                f"the names {text} and {rest[-1]} are undeclared; {fix}all but one, the variable, need "
                f"declaring, as in parameters={{{example}}}",
            )
        except ExpressionError as error:
            error.undeclared = tuple(others)
            raise
    if names:
        return next(iter(names))
    if "u" in parameters:
        raise ExpressionError(f'{what}: no name is left for the variable; name one, as in variable="x"')
    return "u"
