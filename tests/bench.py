"""Figures in seconds, each the median of three runs: `make bench`, or some of them by name.

    python tests/bench.py              everything
    python tests/bench.py start serve  these; the others are pages, load, solve, reuters, epoch, certificate,
                                       svm, primal, scale, conjugates, reproduce, race, table, truth,
                                       parameters, mutants and families; table and mutants take hours,
                                       families most of a day
"""

import contextlib
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

RUNS = 3
PYTHON = sys.executable
WORKBENCH = str(Path(sys.executable).with_name("workbench"))
PAGE = "dual-lab"
# Epochs to a timing, so that the call of a kernel, 0.2 ms, does not count as one's work.
EPOCHS = 10
# A page that has not answered by then is broken, not slow.
PATIENCE = 120.0

REGULARIZERS = {
    "squared-l2": None,
    "elastic-net:epsilon=0.1": None,
    "entropy:mu=0.001": "balanced",
    "normalized-entropy:mu=0.001": "balanced",
    "q-norm:q=1.5": None,
}
EMPTY_TYPER = """
import typer
app = typer.Typer(rich_markup_mode=None, add_completion=False)
@app.command()
def one(): pass
@app.command()
def two(): pass
app()
"""


def median(measure, *arguments):
    return statistics.median(measure(*arguments) for _ in range(RUNS))


def line(command, value, note=""):
    print(f"{command:<68}{value:>12}  {note}".rstrip(), flush=True)


def seconds(value):
    return f"{value:.3f} s"


def elapsed(*command, **environment):
    """The seconds that a command takes."""
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    return time.perf_counter() - started


def overhead(command, baseline):
    """What a command takes beyond a baseline, run in turn so that both see the same machine."""
    pairs = [(elapsed(*command), elapsed(*baseline)) for _ in range(RUNS + 1)][1:]
    return statistics.median(one - other for one, other in pairs), statistics.median(one for one, _ in pairs)


@contextlib.contextmanager
def cold_cache():
    with tempfile.TemporaryDirectory() as folder:
        yield {"WORKBENCH_CACHE": folder}


# start: imports and --help
def start():
    extra, whole = overhead((PYTHON, "-c", "import workbench"), (PYTHON, "-c", "pass"))
    line('python -c "import workbench"', seconds(extra), f"over bare Python; {whole:.3f} s in all")
    extra, whole = overhead((WORKBENCH, "--help"), (PYTHON, "-c", EMPTY_TYPER, "--help"))
    line("workbench --help", seconds(extra), f"over an empty typer app; {whole:.3f} s in all")


