"""Building blocks of checkers: an answer's type, shape and value, and mistakes known by their values.

    @exercise("0.1", "lambda from C")
    def lam_from_C(answer):
        expect_function(
            answer, [(1.0, 10), (0.5, 40)], lambda C, n: 1 / (C * n),
            [(lambda C, n: 1 / C, "You left out n: C weighs a sum, lambda a mean.")],
        )

The sentences are read by a student: they name the error and not the right answer.
"""

import copy
import dis
import inspect

import numpy as np

from workbench.teaching.bounded import Endless, bounded
from workbench.teaching.diagnosis import FACTOR, cause, close, close_rounded, same, same_rounded
from workbench.teaching.hidden import with_hidden

# Arrays with more entries are told by their shape.
MAX_SHOWN = 4
NOT_A_NUMBER = (
    "somewhere 0 is divided by 0 or multiplied by infinity (0 ln 0), "
    "or a root or a logarithm is taken below 0"
)


class Wrong(Exception):
    """Why an answer is not right, as a sentence for the student."""


def require_answer(answer):
    """Raise `Wrong` where nothing stands in place of the dots."""
    if answer is None or answer is ... or answer is NotImplemented:
        raise Wrong("The answer is still missing: replace the dots, run that cell, then this one.")


def number(answer, what="The answer"):
    """Return the answer as a float."""
    require_answer(answer)
    if isinstance(answer, str):
        raise Wrong(f"{what} is the string {_short(answer)}; give a number, without quotes.")
    if isinstance(answer, bool | np.bool_):
        raise Wrong(f"{what} is {answer}; a number is asked for.")
    _refuse_function(answer, what)
    try:
        shape = np.shape(answer)
    except ValueError:
        raise Wrong(f"{what} is a list of rows of unequal length; one number is asked for.") from None
    except Exception:
        raise Wrong(f"{what} is of type {type(answer).__name__}; a number is asked for.") from None
    if shape and not (isinstance(shape, tuple) and all(length == 1 for length in shape)):
        raise Wrong(f"{what} has shape {shape}; one number is asked for: sum, or take one entry.")
    try:
        value = float(np.asarray(answer, dtype=float).item() if shape else answer)
    except OverflowError:
        raise Wrong(f"{what} is a whole number too large for a float.") from None
    except Exception:
        raise Wrong(f"{what} is of type {type(answer).__name__}; a number is asked for.") from None
    if np.isnan(value):
        raise Wrong(f"{what} is nan: {NOT_A_NUMBER}.")
    return value


def array(answer, shape, what="The answer"):
    """Return the answer as floats of that shape."""
    require_answer(answer)
    if isinstance(answer, str):
        raise Wrong(f"{what} is a string; give an array of shape {shape}.")
    _refuse_function(answer, what)
    try:
        values = np.array(answer.todense() if hasattr(answer, "todense") else answer, dtype=float)
    except Exception:
        # A list of lists, or an object that says it is an array, may raise anything.
        raise Wrong(f"{what} cannot be read as numbers; give an array of shape {shape}.") from None
    if values.shape == ():
        raise Wrong(f"{what} is one number; an array of shape {shape} is needed.")
    if np.squeeze(values).shape == np.squeeze(np.empty(shape)).shape:
        # A column where a row is asked for, or an axis of length 1 too many.
        values = values.reshape(shape)
    if values.shape != shape:
        raise Wrong(f"{what} has shape {values.shape} where {shape} is needed{_mend(values.shape, shape)}.")
    bad = np.argwhere(np.isnan(values))
    if bad.size:
        raise Wrong(f"{what} is nan at entry {_place(bad[0])}: {NOT_A_NUMBER}.")
    return values


def function(answer, what="The answer"):
    """Return the answer as something to call."""
    require_answer(answer)
    if not callable(answer):
        raise Wrong(
            f"{what} is of type {type(answer).__name__}; a function is asked for: def ..., return ..."
        )
    return answer


