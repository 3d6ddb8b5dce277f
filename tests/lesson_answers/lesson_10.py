"""Wrong answers that students of lesson 10 plausibly give."""

import numpy as np

WRONG = {
    "10.1": ("max(4*u, -u)", "abs(u)", "max(0, -4*u)", "min(u, -4*u)", "max(u, -4*u"),
    "10.2": (
        lambda v: 1 - np.sqrt(1 - v**2),
        lambda v: -np.sqrt(1 - v**2) if abs(v) <= 1 else np.inf,
        lambda v: 1 - np.sqrt(1 - v**2) if abs(v) < 1 else np.inf,
    ),
    "10.3": (np.sinh, np.arctan, np.arccosh),
    "10.4": ("abs(u) + u**2/2", "0.5*abs(u) + u**2", "u**2/2", "max(abs(u) - 0.5, 0)**2 / 2"),
}
