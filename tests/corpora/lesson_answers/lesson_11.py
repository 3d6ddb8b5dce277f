"""Wrong answers that students of lesson 11 plausibly give."""

import numpy as np


def referee(p, q, us, vs, ends=True, relative=True, tol=1e-3, signed=False, infinite=True, size=np.max):
    """Compare a claim with the supremum on a grid: True where it differs, slope by slope."""
    verdicts = []
    for v in vs:
        values = us * v - p(us)
        true = np.inf if ends and np.argmax(values) in (0, len(us) - 1) else size(values)
        claim = q(v)
        if np.isinf(true) or np.isinf(claim):
            verdicts.append(infinite and true != claim)
            continue
        off = true - claim if signed else abs(true - claim)
        verdicts.append(off > tol * (1 + abs(claim) if relative else 1))
    return verdicts


WRONG = {
    "11.1": (np.diag([1.0, 2.0]), np.array([[1.0, 2.0], [2.0, 4.0]]), np.eye(3), np.array([2.0, 1.0])),
    "11.2": (
        lambda q, w, lam: 0.0,
        lambda q, w, lam: (q - 1) * (w - lam),
        lambda q, w, lam: w - q * (w - lam),
    ),
    "11.3": (1.0, 0.0, -2.0),
    "11.4": ("eg", "abeg", "b", "bhg"),
    "11.5": (
        lambda *args: referee(*args, ends=False),
        lambda *args: referee(*args, tol=1e-9),
        lambda *args: referee(*args, tol=1.0),
        lambda *args: referee(*args, relative=False),
        lambda *args: referee(*args, signed=True),
        lambda *args: referee(*args, infinite=False),
        lambda *args: referee(*args, size=np.min),
        lambda *args: [not verdict for verdict in referee(*args)],
        lambda *args: any(referee(*args)),
        lambda p, q, us, vs: [False] * len(vs),
        lambda p, q, us, vs: [True] * len(vs),
        lambda p, q, us, vs: referee(q, p, us, vs),
        lambda p, q, us, vs: referee(p, q, us, vs)[:3],
    ),
}
RIGHT = {
    "11.5": (
        lambda *args: referee(*args),
        lambda *args: np.array(referee(*args)),
        lambda *args: np.array(referee(*args), dtype=float),
    ),
}
