"""Wrong answers that students of lesson 11 plausibly give."""

import numpy as np

WRONG = {
    "11.1": (np.diag([1.0, 2.0]), np.array([[1.0, 2.0], [2.0, 4.0]]), np.eye(3), np.array([2.0, 1.0])),
    "11.2": (
        lambda q, w, lam: 0.0,
        lambda q, w, lam: (q - 1) * (w - lam),
        lambda q, w, lam: w - q * (w - lam),
    ),
    "11.3": (1.0, 0.0, -2.0),
    "11.4": ("eg", "abeg", "b", "bhg"),
}