def choice(answer, options, what="The answer"):
    """Return the answer as one of these texts, in any case."""
    require_answer(answer)
    # The methods of `str` itself, and not those of a class that a student derives from it.
    text = str.strip(answer).lower() if issubclass(type(answer), str) else None
    if text not in options:
        raise Wrong(f"{what} is {_short(answer)}; write one of {', '.join(map(repr, options))}.")
    return text


def choices(answer, options, count, what="The answer"):
    """Return the answer as an array of `count` of these texts, in any case, in whatever holds them."""
    require_answer(answer)
    try:
        entries = np.ravel(np.asarray(answer, dtype=object))
    except Exception:
        entries = np.empty(0, dtype=object)
    if len(entries) != count:
        raise Wrong(f"{what} must have one text for each of {count} entries: a list or an array.")
    return np.array([choice(entry, options, f"{what}, at entry {k},") for k, entry in enumerate(entries)])


def letters(answer, example):
    """Return the letters of an answer, a text or a list of texts, in their order and small."""
    if isinstance(answer, list | tuple) and all(isinstance(entry, str) for entry in answer):
        answer = " ".join(answer)
    if not isinstance(answer, str):
        raise Wrong(f"Write the letters as a string, such as {example!r}.")
    return [letter for letter in str.lower(answer) if letter.isalnum()]


def typed(answer):
    """Return a SymPy expression with a variable as the formula that one would type; else the value."""
    symbols = getattr(answer, "free_symbols", None)
    return str(answer) if isinstance(symbols, set) and symbols else answer


def expect(answer, right, mistakes=(), what="The answer"):
    """Raise `Wrong` unless the answer has the value `right`.

    Parameters
    ----------
    answer : object
    right : float or ndarray
        Its shape is the one asked for.
    mistakes : sequence of (value, str)
        Wrong values, each with its sentence.
    """
    result = _like(answer, right, what)
    if same(result, right):
        return
    for value, sentence in mistakes:
        if same(result, value):
            raise Wrong(sentence)
    # A mistake that lies within the rounding is told first.
    if same_rounded(result, right):
        return
    for value, sentence in mistakes:
        if same_rounded(result, value):
            raise Wrong(sentence)
    # No entry that is right in three digits is called wrong.
    result = np.where(close_rounded(result, right), right, result)[()]
    raise Wrong(_difference(result, right, what, cause([result], [right])))


def expect_function(answer, inputs, right, mistakes=(), what=None, also=(), unchanged=False, redraw=None):
    """Raise `Wrong` unless the answer has the values of `right` at all inputs.

    Parameters
    ----------
    answer : object
    inputs : list of tuple
        Arguments; the answer is given copies of them.
    right : callable
    mistakes : sequence of (callable, str)
        Wrong functions, each with its sentence; one is recognized where it agrees at all inputs.
    what : str, optional
        How the sentences call the answer; its own name where not given.
    also : sequence of callable
        Other functions that are as right.
    unchanged : bool
        Whether the answer must leave its arguments as they are.
    redraw : callable, optional
        How hidden cases are made of the inputs; see `hidden.with_hidden`.
    """
    inputs = with_hidden(inputs, redraw)
    function(answer, "The answer")
    what = what or _name(answer)
    # If the right function takes any arguments, the student's names are as good.
    names = _parameters(right) or _parameters(answer)
    try:
        _judge(answer, inputs, right, mistakes, what, also, unchanged, names)
    except Wrong:
        outside = read_outside(answer, inputs[0], names)
        if outside:
            raise Wrong(f"{what} {outside}") from None
        raise


