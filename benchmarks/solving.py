"""The cost of a step, an epoch, a solve and a certificate, beside the least work of any method."""

import statistics
import time

from timing import RUNS, line, seconds

# Epochs to a timing, so that the call of a kernel, 0.2 ms, does not count as one's work.
EPOCHS = 10

REGULARIZERS = {
    "squared-l2": None,
    "elastic-net:epsilon=0.1": None,
    "entropy:mu=0.001": "balanced",
    "normalized-entropy:mu=0.001": "balanced",
    "q-norm:q=1.5": None,
}


def reuters_acq():
    """Return the task, or None where WORKBENCH_DATA does not have it: a benchmark downloads nothing."""
    import workbench as wb

    if wb.data.locate("reuters21578") is None:
        print("reuters21578 is not here: set WORKBENCH_DATA to the folder that has it")
        return None
    return wb.data.load("reuters21578", category="acq")


def reuters():
    import workbench as wb

    task = reuters_acq()
    if task is None:
        return
    for regularizer, embed in REGULARIZERS.items():
        problem = wb.Problem(task.X, task.y, "hinge", regularizer, lam=1e-3, embed=embed)
        runs = [wb.solve(problem, tol=1e-3, max_epochs=2000) for _ in range(RUNS)]
        spent = statistics.median(run.seconds for run in runs)
        note = f"{runs[0].epochs:.0f} epochs, {runs[0].status}, relative gap {runs[0].relative_gap:.1e}"
        line(f"solve reuters acq, hinge, {regularizer}, lam 1e-3", seconds(spent), note)


def dot_and_axpy(order, indptr, indices, data, w):
    for i in order:
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * w[indices[k]]
        for k in range(indptr[i], indptr[i + 1]):
            w[indices[k]] += 1e-12 * total * data[k]


def epoch():
    """Print a gradient epoch over the least work of any coordinate method on a row."""
    import numba
    import numpy as np

    import workbench as wb

    task = reuters_acq() or wb.data.load("zhang-artificial", d=500, n=4000)
    for regularizer, embed in REGULARIZERS.items():
        # Every step of the logistic loss moves, so no row is skipped.
        problem = wb.Problem(task.X, task.y, "logistic", regularizer, lam=1e-3, embed=embed)
        run = wb.Run(problem, wb.solvers.GaussSeidel(update="gradient", eta=1e-3))
        run.epoch()
        order = np.random.default_rng(0).permutation(problem.n_samples).astype(np.uint32)
        arguments = (order, *problem.row_arrays, np.ones(problem.rows.shape[1]))
        bare = numba.njit(error_model="numpy")(dot_and_axpy)
        bare(*arguments)
        steps, passes = [], []
        for _ in range(RUNS):
            before = run.seconds
            run.epoch(EPOCHS)
            steps.append((run.seconds - before) / EPOCHS)
            started = time.perf_counter()
            for _ in range(EPOCHS):
                bare(*arguments)
            passes.append((time.perf_counter() - started) / EPOCHS)
        spent, least = statistics.median(steps), statistics.median(passes)
        note = f"{1e3 * spent:.2f} ms, a bare dot-and-axpy pass {1e3 * least:.2f} ms"
        line(f"gradient epoch, logistic, {regularizer}", f"{spent / least:.2f} x", note)


# certificate: what it costs beside the two products with the data that nothing can do without
def milliseconds(measure, *arguments):
    """Return the median of many runs, since one takes a millisecond."""
    measure(*arguments)
    spent = []
    for _ in range(10 * RUNS + 1):
        started = time.perf_counter()
        measure(*arguments)
        spent.append(time.perf_counter() - started)
    return 1e3 * statistics.median(spent)


