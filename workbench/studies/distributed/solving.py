"""Rounds on a cluster: tasks, faults, certificates. The client holds vectors of D numbers, never rows.

The parts lie in as many blocks as there are workers, since more blocks take more rounds. Tasks are pure and
their keys say (run, round, block), so that Dask computes again whatever a dead worker took with it, with the
same bits. Every few rounds the client takes all states, and the chain of tasks begins anew with them.
"""

import contextlib
import math
import operator
import os
import secrets
import time
from itertools import repeat
from types import SimpleNamespace

import numpy as np

from workbench._support.display.progress import watched
from workbench._support.errors import InputError, shown
from workbench._support.names import check_effort, check_whole
from workbench.certificates import assembly, interval
from workbench.kernels import claims
from workbench.solvers.solution import Solution, interruptible
from workbench.solvers.stopping import EPOCHS
from workbench.studies import cluster
from workbench.studies.distributed import newton, rounds
from workbench.studies.distributed import parts as worker

# Non-zeros that a worker visits in the time of two or three empty rounds; the most passes over a block in a
# round, beyond which rounds stay as many as they are.
VISITS, MAX_PASSES = 2**26, 5
# Of `dask.config`: a part stays where it is, and what kills three workers is given up. Mapped pages count as
# used for Dask, so it watches no memory.
SETTINGS = {
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.allowed-failures": 2,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    # States go back to their workers with the tasks.
    "distributed.admin.large-graph-warning-threshold": "1GiB",
}
# The number of times that a cluster may be lost, and the seconds to wait for it.
LOSSES, PATIENCE = 5, 120
# With more samples the dual variables stay with the parts, and the chain of tasks grows.
MAX_ALPHA = 2**24
# The approximate number of bytes of a worker without any part.
BASE_BYTES = 200 * 2**20
METHODS = {"newton": newton, "cocoa+": rounds}
# Functions that take one entry of the result of another task.
LOOK, WORD, BEST = map(operator.attrgetter, ("look", "word", "best"))
# The problem of rounds, whose gap is relative to the values alone.
NOTHING = SimpleNamespace(gap_scale=0.0)
# A run ends after this number of rounds without a change, though sigma grows with each.
STILL = 10


