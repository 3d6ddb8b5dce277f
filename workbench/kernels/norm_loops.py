"""Compiled loops of norms: value, dual norm, Fenchel-Young terms, and the best multiple of a dual point.

A norm is what its `Penalty` says: share |w|_1, and a sum over groups, disjoint or in a tree.
"""

import math

from workbench.kernels.arrays import TREE, Penalty, Samples
from workbench.kernels.compilation import FLOAT, SCALAR_TYPE, VECTOR, WRITABLE, inline, lazy_jit
from workbench.kernels.group_loops import sparse_sizes, tree_pass
from workbench.kernels.sample_loops import sum_conjugates
from workbench.kernels.term_loops import CHUNK

# Brent's method takes the golden section where a parabola would not do, and takes this many steps at most.
GOLDEN = 0.5 * (3.0 - math.sqrt(5.0))
ROOT = math.sqrt(2.2e-16)
LOOKS = 500
# Where the sum falls over this last share of the range by more than rounding, its end is the best.
LAST, ROUNDING = 1e-7, 1e-14


@inline
def _size(values, lo, hi, largest):
    """Return the Euclidean norm of values[lo:hi] without overflow, or their largest magnitude."""
    top = square = 0.0
    for k in range(lo, hi):
        top = max(top, abs(values[k]))
    if largest or top == 0.0 or not top < math.inf:
        return top
    for k in range(lo, hi):
        share = values[k] / top
        square += share * share
    return top * math.sqrt(square)


@inline
def _sum_of_sizes(values, lo, hi):
    total = 0.0
    for k in range(lo, hi):
        total += abs(values[k])
    return total


def _dual_norm(penalty: Penalty, v: VECTOR, values: WRITABLE, sizes: WRITABLE) -> FLOAT:
    """Compute the dual norm of l1 or of disjoint groups; `values` (k,) and `sizes` (m,) are work space."""
    norm = 0.0
    if sizes.shape[0] == 0:
        return _size(v, 0, v.shape[0], True) / penalty.threshold
    for k in range(values.shape[0]):
        values[k] = v[penalty.order[k]]
    if penalty.threshold > 0.0:
        sparse_sizes(values, penalty.starts, penalty.group_weights, penalty.threshold, sizes)
    for g in range(sizes.shape[0]):
        lo, hi = penalty.starts[g], penalty.starts[g + 1]
        if penalty.threshold == 0.0:
            size = _sum_of_sizes(values, lo, hi) if penalty.largest else _size(values, lo, hi, False)
            sizes[g] = size / penalty.group_weights[g]
        norm = max(norm, sizes[g])
    return norm


@inline
def _plain_terms(penalty, w, v):
    """Return the sum of share |w_j| - w_j v_j with v_j cut to the share, and share |w|_1."""
    total = value = 0.0
    share = penalty.threshold
    for first in range(0, w.shape[0], CHUNK):
        part = size = 0.0
        for j in range(first, min(first + CHUNK, w.shape[0])):
            flat = min(max(v[j], -share), share)
            part += abs(w[j]) * (share - (flat if w[j] > 0.0 else -flat)) if w[j] != 0.0 else 0.0
            size += share * abs(w[j])
        total += part
        value += size
    return total, value


@inline
def _group_term(x, y, lo, hi, weight, largest):
    """Return the sum of weight |x| - x.y over a group, y in the dual ball of the weight, and weight |x|."""
    size = _size(x, lo, hi, largest)
    if largest:
        # max|x| (weight - |y|_1) + sum |y| (max|x| -+ x)
        term = size * max(weight - _sum_of_sizes(y, lo, hi), 0.0)
        for k in range(lo, hi):
            term += abs(y[k]) * (size - (x[k] if y[k] > 0.0 else -x[k])) if y[k] != 0.0 else 0.0
        return term, weight * size
    # |x| (weight - |y|) + |x| |y| |x/|x| - y/|y||^2 / 2
    dual, angle = _size(y, lo, hi, False), 0.0
    if size > 0.0 and dual > 0.0:
        for k in range(lo, hi):
            apart = x[k] / size - y[k] / dual
            angle += apart * apart
    return size * max(weight - dual, 0.0) + size * dual * 0.5 * angle, weight * size


