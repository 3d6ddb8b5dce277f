"""Judgement of solvers and proofs that a student writes: by the gap they reach, by the steps that hold.

A solver may work in any way: only what it returns counts, and a certificate judges that. Where it falls
short, the sentence says at which sample. A proof is a choice of lettered steps in an order; any order in
which each step has what it needs is right.
"""

import dis
import inspect
import sys
from typing import Any

import numpy as np

import workbench as wb
from workbench.teaching import answers
from workbench.teaching.answers import Wrong, array, call, require_answer, same
from workbench.teaching.hidden import with_hidden

# Rounding that a feasible point may show.
ROUNDING = 1e-9
# A solver from one of these packages is not the student's own.
READY_MADE = ("workbench", "sklearn", "cvxpy", "scipy.optimize", "scipy.sparse.linalg")
YOURS = "Your function"


def expect_solver(answer, cases, shapes, judge, mistakes=(), finite=True, parts=(), redraw=None):
    """Raise `Wrong` unless what a student's solver returns is accepted for all cases.

    Parameters
    ----------
    answer : object
    cases : list of tuple
        The arguments; the answer is given copies of them.
    shapes : callable
        Of the arguments: the shape of each value that is returned, as `returned` takes it.
    judge : callable
        Of the arguments and of the values returned; raises `Wrong`, with a sentence that follows "At ...: ".
    mistakes : sequence of (callable, str)
        Wrong solvers, each with its sentence; one is recognized where it agrees in all cases.
    finite : bool
        Whether infinite values are refused.
    parts : sequence of str
        How the sentences call the values, such as "the average".
    redraw : callable, optional
        How hidden cases are made of the cases; see `hidden.with_hidden`.

    Returns
    -------
    list of list of ndarray
        What was returned in each case.
    """
    cases = with_hidden(cases, redraw)
    answers.function(answer)
    _refuse_library_solvers(answer)
    name = getattr(answer, "__name__", "")
    what = name if name.isidentifier() else YOURS
    try:
        results = [returned(answer, case, shapes(*case), what, parts, finite) for case in cases]
        try:
            for case, values in zip(cases, results, strict=True):
                judge(*case, *values)
        except Wrong:
            for mistake, sentence in mistakes:
                if all(_agree(values, mistake(*case)) for case, values in zip(cases, results, strict=True)):
                    raise Wrong(sentence) from None
            raise
    except Wrong:
        parameters = _parameters(answer)
        outside = answers.read_outside(answer, cases[0], parameters)
        if outside:
            raise Wrong(f"{what} {outside}") from None
        raise
    return results


def _agree(values, other):
    theirs = other if isinstance(other, tuple) else (other,)
    return all(same(mine, np.asarray(expected)) for mine, expected in zip(values, theirs, strict=True))


def returned(answer, arguments, shapes, what, parts=(), finite=True):
    """Return the values that a function returns, as a list of arrays of these shapes.

    `shapes` is a list where several values are asked for; () is a number, None one row of any length.
    """
    results = []

    def kept_back(*given_arguments):
        results.append(answer(*given_arguments))
        return None if results[-1] is None else 0.0

    names = _parameters(answer)
    call(kept_back, arguments, 0.0, what, names)
    result = results[0]
    require_answer(result)
    returns = f"{'your function' if what == YOURS else what} returns at {answers.spelled(arguments, names)}"
    if isinstance(shapes, tuple):
        subject = f"{parts[0].capitalize()} that" if parts else "What"
        return [_value(result, shapes, f"{subject} {returns}", finite)]
    parts = parts or ("the first value", "the second value", "the third value")[: len(shapes)]
    if not isinstance(result, tuple | list) or len(result) != len(shapes):
        listing = f"{', '.join(parts[:-1])} and {parts[-1]}"
        raise Wrong(f"{what} returns {_kind(result)}, and {len(shapes)} values are asked for: {listing}.")
    return [
        _value(value, shape, f"{part.capitalize()} that {returns}", finite)
        for value, shape, part in zip(result, shapes, parts, strict=True)
    ]


def _kind(result):
    if isinstance(result, tuple | list):
        return f"{len(result)} value{'s' * (len(result) != 1)}"
    return f"an array of shape {result.shape}" if isinstance(result, np.ndarray) else type(result).__name__


def _value(result, shape, what, finite):
    if shape is None:
        shape = (_length(result),)
    value = array(result, shape, what) if shape else answers.number(result, what)
    if finite and not np.all(np.isfinite(value)):
        raise Wrong(f"{what} is infinite: do the steps grow, or do you divide by 0?")
    return value


def _length(result):
    try:
        return len(result)
    except Exception:
        return 1


def _parameters(answer):
    try:
        return list(inspect.signature(answer).parameters)
    except (TypeError, ValueError):
        return []


def _refuse_library_solvers(answer):
    for name in library_solvers(answer):
        raise Wrong(f"{name} does the work for you: write the steps yourself, with NumPy alone.")


