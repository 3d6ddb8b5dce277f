"""Compiled steps of the multipliers between passes over the samples, Zhang's Algorithms 2 and 3."""

from typing import NamedTuple

from workbench.kernels.compilation import FLOAT, VECTOR, WRITABLE, inline, lazy_jit

# The inner problem counts as solved once its gap is this share of what the step of s promises, or within a
# tolerance which begins as that share of the loss and falls by that factor with every step of s or mu.
INNER_SHARE, INNER_FACTOR = 0.1, 0.3
# Zhang's test: C v - b has to halve, else mu falls to a quarter; below the last it stays.
HALF, QUARTER, LEAST_MU = 0.5, 0.25, 1e-12
# Over this many steps of s, an unstable one turns back this often, does not shrink below that share, and
# takes steps of that size beside s.
WINDOW, TURNS, SHRUNK, LARGE = 20, 0.4, 0.9, 1e-3

# The places of State.numbers.
MU, LAST, TOLERANCE, TOLD, TAKEN, TURNED, PATH, PATH_BEFORE, GENERAL = range(9)


class Multipliers(NamedTuple):
    """The arrays of a state that the steps change."""

    s: WRITABLE
    pull: WRITABLE
    moved: WRITABLE
    numbers: WRITABLE


def _renew(state: Multipliers, residual: VECTOR, lam_n: FLOAT) -> None:
    """Recompute the pull from s and the residual, without the rounding of its steps."""
    s, pull, _, numbers = state
    for k in range(s.shape[0]):
        pull[k] = s[k] + lam_n / numbers[MU] * residual[k]


def _move(state: Multipliers, residual: VECTOR, lam_n: FLOAT, eta: FLOAT) -> None:
    """(31), a step of the multipliers by eta (lam n / mu) (C v - b); a look at whether such steps die out."""
    s, _, moved, numbers = state
    turned = longest = largest = 0.0
    for k in range(s.shape[0]):
        step = eta * lam_n / numbers[MU] * residual[k]
        turned += step * moved[k]
        moved[k] = step
        s[k] += step
        longest, largest = max(longest, abs(step)), max(largest, abs(s[k]))
    numbers[TURNED] += turned < 0.0
    numbers[PATH] += longest
    numbers[TAKEN] += 1.0
    if numbers[TAKEN] < WINDOW:
        return
    large = numbers[PATH] > LARGE * WINDOW * max(1.0, largest)
    lasting = numbers[PATH] > SHRUNK * numbers[PATH_BEFORE] > 0.0
    numbers[TOLD] = large and lasting and numbers[TURNED] > TURNS * WINDOW
    numbers[PATH_BEFORE] = numbers[PATH]
    numbers[TAKEN] = numbers[TURNED] = numbers[PATH] = 0.0


_inner_renew, _inner_move = inline(_renew), inline(_move)


def _settle(state: Multipliers, residual: VECTOR, lam_n: FLOAT, lam: FLOAT, gap: FLOAT) -> None:
    """If the inner problem is solved to this gap, take a step of s or of mu, and renew the pull."""
    numbers = state.numbers
    square = size = 0.0
    for component in residual:
        square, size = square + component * component, max(size, abs(component))
    solved = gap <= INNER_SHARE * (0.5 * lam * lam_n / numbers[MU] * square)
    if not solved and gap > numbers[TOLERANCE]:
        return
    numbers[TOLERANCE] = min(numbers[TOLERANCE], INNER_FACTOR * gap)
    # Only an inner problem that is solved well says that mu is too large.
    if solved and size > HALF * numbers[LAST] and numbers[MU] > LEAST_MU:
        numbers[MU] *= QUARTER
    else:
        _inner_move(state, residual, lam_n, 1.0)
    numbers[LAST] = size
    _inner_renew(state, residual, lam_n)


renew, move, settle = map(lazy_jit, (_renew, _move, _settle))