def _terms(
    penalty: Penalty, w: VECTOR, v: VECTOR, x: WRITABLE, y: WRITABLE, left: WRITABLE
) -> tuple[FLOAT, FLOAT]:
    """Return the sums of g(w) - w.v for v in the dual ball, and g(w); `x`, `y` and `left` are space."""
    share, total, value = penalty.threshold, 0.0, 0.0
    if share > 0.0:
        total, value = _plain_terms(penalty, w, v)
    for j in range(left.shape[0]):
        # What the l1 part does not take is left to the groups.
        left[j] = v[j] - min(max(v[j], -share), share) if share > 0.0 else v[j]
    if penalty.kind == TREE:
        # The pass at tau = 1 splits v into one part a group, none longer than the group's weight.
        tree_pass(left, 1.0, penalty.order, penalty.starts, penalty.group_weights, y)
    else:
        for k in range(y.shape[0]):
            y[k] = left[penalty.order[k]]
    for k in range(x.shape[0]):
        x[k] = w[penalty.order[k]]
    for g in range(penalty.group_weights.shape[0]):
        term, size = _group_term(
            x, y, penalty.starts[g], penalty.starts[g + 1], penalty.group_weights[g], penalty.largest
        )
        total += term
        value += size
    return total, value


def _best_multiple(
    conjugate: SCALAR_TYPE, samples: Samples, alpha: VECTOR, farthest: FLOAT, precision: FLOAT
) -> FLOAT:
    """Minimize the sum of k(-s alpha_i), which is convex, over s in [0, farthest], by Brent's method.

    Source       Brent (1973), chapter 5; Brent's method never looks at the ends, so they are looked at first
    """
    n = alpha.shape[0]
    best = 0.0
    least = sum_conjugates(conjugate, samples, alpha, best, 0, n)
    for s in (min(1.0, farthest), farthest):
        value = sum_conjugates(conjugate, samples, alpha, s, 0, n)
        if value < least or not abs(least) < math.inf:
            best, least = s, value
    if best == farthest:
        value = sum_conjugates(conjugate, samples, alpha, (1.0 - LAST) * farthest, 0, n)
        if value - least > ROUNDING * abs(least):
            return best
    a, b = 0.0, farthest
    x = second = third = a + GOLDEN * (b - a)
    f_x = sum_conjugates(conjugate, samples, alpha, x, 0, n)
    f_second = f_third = f_x
    before = step = 0.0
    for _ in range(LOOKS):
        middle, near = 0.5 * (a + b), ROOT * abs(x) + precision / 3.0
        if abs(x - middle) <= 2.0 * near - 0.5 * (b - a):
            break
        golden = True
        if abs(before) > near:
            r, q = (x - second) * (f_x - f_third), (x - third) * (f_x - f_second)
            p = (x - third) * q - (x - second) * r
            q = 2.0 * (q - r)
            p, q = (-p if q > 0.0 else p), abs(q)
            previous, before = before, step
            if abs(p) < abs(0.5 * q * previous) and q * (a - x) < p < q * (b - x):
                step, golden = p / q, False
                if x + step - a < 2.0 * near or b - (x + step) < 2.0 * near:
                    step = near if middle >= x else -near
        if golden:
            before = a - x if x >= middle else b - x
            step = GOLDEN * before
        u = x + (max(abs(step), near) if step >= 0.0 else -max(abs(step), near))
        f_u = sum_conjugates(conjugate, samples, alpha, u, 0, n)
        if f_u <= f_x:
            a, b = (x, b) if u >= x else (a, x)
            third, f_third, second, f_second, x, f_x = second, f_second, x, f_x, u, f_u
        else:
            a, b = (u, b) if u < x else (a, u)
            if f_u <= f_second or second == x:
                third, f_third, second, f_second = second, f_second, u, f_u
            elif f_u <= f_third or third in (x, second):
                third, f_third = u, f_u
    return x if f_x < least or not abs(least) < math.inf else best


dual_norm = lazy_jit(_dual_norm)
terms = lazy_jit(_terms)
best_multiple = lazy_jit(_best_multiple)
