"""Random problems with losses that are infinite somewhere, or constraints on dual or weights, against CVXPY.

    python tests/long/random_infinite.py             400 problems, with a summary
    python tests/long/random_infinite.py 50 7        50 of them, with seed 7

A mismatch is a primal value that differs, a problem that one of the two calls infeasible and the other does
not, a certificate of the solution's own arrays that is not within the tolerance, or a ray that is wrong.
"""

import collections
import sys
import warnings

import cvxpy as cp
import numpy as np

import workbench as wb

TOLERANCE = 1e-6
# (formula, kind, domain), and the same for CVXPY: value and conditions of u.
LOSSES = {
    "hard margin": (("0", "margin", "u >= 1"), lambda u: (0, [u >= 1])),
    "hinge within": (
        ("max(0, 1 - u)", "margin", "u >= -0.5"),
        lambda u: (cp.sum(cp.pos(1 - u)), [u >= -0.5]),
    ),
    "interpolation": (("0", "residual", "u == 0"), lambda u: (0, [u == 0])),
    "tube": (("0", "residual", "abs(u) <= 0.1"), lambda u: (0, [cp.abs(u) <= 0.1])),
    "square within": (
        ("u**2/2", "residual", "abs(u) <= 0.5"),
        lambda u: (cp.sum_squares(u) / 2, [cp.abs(u) <= 0.5]),
    ),
    "one side": (("u**2", "residual", "u <= 0.2"), lambda u: (cp.sum_squares(u), [u <= 0.2])),
    "entropy": (("u*log(u)", "prediction", None), lambda u: (-cp.sum(cp.entr(u)), [])),
}
REGULARIZERS = {
    "squared-l2": lambda w: (cp.sum_squares(w) / 2, []),
    "elastic-net:epsilon=0.2": lambda w: (cp.sum_squares(w) / 2 + 0.2 * cp.norm1(w), []),
    "l1": lambda w: (cp.norm1(w), []),
    "l2": lambda w: (cp.norm2(w), []),
    "linf": lambda w: (cp.norm_inf(w), []),
    "bounded:radius=0.6": lambda w: (cp.sum_squares(w) / 2, [cp.abs(w) <= 0.6]),
    "entropy:mu=0.1": lambda w: (-cp.sum(cp.entr(w)) - cp.sum(w) * (1 + np.log(0.1)), []),
}


# Losses and regularizers of problems with constraints on the dual, with dual variables that loss takes.
FINITE = {
    "hinge": (lambda z, y: cp.sum(cp.pos(1 - cp.multiply(y, z))), lambda y, share: y * share),
    "squared": (lambda z, y: cp.sum_squares(z - y), lambda y, share: 2.0 * share - 1.0),
    "logistic": (lambda z, y: cp.sum(cp.logistic(-cp.multiply(y, z))), lambda y, share: y * share),
}


def constrained(rng):
    """Return a random problem with equations and bounds on the dual, what CVXPY minimizes, and a text."""
    name, text = rng.choice([*FINITE]), rng.choice(["squared-l2", "elastic-net:epsilon=0.2"])
    loss, dual = FINITE[name]
    n, d, r = int(rng.integers(4, 20)), int(rng.integers(2, 8)), int(rng.integers(1, 4))
    X, lam, C = rng.standard_normal((n, d)), 10.0 ** rng.uniform(-2, 0), rng.standard_normal((r, d))
    y, senses = np.sign(rng.standard_normal(n)), rng.choice(["==", "<=", "<="], r)
    met = C @ (X.T @ dual(y, rng.uniform(0.2, 0.8, n))) / (lam * n)
    b = met + (senses == "<=") * rng.choice([0.0, 0.1, 1.0, 10.0], r)
    problem = wb.Problem(X, y, name, text, lam, constraints=(C, b, senses.tolist()))
    w, s = cp.Variable(d), cp.Variable(r)
    value = loss(X @ (w + C.T @ s), y) / n + lam * (REGULARIZERS[text](w)[0] + s @ b)
    oracle = cp.Problem(cp.Minimize(value), [s[k] >= 0 for k in range(r) if senses[k] == "<="])
    return problem, oracle, f"{name}, {text}, n = {n}, d = {d}, {senses}, lam = {lam:.2g}"