def solve(  # noqa: PLR0913, the options of a cluster beside those of a solve
    problem,
    client=None,
    tol=1e-6,
    max_epochs=None,
    seed=0,
    *,
    scheduler=None,
    workers=None,
    memory=None,
    warm_start=None,
    every=10,
    blocks=None,
    passes=None,
    method=None,
):
    """Solve a `DistributedProblem` to a relative gap.

    Parameters
    ----------
    problem : DistributedProblem
    client : distributed.Client, optional
        Of the cluster to use. Without one, local processes are started and ended.
    tol, max_epochs, seed
        As for `workbench.solve`; an epoch is a pass over all rows, and 1,000 are the most where max_epochs
        is not given.
    scheduler : str, optional
        The address of a scheduler, in place of a client.
    workers : int, optional
        How many local processes.
    memory : str or int, optional
        A bound, such as "1GiB", on what the workers together may hold without what they map from files.
    warm_start : Solution, optional
        Where to start: of the same parts and loss; lam and the regularizer may be others.
    every : int
        Rounds after which the client takes all states, so that what a dead worker or scheduler took with it
        is computed again from there.
    blocks : int, optional
        K, in how many blocks the parts move; by default as many as the workers have threads. The bits of a
        result depend on it, its certificate does not. More blocks than threads make each round slower.
    passes : int, optional
        Passes over its rows that a block makes in a round; by default as many as take about the time of an
        empty round, 5 at most. Of "cocoa+" alone.
    method : {"newton", "cocoa+"}, optional
        What a round does: a step of Newton's method, whose messages have D^2 numbers and whose rounds do not
        depend on the blocks, or coordinate steps in each block. By default "newton" up to 1,000 features.

    Returns
    -------
    Solution
        With the dual variables in the order of the parts; empty where there are more than 2^24.

    Raises
    ------
    InputError
        Names the part, the line, or what is wrong with the cluster.
    """
    tol, max_epochs = check_effort("solve", tol, EPOCHS if max_epochs is None else max_epochs)
    check_whole("solve", "every", every, 1, usual=10)
    for name, value in (("passes", passes), ("blocks", blocks)):
        if value is not None:
            check_whole("solve", name, value, 1, usual=5)
    if method is not None and method not in METHODS:
        raise InputError(f"solve: method = {shown(method)} is unknown; expected one of {', '.join(METHODS)}")
    bound = None if memory is None else _as_bytes(memory)
    if client is not None and (scheduler or workers):
        raise InputError("solve: client cannot be combined with scheduler or workers; leave one of them out")
    with contextlib.ExitStack() as stack:
        if client is None:
            if workers is None and bound is not None:
                workers = max(1, min(os.cpu_count() or 1, bound // (2 * BASE_BYTES)))
            connection = cluster.connected(scheduler, workers, len(problem), SETTINGS, memory_limit=0)
            client = stack.enter_context(connection)
        else:
            import dask

            stack.enter_context(cluster.quiet())
            stack.enter_context(dask.config.set(SETTINGS))
            cluster.check_versions(client)
        interrupted = stack.enter_context(interruptible())
        run = _Run(
            problem,
            client,
            tol=tol,
            max_epochs=max_epochs,
            seed=seed,
            warm_start=warm_start,
            every=every,
            passes=passes,
            blocks=blocks,
            bound=bound,
            method=method,
        )
        for _ in watched(run.progress(interrupted.is_set), run, tol):
            pass
        return run.solution()


def _as_bytes(text):
    """Return "1GiB" or a number as bytes."""
    from dask.utils import parse_bytes

    try:
        return parse_bytes(text)
    except (ValueError, TypeError, OverflowError):
        raise InputError(f"solve: memory = {shown(text)} is not a size; write memory='1GiB'") from None


class _Run:
    """One solve on one cluster, with the options of `solve`; `progress` goes through its rounds."""

    point: (
        SimpleNamespace  # the certificate of a round whose rough numbers reach the tolerance, or of the last
    )

    def __init__(
        self, problem, client, *, tol, max_epochs, seed, warm_start, every, passes, blocks, bound, method
    ):
        self.problem, self.client, self.warm_start, self.seed = problem, client, warm_start, seed
        self.tol, self.max_epochs, self.bound = tol, max_epochs, bound
        self.every, self.passes, self.blocks, self.method = every, passes, blocks, method
        self.rows, self.status, self.losses = [], None, 0
        self.solver = SimpleNamespace(name="in parts")
        self.started, self.still, self.peak, self.count = time.perf_counter(), 0, 0, None
        self.kept = None  # the number of a round, its rows, its states and its center

    @property
    def epochs(self):
        """Passes over all rows."""
        return float(len(self.rows) * self.setting.passes)

    def progress(self, stop):
        """Yield after each round what it has reached; a lost cluster is waited for."""
        from dask.distributed import CancelledError, KilledWorker
        from distributed.comm.core import CommClosedError

        while True:
            try:
                yield from self._rounds(stop)
                return
            except KilledWorker as error:
                raise self._killer(error) from None
            except (CancelledError, CommClosedError, TimeoutError) as error:
                self._await_cluster(error)

    def _await_cluster(self, error):
        """Wait until the scheduler is back and has workers."""
        self.losses += 1
        deadline = time.monotonic() + PATIENCE
        while self.losses <= LOSSES and time.monotonic() < deadline and self.client.status != "closed":
            with contextlib.suppress(Exception):  # whatever a connection raises that is being made
                self.client.wait_for_workers(1, timeout=5)
                return
            time.sleep(0.5)
        raise InputError(
            f"solve: the cluster was lost and did not come back ({type(error).__name__}); when it is "
            "back, run the same again"
        )

    # Tasks

    def _submit(self, function, *arguments, name):
        return self.client.submit(function, *arguments, key=f"{self.run}-{name}", pure=False)

    def _all(self, function, *columns, name):
        """One task a row of the columns, some of which repeat without end."""
        rows = [*zip(*columns, strict=False)]
        keys = [f"{self.run}-{name}-{k}" for k in range(len(rows))]
        return self.client.map(function, *zip(*rows, strict=True), key=keys, pure=False)

    def _raw(self, source, name):
        blocks = (self.client.compute(block) for block in source.blocks)
        return self._submit(source.function, *blocks, *source.arguments, name=name)

    def _read(self):
        """Bring the parts to their workers: their futures."""
        raws = [self._raw(source, f"read-{k}") for k, source in enumerate(self.problem.sources)]
        self.looks = _results(self._all(LOOK, raws, name="look"))
        self.frame, first = self.problem.checked(self.looks)
        if self.method is None:
            self.method = "newton" if newton.serves(self.frame) and self.passes is None else "cocoa+"
        elif self.method == "newton" and not newton.serves(self.frame):
            raise InputError(
                f"solve: method = 'newton' needs at most {newton.MAX_FEATURES} features and a loss that is "
                "finite everywhere; use method='cocoa+'"
            )
        self.rounds = METHODS[self.method]
        objective = self.problem.loss, self.problem.regularizer, self.problem.bias, self.frame.n_features
        return self._all(worker.prepared, raws, *map(repeat, (*objective, first)), name="part")

    def _together(self, parts):
        """Return the parts in blocks of about equal size, as futures; sets what all rounds have in common."""
        sizes = np.array([look.nonzeros + look.rows for look in self.looks], dtype=float)
        middles = (np.cumsum(sizes) - 0.5 * sizes) / sizes.sum()
        _, starts = np.unique((middles * self.count).astype(int), return_index=True)
        groups = np.split(np.arange(sizes.size), starts[1:])
        largest = max(sizes[group].sum() for group in groups)
        passes = self.passes or int(np.clip(VISITS // largest, 1, MAX_PASSES))
        passes = 1 if self.method == "newton" else passes
        rows = sum(look.rows for look in self.looks)
        self.setting = rounds.Setting(rows, self.problem.lam, len(groups), passes, int(self.seed))
        self.ends = np.cumsum([sum(self.looks[k].rows for k in group) for group in groups])
        return self._all(tuple, ([parts[k] for k in group] for group in groups), name="block")

    def _start(self):
        """Return the dual variables of the start, block by block; None for each where none is given."""
        if self.warm_start is None:
            return repeat(None)
        description, alpha = self.warm_start.description, self.warm_start.alpha
        digests = [look["digest"] for look in description.get("parts", [])]
        if digests != [look.digest for look in self.looks] or alpha.shape != (self.setting.rows,):
            raise InputError(
                "solve: warm_start is of other parts than these, or lacks dual variables; give a solution "
                "of the same parts, or leave it out"
            )
        if description["loss"] != repr(self.frame.loss):
            raise InputError(
                f"solve: the loss of warm_start is {description['loss']}, and this one "
                f"{self.frame.loss!r}; give a solution of the same loss"
            )
        return np.split(alpha, self.ends[:-1])

    # Rounds

    def _rounds(self, stop):
        self.run = f"workbench-{secrets.token_hex(4)}"
        parts = self._read()
        # Shared arguments are sent with each task, since Dask cannot compute a lost scattered value again.
        frame = self._submit(worker.as_given, self.frame, name="frame")
        t, rows, states, center = self.kept or (0, [], None, None)
        self.rows = list(rows)
        # A run that goes on keeps its blocks, however many workers have come back.
        self.count = self.count or self.blocks or sum(self.client.nthreads().values())
        blocks = self._together(parts)
        if t:
            states, center = self._sent(states, center, t)
        else:
            states = self._all(self.rounds.begin, blocks, repeat(self.setting), self._start(), name="begun")
            answers = self._added(blocks, states, "first")
            center = self._submit(self.rounds.first_center, frame, self.setting, answers, name="center")
        trust = 1.0
        while True:
            states, center, row = self._round(blocks, states, center, frame, t)
            t += 1
            gap = row["primal"] - row["dual"]
            share = assembly.relative_gap(NOTHING, gap, row["primal"], row["dual"])
            seconds = time.perf_counter() - self.started
            row |= {
                "step": t,
                "epoch": float(t * self.setting.passes),
                "seconds": seconds,
                "gap": gap,
                "relative_gap": share,
            }
            self.rows.append(row)
            if t % self.every == 0 and self.setting.rows <= MAX_ALPHA:
                self.kept = (t, list(self.rows), _results(states), center.result())
                states, center = self._sent(*self.kept[2:], t)
            yield SimpleNamespace(relative_gap=share)
            self.status = self._ending(row, stop())
            if self.status is None and share > trust * self.tol:
                continue
            self.point = self._certified(blocks, states, center, t)
            if self.point.relative_gap <= self.tol:
                self.status = "converged"
            if self.status is not None:
                return
            trust *= 0.5

    def _ending(self, row, stopped):
        """Return the status of a run that ends unconverged after this round; None if it goes on."""
        self.peak = max(self.peak, row["memory"])
        if not math.isfinite(row["primal"]):
            return "diverged"
        if stopped:
            return "interrupted"
        self.still = self.still + 1 if row["share"] == 0.0 else 0
        if self.still >= STILL:
            return "stalled"
        return "max_epochs" if self.epochs >= self.max_epochs else None

    def _round(self, blocks, states, center, frame, t):
        """Return the states and the center after one round, and its numbers."""
        word = self._submit(WORD, center, name=f"word-{t}")
        arguments = map(repeat, (word, self.setting, t))
        states = self._all(self.rounds.advanced, blocks, states, *arguments, range(len(blocks)), name=f"{t}")
        answers = self._added(blocks, states, t)
        center = self._submit(self.rounds.combined, frame, self.setting, center, answers, name=f"center-{t}")
        row = self._submit(self.rounds.numbers_of, center, name=f"numbers-{t}").result()
        if self.bound is not None and row["memory"] * len(self.client.nthreads()) > self.bound:
            raise InputError(
                f"solve: a worker holds {row['memory'] / 2**20:.0f} MiB of its own in round {t + 1}, more "
                f"than its share of memory = {self.bound / 2**20:.0f} MiB; write smaller parts, or give more"
            )
        # The change of each block to the worker that adds, and two vectors to each block.
        D = self.frame.design.shape[1]
        row["bytes"] = 8 * D * (3 + (D if self.method == "newton" else 0)) * len(blocks)
        return states, center, row

    def _added(self, blocks, states, t):
        """Return the sum of all blocks' answers in a round, or before the first."""
        answers = self._all(self.rounds.message, blocks, states, name=f"message-{t}")
        return self._submit(self.rounds.added, *answers, name=f"added-{t}")

    def _sent(self, states, center, t):
        """Futures of what the client holds of a round: the tasks before it are forgotten."""
        center = self._submit(worker.as_given, center, name=f"kept-{t}-center")
        return self._all(worker.as_given, states, name=f"kept-{t}"), center

    def _certified(self, blocks, states, center, t):
        """Return the certificate of the best weights and the dual variables, computed anew from the parts."""
        word = self._submit(WORD, center, name=f"word-at-{t}")
        alphas = self._all(self.rounds.alpha_of, states, repeat(word), name=f"alpha-{t}")
        best = self._submit(BEST, center, name=f"best-{t}")
        parts = _results(self._all(rounds.judge, blocks, alphas, repeat(best), name=f"judged-{t}"))
        point = assembled(self.frame, self.setting.rows, parts, best.result())
        is_small = self.setting.rows <= MAX_ALPHA
        point.alpha = np.concatenate(_results(alphas)) if is_small else np.empty(0)
        return point

    def solution(self):
        """Return the `Solution` of a run, as any solve does."""
        point, frame = self.point, self.frame
        w, b = frame.split(point.w)
        last = self.rows[-1]
        return Solution(
            w=w,
            b=b,
            w_embedded=point.w,
            alpha=point.alpha,
            primal=point.primal,
            dual=point.dual,
            gap=point.gap,
            relative_gap=point.relative_gap,
            status=self.status,
            epochs=self.epochs,
            steps=int(self.epochs * self.setting.rows),
            seconds=last["seconds"],
            classifies=frame.loss.kind == "margin",
            description={
                "loss": repr(frame.loss),
                "regularizer": repr(frame.regularizer),
                "lam": frame.lam,
                "bias": frame.bias,
                "embed": None,
                "solver": self.rounds.NAME,
                "seed": self.seed,
                "name": self.method,
                "why": "",
                "notice": self._notice(),
                "proof_status": claims.proof_status(frame),
                "interval": point.interval and list(point.interval),
                "parts": [look._asdict() for look in self.looks],
                "rounds": len(self.rows),
                "blocks": self.setting.blocks,
                "passes": self.setting.passes,
                "support": point.support,
                "memory": self.peak,
                "bytes": sum(row["bytes"] for row in self.rows),
            },
            columns={name: np.array([row[name] for row in self.rows]) for name in last if name != "memory"},
        )

    def _notice(self):
        """Return the message for a gap that was not reached; empty if it was reached."""
        if self.status == "converged":
            return ""
        advice = f"max_epochs={10 * self.max_epochs:g}, " if self.status == "max_epochs" else ""
        return (
            f"not converged: stopped ({self.status}) after {len(self.rows)} rounds with a relative gap of "
            f"{self.point.relative_gap:.1e} where {self.tol:g} was asked for; try {advice}fewer parts, "
            "standardized features or a larger tol"
        )

    # Faults

    def _killer(self, error):
        """Return the refusal that names the part whose task ends its worker."""
        from dask.distributed import KilledWorker

        # A worker that dies takes the blame on all that it had to do: each part is looked at by itself.
        self.run = f"workbench-{secrets.token_hex(4)}"
        name = f"a task {error.task}"
        for k, source in enumerate(self.problem.sources):
            try:
                self._submit(LOOK, self._raw(source, f"alone-{k}"), name=f"look-{k}").result()
            except KilledWorker:
                name = source.name
                break
            except Exception:  # another fault than the one that is looked for
                continue
        return InputError(
            f"{name}: it ended every worker that took it up ({error.allowed_failures + 1} of them); look at "
            "this part and at the workers' memory"
        )


def assembled(frame, n, parts, w):
    """Primal, dual, gap and interval at weights w (D,), from what blocks judged of their samples."""
    transfer, lam = frame.transfer, frame.lam
    v = rounds.summed([part.v for part in parts]) / (lam * n)
    h, _ = transfer.map(v)
    bracket = transfer.bracket(w, v, h)
    primal = math.fsum(part.losses for part in parts) / n + lam * bracket.value
    dual = 0.0 - (math.fsum(part.conjugates for part in parts) / n + lam * h)
    gap = math.fsum(x for part in parts for x in part.terms) / n + lam * bracket.sum
    zero = SimpleNamespace(gap_scale=math.fsum(part.zero for part in parts) / n)
    return SimpleNamespace(
        primal=float(primal),
        dual=float(dual),
        gap=float(gap),
        w=w,
        v=v,
        alpha=None,
        relative_gap=assembly.relative_gap(zero, gap, primal, dual),
        support=sum(part.support for part in parts),
        interval=interval.whole_bounds(frame, [part.bounds for part in parts], w, n)[0],
    )


def _results(futures):
    """Return the results of futures; the error is that of the first one that has one."""
    with contextlib.suppress(Exception):  # whatever the first that fails raises, which may be a later one
        return futures[0].client.gather(futures)
    return [future.result() for future in futures]
