"""Wrong answers that students of lesson 5 plausibly give."""

import numpy as np

WRONG = {
    "5.1": (
        lambda alpha_i, y_i, c2, c1: alpha_i + (y_i - c2) / c1,
        lambda alpha_i, y_i, c2, c1: np.clip(alpha_i + (y_i - c2) / c1, 0, 1),
        lambda alpha_i, y_i, c2, c1: y_i * np.clip((alpha_i + (y_i - c2) / (c1 + 1)) * y_i, 0, 1),
    ),
    "5.2": (
        lambda v, x, y, eta, transfer: v + eta * y * x,
        lambda v, x, y, eta, transfer: v + eta * y * x if y * (v @ x) <= 0 else v,
        lambda v, x, y, eta, transfer: v + eta * y * x if y * (transfer(v) @ x) < 0 else v,
        lambda v, x, y, eta, transfer: v + eta * x if y * (transfer(v) @ x) <= 0 else v,
        lambda v, x, y, eta, transfer: y * (transfer(v) @ x),
    ),
    "5.3": (
        lambda w, x, y, eta: w + eta * y * x,
        lambda w, x, y, eta: w * np.exp(eta * x),
        lambda w, x, y, eta: w * np.exp(-eta * y * x),
    ),
    "5.4": (
        lambda alpha_i, y_i, z_i, eta, lam_n: alpha_i - eta * lam_n * (z_i - y_i),
        lambda alpha_i, y_i, z_i, eta, lam_n: y_i * np.clip(y_i * (alpha_i - eta * (z_i - y_i)), 0, 1),
    ),
}