def _judge(answer, inputs, right, mistakes, what, also, unchanged, names):
    values = [right(*arguments) for arguments in inputs]
    results = [
        call(answer, arguments, value, what, names, unchanged)
        for arguments, value in zip(inputs, values, strict=True)
    ]

    def agrees(other):
        return all(same(x, other(*arguments)) for x, arguments in zip(results, inputs, strict=True))

    if all(map(same, results, values)) or any(map(agrees, also)):
        return
    for mistake, sentence in mistakes:
        if agrees(mistake):
            raise Wrong(sentence)
    why = cause(results, values, inputs, names, right)
    for arguments, x, value in zip(inputs, results, values, strict=True):
        if not same(x, value):
            text = _difference(x, value, f"{what} at {spelled(arguments, names)}", why)
            raise Wrong(f"{text} {_due(x, value)}")


def read_outside(answer, arguments, names):
    """Which size or array of the notebook a function reads in place of its arguments; "" for none.

    Arrays, numbers that a closure keeps and numbers with the name of an argument are blamed before numbers
    that are the length of an array of the notebook, or another of its sizes. Any other number is a constant,
    which no answer is wrong for.
    """
    if getattr(answer, "__code__", None) is None:
        return ""
    shapes = [value.shape for value in answer.__globals__.values() if isinstance(value, np.ndarray)]
    lengths, sizes = {shape[0] for shape in shapes if shape}, {size for shape in shapes for size in shape}
    suspects = []
    for name, value, enclosed in _outside(answer, {answer}):
        if isinstance(value, np.ndarray) or (_is_whole(value) and (enclosed or name in names)):
            suspects.append((0, name, np.ndim(value)))
        elif _is_whole(value) and value in sizes:
            suspects.append((1 if value in lengths else 2, name, 0))
    if not suspects:
        return ""
    _, name, axes = min(suspects, key=lambda suspect: suspect[0])
    arrays = [argument for argument, value in zip(names, arguments, strict=False) if np.ndim(value) > 0]
    mend = f"use len({arrays[0]})" if arrays and axes == 0 else "take it from the arguments"
    return f"reads {name} from the notebook, but the check calls it with other data: {mend}."


def _is_whole(value):
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _outside(answer, seen):
    """(name, value, whether a closure keeps it) of all that a function and the functions it calls read."""
    code = answer.__code__
    contents = (cell.cell_contents for cell in answer.__closure__ or ())
    cells = dict(zip(code.co_freevars, contents, strict=True))
    for name in names_read(code):
        value = cells.get(name, answer.__globals__.get(name))
        yield name, value, name in cells
        if inspect.isfunction(value) and value.__globals__ is answer.__globals__ and value not in seen:
            seen.add(value)
            yield from _outside(value, seen)


def names_read(code):
    """Return the names that a function and those within it take from outside."""
    loads = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_NAME")
    names = [step.argval for step in dis.get_instructions(code) if step.opname in loads]
    for inner in filter(inspect.iscode, code.co_consts):
        names += names_read(inner)
    # A variable of the enclosing function does not come from outside.
    return [name for name in names if name not in code.co_cellvars]


def call(answer, arguments, like, what="Your function", names=(), unchanged=False):
    """Return the value of a student's function in the shape of `like`; `names` names its arguments."""
    at = f"{what} at {spelled(arguments, names)}"
    own = copy.deepcopy(arguments)
    result = run(answer, own, at)
    if result is None:
        raise Wrong(f"{at} returns nothing; end it with return and the value.")
    changed = [k for k, (mine, theirs) in enumerate(zip(arguments, own, strict=True)) if differ(mine, theirs)]
    if unchanged and changed:
        name = names[changed[0]] if len(names) > changed[0] else f"argument {changed[0] + 1}"
        raise Wrong(f"{what} changes {name} in place; return a new array and leave the old one as it is.")
    return _like(result, like, at)


def run(answer, arguments, at):
    """Return the value of a student's function; raise `Wrong` if it fails or never ends. `at` names it."""
    try:
        result, error = bounded(answer, *arguments)
    except Endless as endless:
        raise Wrong(
            f"{at} does not come to an end, or takes far too long: look at what ends its loop.{endless}"
        ) from None
    if isinstance(error, NotImplementedError):
        # nbgrader puts this in place of a solution.
        require_answer(...)
    if error is not None:
        text = _message(error)
        raise Wrong(f"{at} stops with {type(error).__name__}{': ' if text else ''}{text}.")
    return result


