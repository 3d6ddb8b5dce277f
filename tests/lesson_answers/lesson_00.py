"""Wrong answers that students of lesson 0 plausibly give."""

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
}
