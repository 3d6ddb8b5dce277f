"""Wrong answers that students of lesson 0 plausibly give."""

import numpy as np


def translated(C, dual_coef, support, intercept, n, scale=lambda C, n: 1 / C, lam=lambda C, n: 1 / (C * n)):
    alpha = np.zeros(n)
    alpha[support] = dual_coef * scale(C, n)
    return lam(C, n), alpha, intercept


WRONG = {
    "0.1": (lambda C, n: 1 / C, lambda C, n: C * n, lambda C, n: n / C, lambda C: 1 / C),
    "0.2": (
        lambda alpha, y, lam, n: alpha / (lam * n),
        lambda alpha, y, lam, n: alpha * y,
        lambda alpha, y, lam, n: (alpha * y).sum() / (lam * n),
    ),
    "0.3": (
        lambda alpha: alpha / (2 * len(alpha)),
        lambda alpha: -alpha / len(alpha),
        lambda alpha: -alpha / 2,
    ),
    "0.4": (lambda sigma, p: sigma, lambda sigma, p: sigma * (p - 1), lambda sigma, p: sigma / (2 * (p - 1))),
    "0.5": (
        lambda *args: translated(*args, lam=lambda C, n: C * n),
        lambda *args: translated(*args, lam=lambda C, n: 1 / C),
        lambda *args: translated(*args, lam=lambda C, n: C / n),
        lambda *args: translated(*args, scale=lambda C, n: 1.0),
        lambda *args: translated(*args, scale=lambda C, n: C),
        lambda *args: translated(*args, scale=lambda C, n: -1 / C),
        lambda *args: translated(*args, scale=lambda C, n: 1 / (C * n)),
        lambda C, coef, *args: translated(C, np.abs(coef), *args),
        lambda C, coef, support, b, n: translated(C, coef, np.arange(len(coef)), b, n),
        lambda C, coef, support, b, n: translated(C, coef, support, -b, n),
        lambda C, coef, support, b, n: (1 / (C * n), coef / C, b),
        lambda *args: translated(*args)[:2],
        lambda C, coef, support, b, n: translated(C, coef[::-1], support, b, n),
    ),
}
RIGHT = {
    "0.5": (
        lambda *args: translated(*args),
        lambda *args: list(translated(*args)),
        lambda C, coef, support, b, n: (
            1 / n / C,
            [dict(zip(support, coef / C, strict=True)).get(i, 0.0) for i in range(n)],
            np.array(b),
        ),
    ),
}
