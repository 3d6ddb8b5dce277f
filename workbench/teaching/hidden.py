"""Cases that no notebook shows: the arguments of a checker's own cases, redrawn from a seed."""

import contextlib
import contextvars

import numpy as np

_SEED = contextvars.ContextVar("seed", default=None)
# Exponents near 1 would leave the numbers within the tolerance of the old ones.
SMALLER, LARGER = (1.2, 1.6), (0.6, 0.8)
ROUNDS = 2


@contextlib.contextmanager
def cases_from(seed):
    """Within it, checkers judge by redrawn cases beside their own."""
    token = _SEED.set(seed)
    try:
        yield
    finally:
        _SEED.reset(token)


def with_hidden(inputs, redraw=None):
    """Return the cases of a checker, with hidden ones where a locked cell asks for them.

    Parameters
    ----------
    inputs : list of tuple
    redraw : callable, optional
        (arguments, random generator) -> other arguments, where `redrawn` would leave what the exercise is on.
    """
    seed = _SEED.get()
    if seed is None:
        return list(inputs)
    rng = np.random.default_rng(seed)
    draw = redraw or redrawn
    return [*inputs, *(draw(arguments, rng) for _ in range(ROUNDS) for arguments in inputs)]


def redrawn(arguments, rng):
    """Other arguments of the same kind.

    One increasing odd function that keeps the whole numbers is applied to all floats: labels, signs, orders,
    ties, boxes, domains with whole ends and symmetric matrices stay what they are. So do counts, texts and
    functions.
    """
    exponent = rng.uniform(*(SMALLER if rng.random() < 0.5 else LARGER))

    def vary(value):
        if isinstance(value, float | np.floating):
            return float(_bent(value, exponent))
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            return _bent(value, exponent)
        if isinstance(value, tuple | list):
            return type(value)(map(vary, value))
        return value

    return tuple(map(vary, arguments))


def _bent(value, exponent):
    size = np.abs(value)
    with np.errstate(invalid="ignore"):
        whole = np.floor(size)
        return np.where(np.isfinite(value), np.sign(value) * (whole + (size - whole) ** exponent), value)
