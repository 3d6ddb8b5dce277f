"""The losses, the regularizers and the certificate as the papers write them, to 50 digits: slow and obvious.

Names are those of the workbench, "hinge:p=2". A float's value is taken as it is, so 0.3 means the float
nearest to it.
"""

import mpmath

mpmath.mp.dps = 50
ZERO, INFINITE = mpmath.mpf(0), mpmath.inf


def parsed(name):
    """Return the kind and the numbers of a name."""
    kind, _, rest = name.partition(":")
    pairs = (part.split("=") for part in rest.split(",") if part)
    return kind, {key: mpmath.mpf(float(number)) for key, number in pairs}


def loss_value(name, z, y):
    """f(z, y); z is a list with r classes."""
    kind, numbers = parsed(name)
    if kind == "multinomial":
        return mpmath.log(mpmath.fsum(mpmath.exp(prediction - z[int(y)]) for prediction in z))
    r, short, p = z - y, max(ZERO, 1 - y * z), numbers.get("p", mpmath.mpf(1))
    if kind == "squared":
        return r**2
    if kind == "huber":
        delta = numbers.get("delta", 1)
        return r**2 / 2 if abs(r) <= delta else delta * abs(r) - delta**2 / 2
    if kind == "epsilon-insensitive":
        return max(abs(r) - numbers["epsilon"], ZERO) ** p / p
    if kind == "logistic":
        return mpmath.log1p(mpmath.exp(-y * z))
    if kind == "smoothed-hinge":
        width = numbers.get("width", mpmath.mpf(1))
        return short**2 / (2 * width) if short <= width else short - width / 2
    p = mpmath.mpf(2) if kind == "squared-hinge" else p
    return short**p / p


def loss_conjugate(name, alpha, y):
    """k(-alpha, y), infinite off its domain, from docs/mathematics.md section 2."""
    kind, numbers = parsed(name)
    b, size, p = alpha * y, abs(alpha), numbers.get("p", mpmath.mpf(1))
    if kind == "squared":
        return alpha**2 / 4 - b
    if kind == "huber":
        return alpha**2 / 2 - b if size <= numbers.get("delta", 1) else INFINITE
    if kind == "epsilon-insensitive":
        return numbers["epsilon"] * size + power_conjugate(size, p) - b
    if kind == "negative-log":
        return -1 - mpmath.log(alpha / y) if b > 0 else INFINITE
    if kind == "logistic":
        return entropy(b) + entropy(1 - b) if 0 <= b <= 1 else INFINITE
    if kind == "smoothed-hinge":
        return numbers.get("width", 1) * b**2 / 2 - b if 0 <= b <= 1 else INFINITE
    p = mpmath.mpf(2) if kind == "squared-hinge" else p
    return power_conjugate(b, p) - b if b >= 0 else INFINITE


def power_conjugate(x, p):
    """The conjugate of max(0, u)^p / p at x >= 0."""
    if p == 1:
        return ZERO if x <= 1 else INFINITE
    return x ** dual_exponent(p) / dual_exponent(p)


def dual_exponent(p):
    return p / (p - 1)


def entropy(x):
    return x * mpmath.log(x) if x > 0 else ZERO


def norm(values, p):
    if p == INFINITE:
        return max(map(abs, values))
    return mpmath.fsum(abs(x) ** p for x in values) ** (1 / mpmath.mpf(p))


def grouped(values, numbers):
    """The l2 norms of the groups of `size` neighbours."""
    size = int(numbers["size"])
    return [norm(values[k : k + size], 2) for k in range(0, len(values), size)]


def regularizer_value(name, w):
    """g(w); the sum of w and its box are taken for granted."""
    kind, numbers = parsed(name)
    mu = numbers.get("mu")
    return {
        "squared-l2": lambda: mpmath.fsum(x**2 for x in w) / 2,
        "elastic-net": lambda: mpmath.fsum(numbers["epsilon"] * abs(x) + x**2 / 2 for x in w),
        "entropy": lambda: mpmath.fsum(x * mpmath.log(x / (mpmath.e * mu)) if x else ZERO for x in w),
        "normalized-entropy": lambda: mpmath.fsum(x * mpmath.log(x / mu) if x else ZERO for x in w),
        "q-norm": lambda: norm(w, numbers["q"]) ** numbers.get("power", 2) / numbers.get("power", 2),
        "p-norm": lambda: norm(w, numbers["p"]) ** 2 / (2 * (numbers["p"] - 1)),
        "bounded": lambda: mpmath.fsum(x**2 for x in w) / 2,
        "l1": lambda: norm(w, 1),
        "l2": lambda: norm(w, 2),
        "linf": lambda: norm(w, INFINITE),
        "group-l1l2": lambda: mpmath.fsum(grouped(w, numbers)),
    }[kind]()


def regularizer_conjugate(name, v, mu=None):
    """h(v); `mu` holds one number for each weight, where those of an entropy differ."""
    kind, numbers = parsed(name)
    if kind in ("entropy", "normalized-entropy"):
        mu = list(map(mpmath.mpf, mu)) if mu else [numbers["mu"]] * len(v)
        value = mpmath.fsum(m * mpmath.exp(x) for m, x in zip(mu, v, strict=True))
        return value if kind == "entropy" else mpmath.fsum(mu) * mpmath.log(value / mpmath.fsum(mu))
    if kind == "q-norm":
        return power_conjugate(norm(v, dual_exponent(numbers["q"])), numbers.get("power", mpmath.mpf(2)))
    if kind == "p-norm":
        size, bend = norm(v, dual_exponent(numbers["p"])), numbers["p"] - 1
        ball = numbers.get("ball", INFINITE)
        return bend * size**2 / 2 if bend * size <= ball else ball * size - ball**2 / (2 * bend)
    if kind in ("squared-l2", "elastic-net"):
        return mpmath.fsum(max(abs(x) - numbers.get("epsilon", 0), ZERO) ** 2 for x in v) / 2
    if kind == "bounded":
        return mpmath.fsum(x * y - y**2 / 2 for x, y in zip(v, transfer(name, v), strict=True))
    dual_norms = {
        "l1": lambda: norm(v, INFINITE),
        "l2": lambda: norm(v, 2),
        "linf": lambda: norm(v, 1),
        "group-l1l2": lambda: max(grouped(v, numbers)),
    }
    return ZERO if dual_norms[kind]() <= 1 else INFINITE


def transfer(name, v):
    """w = grad h(v), Zhang (9)."""
    kind, numbers = parsed(name)
    if kind == "q-norm":
        p, dual_power = dual_exponent(numbers["q"]), dual_exponent(numbers.get("power", mpmath.mpf(2)))
        size = norm(v, p)
        return [mpmath.sign(x) * abs(x) ** (p - 1) * size ** (dual_power - p) if size else ZERO for x in v]
    if kind == "normalized-entropy":
        total, weights = len(v) * numbers["mu"], [mpmath.exp(x) for x in v]
        return [total * weight / mpmath.fsum(weights) for weight in weights]
    if kind == "entropy":
        return [numbers["mu"] * mpmath.exp(x) for x in v]
    if kind == "bounded":
        return [min(max(x, -numbers["radius"]), numbers["radius"]) for x in v]
    return [mpmath.sign(x) * max(abs(x) - numbers.get("epsilon", 0), ZERO) for x in v]


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