# serve: until the page stands, and whether it answers while kernels compile
@contextlib.contextmanager
def served(**environment):
    """A server of the page on a free port, as its address."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = (WORKBENCH, "serve", PAGE, "--no-show", "--port", str(port))
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    try:
        yield f"localhost:{port}/{PAGE}"
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()


def answer(address):
    """Ask until the page answers with 200; how long that took."""
    started = time.perf_counter()
    while time.perf_counter() - started < PATIENCE:
        try:
            with urllib.request.urlopen(f"http://{address}", timeout=PATIENCE) as reply:
                reply.read()
            return time.perf_counter() - started
        except (urllib.error.URLError, ConnectionError) as error:
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.01)
    raise TimeoutError(f"{address} did not answer within {PATIENCE:g} seconds")


def first_page(**environment):
    with served(**environment) as address:
        return answer(address)


def first_page_cold():
    with cold_cache() as environment:
        return first_page(**environment)


def slowest_while_compiling(duration=6.0):
    """The slowest answer while a session, opened as a browser does, has its kernels compiled."""
    from bokeh.client import ClientSession
    from bokeh.document import Document
    from bokeh.document.events import MessageSentEvent
    from bokeh.events import DocumentReady

    with cold_cache() as environment, served(**environment) as address:
        answer(address)
        session = ClientSession(websocket_url=f"ws://{address}/ws")
        session.connect()
        event = MessageSentEvent(Document(), "bokeh_event", DocumentReady())
        session._connection._send_patch_document(session.id, event)
        session.force_roundtrip()
        slowest, until = 0.0, time.perf_counter() + duration
        while time.perf_counter() < until:
            slowest = max(slowest, answer(address))
            time.sleep(0.05)
        session.close()
        if not any(Path(environment["WORKBENCH_CACHE"]).rglob("*.nbc")):
            raise RuntimeError("the page compiled nothing, so it had nothing to answer in spite of")
        return slowest


def serve():
    first_page()
    line(f"workbench serve {PAGE}", seconds(median(first_page)), "to the first HTTP 200, warm cache")
    line(f"workbench serve {PAGE}", seconds(median(first_page_cold)), "to the first HTTP 200, no kernels yet")
    line(f"GET /{PAGE}", seconds(median(slowest_while_compiling)), "the slowest while kernels compile")


# solve: the whole command, with and without kernels on disk
def solve():
    command = (WORKBENCH, "solve", "breast-cancer", "--tol", "1e-3")

    def cold():
        with cold_cache() as environment:
            return elapsed(*command, **environment)

    elapsed(*command)
    shown = " ".join(["workbench", *command[1:]])
    line(shown, seconds(median(cold)), "the whole command, kernels compiled")
    line(shown, seconds(median(elapsed, *command)), "the whole command, kernels from the cache")


# reuters and epoch: the solver alone
def reuters_acq():
    """The task, or None where WORKBENCH_DATA does not have it: a benchmark downloads nothing."""
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
    """A gradient epoch over the least that any coordinate method does with a row."""
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
    """The median of many runs, since one takes a millisecond."""
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

    from workbench.gaps import svm_from_predictions

    rng = np.random.default_rng(0)
    y = np.where(rng.random(10**6) < 0.3, 1.0, -1.0)
    arguments = (rng.normal(size=10**6), y, 1.0, np.zeros(10**6))
    spent = milliseconds(svm_from_predictions, *arguments) / 1e3
    line("gap of the SVM, a million breakpoints", seconds(spent))


def race():
    """Our solvers against others; minutes."""
    subprocess.run((WORKBENCH, "race"), check=True)


# primal: a step of the Primal Gradient Solver, by its exponent and by the number of columns
def nanoseconds(problem, solver, steps):
    """The median of a step."""
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


def pages():
    """The Dual lab in a browser: latency, frames, first paint, memory."""
    for name in ("bench_pages.py", "bench_browser.py"):
        subprocess.run((PYTHON, str(Path(__file__).with_name(name))), check=True)


def load():
    """A class of thirty at the Dual lab for five minutes: errors, replies, memory, processor time."""
    subprocess.run((PYTHON, str(Path(__file__).with_name("bench_load.py"))), check=True)


def scale():
    """Cost per non-zero up to RCV1's size, and peak memory; minutes and 4 GiB."""
    subprocess.run((PYTHON, str(Path(__file__).with_name("bench_scale.py"))), check=True)


def conjugates():
    """Symbolic conjugation by its judges: the tables, every mutant of q, 10^4 random functions; hours."""
    for name in ("score_pairs.py", "score_parameters.py", "score_mutants.py", "random_families.py"):
        subprocess.run((PYTHON, str(Path(__file__).with_name(name))), check=True)


def reproduce():
    """The published tables from nothing kept, on every core; minutes."""
    for name in ("zhang-table-1", *(("zhang-table-2",) if reuters_acq() else ())):
        with cold_cache() as environment:
            line(f"workbench reproduce {name}", seconds(elapsed(WORKBENCH, "reproduce", name, **environment)))


def table():
    """Every combination of loss, regularizer, bias, kernel and solver: solved, refused, faults; hours."""
    script("combinations.py")


def truth():
    """100,000 certificates against objectives in long double; half an hour."""
    script("test_certificate_truth.py")


def parameters():
    """Conjugates of functions with parameters and of narrow places, by a numeric supremum; half an hour."""
    script("score_parameters.py")


def mutants():
    """Every published pair with each of its wrong conjugates: none may be called proved; hours."""
    script("score_mutants.py")


def families():
    """10,000 random functions with a parameter: none may be wrong; most of a day."""
    script("random_families.py")


def script(name):
    """Run one of the programs beside this one, which prints its own figures."""
    subprocess.run((PYTHON, str(Path(__file__).with_name(name))), check=True)


SECTIONS = {
    section.__name__: section
    for section in (
        start, serve, pages, load, solve, reuters, epoch, certificate, svm, primal, scale, conjugates,
        reproduce, race, table, truth, parameters, mutants, families,
    )
}  # fmt: skip

if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in SECTIONS]
    if unknown:
        sys.exit(f"error: {', '.join(unknown)}: the sections are {', '.join(SECTIONS)}")
    for name in sys.argv[1:] or SECTIONS:
        SECTIONS[name]()