def _message(error):
    try:
        return " ".join(str(error).split()).rstrip(".")
    except Exception:
        return ""


def differ(before, after):
    """Return whether an array has changed."""
    return isinstance(before, np.ndarray) and not np.array_equal(before, after)


def _like(answer, right, what):
    if not np.ndim(right):
        return number(answer, what)
    result = array(answer, np.shape(right), what)
    if right.dtype == bool and not np.all((result == 0) | (result == 1)):
        raise Wrong(f"{what} has values other than True and False: a comparison is missing.")
    return result


def _refuse_function(answer, what):
    if callable(answer):
        raise Wrong(f"{what} is a function; call it and give the value.")


def _mend(shape, needed):
    if np.prod(shape) == np.prod(needed) and len(shape) != len(needed):
        return f": .reshape{needed} would do"
    if shape == needed[::-1]:
        return ": it seems to be transposed"
    return ""


def _difference(result, right, what, why):
    if not np.ndim(right):
        return f"{what} is {result + 0.0:.6g}, which is {_relation(result, right, why)}."
    bad = np.argwhere(~close(result, right))
    place = tuple(bad[0])
    entry = f"entry {_place(place)} of {right.size}" if len(bad) > 1 else f"only entry {_place(place)}"
    entries = f"{entry} is {result[place] + 0.0:.6g}, {_relation(result[place], right[place], why)}"
    return f"{what} is wrong at {len(bad)} of {right.size} entries; {entries}."


def _due(result, right):
    """Return the right value of a function at the first place where it differs."""
    if np.ndim(right):
        right = right[tuple(np.argwhere(~close(result, right))[0])]
    return f"There it should be {right + 0.0:.6g}."


def _relation(result, right, why):
    """Return how a wrong number relates to the right one, in words that do not reveal it."""
    if np.isinf(right) and result == -right:
        return "right but for its sign: infinite, and of the other sign"
    if np.isinf(right) and not np.isinf(result):
        return "finite where it should be infinite: mind the domain"
    if np.isinf(result):
        return "infinite where it should be finite: mind the domain"
    if why.endswith(FACTOR):
        return why.replace(FACTOR, FACTOR.format(result / right))
    size = "too large" if result > right else "too small"
    return why or (f"of the other sign, and {size}" if result * right < 0 else size)


def _place(index):
    return ", ".join(str(int(i)) for i in index)


def _name(answer):
    name = getattr(answer, "__name__", "")
    return name if name.isidentifier() else "Your function"


def _parameters(right):
    """Return the names of a function's arguments; none where it takes them as they come."""
    try:
        parameters = inspect.signature(right).parameters.values()
    except ValueError:
        return []
    is_named = all(parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in parameters)
    return [parameter.name for parameter in parameters] if is_named else []


def spelled(arguments, names=()):
    """Return the arguments of a call as a sentence names them."""
    if len(names) < len(arguments):
        return f"({', '.join(map(_short, arguments))})"
    return ", ".join(
        f"{name} {_short(value)}" if _is_large(value) else f"{name} = {_short(value)}"
        for name, value in zip(names, arguments, strict=False)
    )


def _is_large(value):
    return isinstance(value, np.ndarray) and value.size > MAX_SHOWN


def _short(value):
    if isinstance(value, np.ndarray):
        # Booleans, texts and objects have no digits to leave out.
        short = value.round(4) if value.dtype.kind in "fc" else value
        return f"of shape {value.shape}" if _is_large(value) else str(short.tolist())
    if isinstance(value, float | np.floating):
        return f"{float(value):.4g}"
    if callable(value):
        return _name(value).lstrip("_")
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