def library_solvers(answer):
    """Return the names that a function, or one that it calls, takes from packages which have solvers."""
    names, todo, seen = [], [answer], set()
    for function in todo:
        if not inspect.isfunction(function) or function in seen:
            continue
        seen.add(function)
        for name, value in _loaded(function.__code__, inspect.getclosurevars(function).nonlocals, function):
            origin = value if isinstance(value, str) else _origin(value)
            if any(f"{origin}.".startswith(f"{package}.") for package in READY_MADE):
                names.append(name)
            elif inspect.isfunction(value) and value.__globals__ is function.__globals__:
                todo.append(value)
    return names


def _origin(value):
    """Return the module that a value comes from, or that it is."""
    return getattr(value, "__module__", None) or getattr(value, "__name__", None) or ""


def _loaded(code, enclosed, function):
    """Yield (name, value) of all that a code reads from outside; an import yields its module's name."""
    outside, imported = {**function.__globals__, **enclosed}, dict[str, Any]()
    value: Any = None
    module = ""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            value = getattr(value, step.argval, None) if inspect.ismodule(value) else None
        elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
            value = outside.get(step.argval)
        elif step.opname == "LOAD_FAST":
            value = imported.get(step.argval)
        elif step.opname == "IMPORT_NAME":
            module, value = step.argval, step.argval
            imported[module.split(".")[0]] = sys.modules.get(module.split(".")[0])
        elif step.opname == "IMPORT_FROM":
            value = f"{module}.{step.argval}"
        elif step.opname in ("PUSH_NULL", "PRECALL", "CACHE"):
            continue
        else:
            value = None
        if value is not None:
            yield step.argval, value
    for inner in filter(inspect.iscode, code.co_consts):
        yield from _loaded(inner, enclosed, function)


def expect_box(value, low, high, what, mend="clip each step"):
    """Raise `Wrong` unless all entries lie between the bounds; `mend` says what to look at."""
    worst = int(np.argmax(np.maximum(low - value, value - high)))
    if not low - ROUNDING <= value[worst] <= high + ROUNDING:
        raise Wrong(f"{what} is {value[worst]:.4g} at sample {worst}, outside [{low:g}, {high:g}]: {mend}.")


def expect_gap(problem, tol, where, **point):
    """Raise `Wrong` unless a feasible point has a relative gap of at most `tol`; returns its certificate.

    The sentence names the sample whose Fenchel-Young term is largest.
    """
    certificate = wb.certificate(problem, **point)
    if certificate.relative_gap <= tol:
        return certificate
    worst = int(np.argmax(certificate.sample_terms))
    share = certificate.regularizer_term / certificate.gap
    if share > 0.5:
        place = "most of it in the regularizer's bracket g(w) + h(v) - w.v, with v = X'alpha / (lambda n)."
    else:
        alpha = certificate.alpha[worst] + 0.0
        place = (
            f"most of it at sample {worst}, with prediction {certificate.z[worst]:.4g}, target "
            f"{problem.y[worst]:.4g} and alpha = {alpha:.4g}: map (10) does not hold there."
        )
    raise Wrong(f"{where} the relative gap is {certificate.relative_gap:.2g} and not below {tol:g}; {place}")


def within(gap, most, mistakes, otherwise):
    """Raise `Wrong` where a gap is above `most`.

    Parameters
    ----------
    gap : float
    most : float
    mistakes : sequence of (callable, str)
        Each callable gives the gap of the same point in the problem that a known mistake solves instead.
    otherwise : str
        The sentence where no mistake is known by its gap.
    """
    if gap <= most:
        return
    for measured, sentence in mistakes:
        if measured() <= most:
            raise Wrong(sentence)
    raise Wrong(otherwise)


def expect_progress(early, late, name):
    """Raise `Wrong` where a solver returns the same after few and after many steps."""
    if same(early, late):
        raise Wrong(f"The result is the same after few and after many {name}: does your function use {name}?")


def expect_proof(answer, steps, needs, wrong):
    """Raise `Wrong` unless the answer names the steps of a proof, each after what it needs.

    Parameters
    ----------
    answer : object
        A text or a list of letters.
    steps : dict of str
        What is missing where a letter is left out, by letter.
    needs : dict of str
        The letters that must stand before a letter.
    wrong : dict of str
        The reason why a letter is not a step of the proof.
    """
    letters = answers.letters(answer, "b a d")
    if not letters:
        require_answer(...)
    allowed = {*steps, *wrong}
    for place, letter in enumerate(letters):
        if letter not in allowed:
            raise Wrong(f"Unknown step {letter!r}; the letters are {', '.join(sorted(allowed))}.")
        if letter in letters[:place]:
            raise Wrong(f"Step {letter} occurs twice; each is needed once at most.")
    for letter in letters:
        if letter in wrong:
            raise Wrong(f"Step {letter} does not hold or is not needed. {wrong[letter]}")
    for letter, missing in steps.items():
        if letter not in letters:
            raise Wrong(f"A step is missing. {missing}")
    for letter in letters:
        for other in needs.get(letter, ""):
            if letters.index(other) > letters.index(letter):
                raise Wrong(f"Step {letter} uses the result of step {other}, so {other} must come before it.")