# The regularizers of problems with constraints on the weights.
SMOOTH = ("squared-l2", "elastic-net:epsilon=0.2", "bounded:radius=0.6", "entropy:mu=0.1")


def limited(rng):
    """Return a random problem with constraints on the weights, some of them without a feasible point."""
    name, text = rng.choice([*FINITE]), rng.choice(SMOOTH)
    n, d, r = int(rng.integers(4, 20)), int(rng.integers(2, 8)), int(rng.integers(1, 4))
    X, A, lam = rng.standard_normal((n, d)), rng.standard_normal((r, d)), 10.0 ** rng.uniform(-2, 0)
    y, senses = np.sign(rng.standard_normal(n)), rng.choice(["==", "<=", "<="], r)
    y[:2], bias = (1.0, -1.0), bool(rng.random() < 0.4)
    # Met by weights where every g is finite, or by chance; more equations than weights meet nothing.
    inside = rng.uniform(0.05, 0.5, d)
    c = A @ inside if rng.random() < 0.6 else rng.standard_normal(r)
    c = c + (senses == "<=") * rng.choice([0.0, 0.1, 1.0, 10.0], r)
    pair = A, c, senses.tolist()
    w, b = cp.Variable(d), cp.Variable() if bias else 0.0
    g, domain = REGULARIZERS[text](w)
    rows = [A[k] @ w <= c[k] if senses[k] == "<=" else A[k] @ w == c[k] for k in range(r)]
    value = FINITE[name][0](X @ w + b, y) / n + lam * g
    oracle = cp.Problem(cp.Minimize(value), [*rows, *domain])
    said = f"weights, {name}, {text}, n = {n}, d = {d}, bias = {bias}, {senses}, lam = {lam:.2g}"
    try:
        return wb.Problem(X, y, name, text, lam, bias, weight_constraints=pair), oracle, said
    except wb.InfeasibleError as error:
        return (error, pair, text), oracle, said


def disproved(refusal, oracle):
    """Return what `compared` does for constraints that were refused, from the multipliers that prove it."""
    error, (A, c, senses), text = refusal
    low, high = {"bounded:radius=0.6": (-0.6, 0.6), "entropy:mu=0.1": (0.0, np.inf)}.get(
        text, (-np.inf, np.inf)
    )
    y, bounds = error.multipliers, np.array(senses) == "<="
    pulled = np.where(np.abs(A.T @ y) <= 1e-9, 0.0, A.T @ y)
    with np.errstate(invalid="ignore"):
        least = np.where(pulled == 0.0, 0.0, pulled * np.where(pulled > 0.0, low, high)).sum()
    proved = (y[bounds] >= 0.0).all() and least - y @ c > 1e-12 and np.isclose(least - y @ c, error.margin)
    oracle.solve(solver=cp.CLARABEL)
    agreed = oracle.status.startswith("infeasible")
    return ("infeasible", "") if proved and agreed else ("wrong", f"y {y}, CVXPY {oracle.status}")


def drawn(rng):
    """Return a random problem, what CVXPY minimizes, and a text of both."""
    kind = rng.random()
    if kind < 0.5:
        return constrained(rng) if kind < 0.25 else limited(rng)
    name, text = rng.choice([*LOSSES]), rng.choice([*REGULARIZERS])
    (formula, kind, domain), loss = LOSSES[name]
    n, d, bias = int(rng.integers(2, 12)), int(rng.integers(1, 14)), bool(rng.random() < 0.4)
    X = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-1, 1)
    true = rng.standard_normal(d) * (rng.random(d) < 0.7)
    z = X @ true + 0.3 * bias
    noise = (rng.random() < 0.3) * rng.standard_normal(n)
    y = np.where(z + noise >= 0.0, 1.0, -1.0) if kind == "margin" else z
    if kind == "margin" and len({*y}) < 2:
        y[0] = -y[-1] if n > 1 else 1.0
    if kind == "residual" and rng.random() < 0.5:
        y = y + 0.3 * rng.standard_normal(n)
    weight = rng.uniform(0.5, 2.0, n) if rng.random() < 0.3 else None
    lam = 10.0 ** rng.uniform(-3, 0)
    problem = wb.Problem(
        X, y, wb.losses.custom(formula, kind=kind, domain=domain), text, lam, bias, sample_weight=weight
    )
    w, b = cp.Variable(d), cp.Variable() if bias else 0.0
    u = {"margin": cp.multiply(y, X @ w + b), "residual": X @ w + b - y, "prediction": X @ w + b}[kind]
    c = np.ones(n) if weight is None else weight
    parts, conditions = zip(*(loss(u[i : i + 1]) for i in range(n)), strict=True)
    g, inside = REGULARIZERS[text](w)
    value = sum(float(c[i]) * part for i, part in enumerate(parts)) / n + lam * g
    oracle = cp.Problem(cp.Minimize(value), [*(c for some in conditions for c in some), *inside])
    return problem, oracle, f"{name}, {text}, n = {n}, d = {d}, bias = {bias}, lam = {lam:.2g}"


