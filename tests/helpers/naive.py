"""The losses, the regularizers and the certificate as the papers write them, to 50 digits: slow and obvious.

Names are those of `cases`. A float's value is taken as it is, so 0.3 means the float nearest to it.
"""

import mpmath

mpmath.mp.dps = 50
HALF = mpmath.mpf(1) / 2


def loss_value(loss, z, y):
    """f(z, y)."""
    r, m = z - y, z * y
    short = max(0, 1 - m)
    outside = max(0, abs(r) - mpmath.mpf(0.3))
    return {
        "squared": lambda: r**2,
        "epsilon-insensitive:epsilon=0.3": lambda: outside,
        "epsilon-insensitive:epsilon=0.3,p=2": lambda: outside**2 / 2,
        "huber": lambda: r**2 / 2 if abs(r) <= 1 else abs(r) - HALF,
        "hinge": lambda: short,
        "squared-hinge": lambda: short**2 / 2,
        "smoothed-hinge": lambda: short**2 / 2 if m >= 0 else HALF - m,
        "logistic": lambda: mpmath.log1p(mpmath.exp(-m)),
    }[loss]()


def loss_conjugate(loss, alpha, y):
    """k(-alpha, y), infinite off its domain, from docs/mathematics.md section 2."""
    b, size, infinite = alpha * y, abs(alpha), mpmath.inf

    def entropy(x):
        return x * mpmath.log(x) if x > 0 else mpmath.mpf(0)

    return {
        "squared": lambda: alpha**2 / 4 - b,
        "epsilon-insensitive:epsilon=0.3": lambda: mpmath.mpf(0.3) * size - b if size <= 1 else infinite,
        "epsilon-insensitive:epsilon=0.3,p=2": lambda: mpmath.mpf(0.3) * size + size**2 / 2 - b,
        "huber": lambda: alpha**2 / 2 - b if size <= 1 else infinite,
        "hinge": lambda: -b if 0 <= b <= 1 else infinite,
        "squared-hinge": lambda: size**2 / 2 - b if b >= 0 else infinite,
        "smoothed-hinge": lambda: b**2 / 2 - b if 0 <= b <= 1 else infinite,
        "logistic": lambda: entropy(b) + entropy(1 - b) if 0 <= b <= 1 else infinite,
    }[loss]()


def regularizer_value(name, w):
    """g(w); the constraint sum w = A of the normalized entropy is taken for granted."""
    if name.startswith("q-norm"):
        q, power = exponents(name)
        return mpmath.fsum(abs(x) ** q for x in w) ** (power / q) / power
    return mpmath.fsum(
        {
            "squared-l2": lambda x: x**2 / 2,
            "elastic-net:epsilon=0.2": lambda x: mpmath.mpf(0.2) * abs(x) + x**2 / 2,
            "entropy:mu=0.3": lambda x: x * mpmath.log(x / (mpmath.e * mpmath.mpf(0.3))) if x else 0,
            "normalized-entropy:mu=0.3": lambda x: x * mpmath.log(x / mpmath.mpf(0.3)) if x else 0,
        }[name](x)
        for x in w
    )


def regularizer_conjugate(name, v):
    """h(v)."""
    if name.startswith("q-norm"):
        p, dual_power = (1 / (1 - 1 / exponent) for exponent in exponents(name))
        return mpmath.fsum(abs(x) ** p for x in v) ** (dual_power / p) / dual_power
    if name == "normalized-entropy:mu=0.3":
        mu, total = mpmath.mpf(0.3), len(v) * mpmath.mpf(0.3)
        return total * mpmath.log(mpmath.fsum(mu / total * mpmath.exp(x) for x in v))
    return mpmath.fsum(
        {
            "squared-l2": lambda x: x**2 / 2,
            "elastic-net:epsilon=0.2": lambda x: max(abs(x) - mpmath.mpf(0.2), 0) ** 2 / 2,
            "entropy:mu=0.3": lambda x: mpmath.mpf(0.3) * mpmath.exp(x),
        }[name](x)
        for x in v
    )


def transfer(name, v):
    """w = grad h(v), Zhang (9)."""
    if name.startswith("q-norm"):
        p, dual_power = (1 / (1 - 1 / exponent) for exponent in exponents(name))
        norm = mpmath.fsum(abs(x) ** p for x in v) ** (1 / p)
        if not norm:
            return [mpmath.mpf(0) for _ in v]
        return [mpmath.sign(x) * abs(x) ** (p - 1) * norm ** (dual_power - p) for x in v]
    if name == "normalized-entropy:mu=0.3":
        total, weights = len(v) * mpmath.mpf(0.3), [mpmath.exp(x) for x in v]
        return [total * weight / mpmath.fsum(weights) for weight in weights]
    return [
        {
            "squared-l2": lambda x: x,
            "elastic-net:epsilon=0.2": lambda x: mpmath.sign(x) * max(abs(x) - mpmath.mpf(0.2), 0),
            "entropy:mu=0.3": lambda x: mpmath.mpf(0.3) * mpmath.exp(x),
        }[name](x)
        for x in v
    ]


def exponents(name):
    """q and power of "q-norm:q=...,power=...", power 2 where it is not given."""
    parameters = dict(item.split("=") for item in name.partition(":")[2].split(","))
    return mpmath.mpf(float(parameters["q"])), mpmath.mpf(float(parameters.get("power", 2)))


def exact(array):
    """The floats of an array as numbers of 50 digits."""
    return [mpmath.mpf(float(x)) for x in array]


def objectives(loss, regularizer, lam, X, y, weight, w, alpha):
    """P(w) and D(alpha), Zhang (2) and (8), from dense rows."""
    X, w, alpha, y, weight = [exact(row) for row in X], exact(w), exact(alpha), exact(y), exact(weight)
    n, lam = len(y), mpmath.mpf(lam)
    z = [mpmath.fdot(row, w) for row in X]
    v = [mpmath.fdot(column, alpha) / (lam * n) for column in zip(*X, strict=True)]
    value = mpmath.fsum(c * loss_value(loss, a, b) for c, a, b in zip(weight, z, y, strict=True))
    dual = mpmath.fsum(c * loss_conjugate(loss, a / c, b) for c, a, b in zip(weight, alpha, y, strict=True))
    primal = value / n + lam * regularizer_value(regularizer, w)
    return primal, dual / n + lam * regularizer_conjugate(regularizer, v)
