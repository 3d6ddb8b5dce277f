"""Maximal violating pairs as List et al. (section 3.3) state them: plain, first order, one pair a step."""

import numpy as np


def maximal_violating_pair(K, y, C, tol=1e-3, max_steps=100_000, every=1):
    """Yields (a, t_hat - b_hat) before each `every`-th step and at the end, where it is at most `tol`."""
    n = y.shape[0]
    a, f = np.zeros(n), np.zeros(n)
    for step in range(max_steps + 1):
        m = f - y
        top = np.where(y > 0, a > 0.0, a < C)
        bottom = np.where(y > 0, a < C, a > 0.0)
        i = int(np.argmax(np.where(top, m, -np.inf)))
        j = int(np.argmin(np.where(bottom, m, np.inf)))
        done = m[i] - m[j] <= tol or step == max_steps
        if done or step % every == 0:
            yield a.copy(), m[i] - m[j]
        if done:
            return
        # Along a_i -= y_i s, a_j += y_j s the objective falls with slope m_i - m_j, y.a stays zero.
        curvature = K[i, i] + K[j, j] - 2.0 * K[i, j]
        room_i = a[i] if y[i] > 0 else C - a[i]
        room_j = C - a[j] if y[j] > 0 else a[j]
        size = (m[i] - m[j]) / curvature if curvature > 0.0 else np.inf
        size = min(size, room_i, room_j)
        a[i] -= y[i] * size
        a[j] += y[j] * size
        # The end that was reached is met exactly, or rounding leaves a pair that cannot move.
        a[i] = min(max(a[i], 0.0), C) if size < room_i else (0.0 if y[i] > 0 else C)
        a[j] = min(max(a[j], 0.0), C) if size < room_j else (C if y[j] > 0 else 0.0)
        f += size * (K[:, j] - K[:, i])