def compared(problem, oracle):
    """Return ("solved" | "infeasible" | "refused" | "unsolved" | "wrong", what differs)."""
    if isinstance(problem, tuple):
        return disproved(problem, oracle)
    try:
        best = oracle.solve(solver=cp.CLARABEL)
    except cp.SolverError as error:
        return "unsolved", f"CVXPY: {error}"
    if oracle.status.removesuffix("_inaccurate") not in (cp.OPTIMAL, cp.INFEASIBLE):
        return "unsolved", f"CVXPY: {oracle.status}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            solution = wb.solve(problem, tol=TOLERANCE, max_epochs=20_000)
        except wb.InputError as error:
            return ("refused" if "no solver accepts" in str(error) else "wrong"), str(error)
    if solution.gap < 0.0 or (solution.ray is None) != (solution.status != "infeasible"):
        return "wrong", f"gap {solution.gap}, status {solution.status}"
    if solution.status == "infeasible":
        twice = [wb.certificate(problem, alpha=t * solution.ray).dual for t in (1e3, 1e6)]
        proved = twice[1] > 100.0 * max(twice[0], 0.0) and twice[0] > 0.0
        agreed = oracle.status.startswith("infeasible")
        return (
            ("infeasible", "")
            if proved and agreed
            else ("wrong", f"ray {twice}, CVXPY {oracle.status} {best}")
        )
    if oracle.status.startswith("infeasible"):
        near = solution.status != "converged" and np.isinf(solution.primal)
        return ("unsolved" if near else "wrong"), f"CVXPY infeasible, here {solution}"
    if solution.status != "converged":
        return "unsolved", f"{solution.status}, gap {solution.relative_gap:.1e}: {solution.notice}"
    free = {"b": solution.b} if problem.free_bias else {}
    if problem.is_constrained:
        free["multipliers"] = solution.multipliers
    own = wb.certificate(problem, w=solution.w, alpha=solution.alpha, **free)
    if not own.relative_gap <= 1.01 * TOLERANCE:
        return "wrong", f"the certificate of its own arrays has a relative gap of {own.relative_gap:.1e}"
    if not abs(solution.primal - best) <= 1e-5 * max(abs(best), abs(solution.primal), 1e-3):
        return "wrong", f"{solution.primal!r}, CVXPY {best!r} ({oracle.status})"
    return "solved", ""


def main(count=400, seed=0):
    """Compare `count` problems and print a summary; return the number of mismatches."""
    counts, kinds = collections.Counter(), collections.Counter()
    for k in range(count):
        problem, oracle, text = drawn(np.random.default_rng([seed, k]))
        outcome, detail = compared(problem, oracle)
        counts[outcome] += 1
        kinds[text.split(",")[0] if text.startswith("weights") else "others"] += 1
        if outcome in ("wrong", "unsolved"):
            print(f"{outcome} {k}: {text}: {detail}", flush=True)
    print(f"{count} problems: " + ", ".join(f"{value} {name}" for name, value in sorted(counts.items())))
    print(f"{kinds['weights']} of them with constraints on the weights")
    return counts["wrong"]


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