def certificate():
    """Certificates over a bare Xw and a bare X'alpha: of dual variables, and of weights alone."""
    import workbench as wb
    from workbench.certificates import certify

    task = reuters_acq() or wb.data.load("zhang-artificial", d=500, n=4000)
    for regularizer, embed in REGULARIZERS.items():
        for loss, bias in (("hinge", False), ("logistic", False), ("hinge", True)):
            fixed = wb.Problem(task.X, task.y, loss, regularizer, lam=1e-3, embed=embed)
            solution = wb.solve(fixed, tol=1e-2)
            problem = wb.Problem(task.X, task.y, loss, regularizer, lam=1e-3, embed=embed, bias=bias)
            X, w = problem.rows, solution.w_embedded
            alpha = wb.certificate(problem, alpha=solution.alpha).alpha
            least = milliseconds(lambda X=X, w=w: X @ w) + milliseconds(lambda X=X, a=alpha: X.T @ a)
            of_alpha = milliseconds(lambda p=problem, a=alpha: certify(p, alpha=a))
            of_w = milliseconds(lambda p=problem, w=w: certify(p, w=w))
            thorough = milliseconds(lambda p=problem, w=w: certify(p, w=w, thorough=True))
            note = (
                f"{of_alpha:.2f} ms, both passes {least:.2f} ms; of weights alone {of_w / least:.2f} x, "
                f"thorough {thorough / least:.0f} x"
            )
            line(f"certificate, {loss}, {regularizer}, bias={bias}", f"{of_alpha / least:.2f} x", note)


# svm: a million breakpoints
def svm():
    import numpy as np

    from workbench.certificates.gaps import svm_from_predictions

    rng = np.random.default_rng(0)
    y = np.where(rng.random(10**6) < 0.3, 1.0, -1.0)
    arguments = (rng.normal(size=10**6), y, 1.0, np.zeros(10**6))
    spent = milliseconds(svm_from_predictions, *arguments) / 1e3
    line("gap of the SVM, a million breakpoints", seconds(spent))


# primal: a step of the Primal Gradient Solver, by its exponent and by the number of columns
def nanoseconds(problem, solver, steps):
    """Return the median of a step."""
    import workbench as wb

    run = wb.Run(problem, solver)
    run.step(steps)
    spent = []
    for _ in range(2 * RUNS + 1):
        before = run.seconds
        run.step(steps)
        spent.append(run.seconds - before)
    return 1e9 * statistics.median(spent) / steps


def wide(d, n=2000, row=50, used=1000):
    """Rows of 50 non-zeros in the same thousand columns, spread over d."""
    import numpy as np
    import scipy.sparse as sp

    rng = np.random.default_rng(0)
    columns = np.sort([rng.choice(used, row, replace=False) for _ in range(n)], axis=1) * (d // used)
    entries = rng.normal(size=n * row), columns.ravel(), np.arange(0, n * row + 1, row)
    return sp.csr_array(entries, shape=(n, d)), np.where(rng.random(n) < 0.5, -1.0, 1.0)


def primal():
    """Cost of a step: p = 1.8 over p = 2, and a million columns over a thousand."""
    import workbench as wb

    for output in ("last", "average"):
        solver = wb.solvers.PrimalGradient(output=output)
        for name in ("a9a", "news20"):
            if wb.data.locate(name) is None:
                print(f"{name} is not here: set WORKBENCH_DATA to the folder that has it")
                continue
            task = wb.data.load(name)
            two, other = (
                nanoseconds(wb.Problem(task.X, task.y, "logistic", f"p-norm:p={p}", 1e-4), solver, 50_000)
                for p in (2, 1.8)
            )
            note = f"{other:.0f} ns, p = 2 {two:.0f} ns"
            line(f"step, {name}, logistic, p = 1.8 over p = 2, {output}", f"{other / two:.2f} x", note)
        for p in (2, 1.8):
            narrow, many = (
                nanoseconds(wb.Problem(*wide(d), "logistic", f"p-norm:p={p}", 1e-3), solver, 200_000)
                for d in (10**3, 10**6)
            )
            note = f"{many:.0f} ns, d = 1e3 {narrow:.0f} ns"
            line(f"step, 50 non-zeros, p = {p}, d = 1e6 over 1e3, {output}", f"{many / narrow:.2f} x", note)
