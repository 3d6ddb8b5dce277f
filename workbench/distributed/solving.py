"""Rounds on a cluster: tasks, faults, certificates. The client holds vectors of D numbers, never rows.

Tasks are pure and their keys say (run, round, part), so that Dask computes again whatever a dead worker
took with
it, with the same bits. Every few rounds all states go to disk and the chain of tasks begins anew there.
"""

import contextlib
import hashlib
import math
import os
import re
import secrets
import time
from types import SimpleNamespace

import numpy as np

from workbench.certificates import assembly, interval
from workbench.compiled import claims
from workbench.distributed import checkpoints, rounds
from workbench.distributed import parts as worker
from workbench.errors import InputError, shown
from workbench.experiments import cluster
from workbench.faces.progress import watched
from workbench.names import check_effort, check_whole
from workbench.solution import Solution, interruptible
from workbench.stopping import EPOCHS
from workbench.system import storage

# Non-zeros that a worker visits in about a second; the most passes over a part in a round, beyond which
# rounds
# stay as many as they are.
VISITS, MOST_PASSES = 2**28, 5
# So many answers are added by one task.
FAN = 8
# Of `dask.config`: a part stays where it is, and what kills three workers is given up. Mapped pages count as
# used for Dask, so it watches no memory.
SETTINGS = {
    "distributed.scheduler.work-stealing": False, "distributed.scheduler.allowed-failures": 2,
    "distributed.worker.memory.target": False, "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False, "distributed.worker.memory.terminate": False,
}  # fmt: skip
# How often a cluster may be lost, and for how many seconds it is waited for.
LOSSES, PATIENCE = 5, 120
# With more samples the dual variables stay with the parts.
MOST_ALPHA = 2**24
# A worker without any part holds about so many bytes; arrays of its rows and of D that a round needs.
BASE_BYTES, ROW_ARRAYS, VECTORS = 200 * 2**20, 16, 12
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
# After so many rounds that change nothing at sigma = K, nothing will.
STILL = 3


def solve(
    problem, client=None, tol=1e-6, max_epochs=None, seed=0, *, scheduler=None, workers=None, memory=None,
    checkpoint=None, every=10, passes=None,
):  # fmt: skip
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
    checkpoint : path, optional
        A folder that every worker sees. A run that finds its own last rounds there goes on from them; without
        it they lie in a temporary folder.
    every : int
        Rounds between two checkpoints.
    passes : int, optional
        Passes over its rows that a part makes in a round; by default as many as take about a second, 5 at
        most.

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
    if passes is not None:
        check_whole("solve", "passes", passes, 1, usual=5)
    bound = None if memory is None else as_bytes(memory)
    if client is not None and (scheduler or workers):
        raise InputError("solve: client goes with neither scheduler nor workers; leave one of them out")
    with contextlib.ExitStack() as stack:
        if client is None:
            count = (
                workers
                if bound is None or workers
                else max(1, min(os.cpu_count() or 1, bound // (2 * BASE_BYTES)))
            )
            options = {} if scheduler else {"memory_limit": 0}
            found = cluster.connected(scheduler, count, len(problem), SETTINGS, **options)
            client = stack.enter_context(found)
        else:
            stack.enter_context(cluster.quiet())
            cluster.check_versions(client)
        folder = checkpoint
        if folder is None:
            folder = storage.temporary("rounds")
            stack.callback(storage.discard, folder)
            # Workers on other machines do not see it: without a checkpoint the chain of tasks grows.
            if not all(client.run(os.path.isdir, str(folder)).values()):
                folder = None
        interrupted = stack.enter_context(interruptible())
        run = _Run(problem, client, tol, max_epochs, seed, folder, every, passes, bound)
        for _ in watched(run.progress(interrupted.is_set), run, tol):
            pass
        return run.solution()


def as_bytes(text):
    """ "1GiB" or a number as bytes."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", str(text), re.IGNORECASE)
    if found is None or found[2].upper() not in UNITS:
        raise InputError(f"solve: memory = {shown(text)} is no size; write memory='1GiB'")
    return int(float(found[1]) * UNITS[found[2].upper()])


class _Run:
    """One solve on one cluster; `progress` goes through its rounds."""

    def __init__(self, problem, client, tol, max_epochs, seed, folder, every, passes, bound):
        self.problem, self.client, self.tol, self.max_epochs, self.seed = (
            problem,
            client,
            tol,
            max_epochs,
            seed,
        )
        self.folder, self.every, self.passes, self.bound = folder, every, passes, bound
        self.rows, self.status, self.point, self.lost = [], None, None, 0
        self.solver = SimpleNamespace(name=f"cocoa+, {len(problem)} parts")
        self.started, self.still, self.peak = time.perf_counter(), 0, 0

    @property
    def epochs(self):
        """Passes over all rows."""
        return float(len(self.rows) * (self.passes or 1))

    def progress(self, stop):
        """Yield after each round what it has reached; a lost cluster is waited for."""
        from dask.distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

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
        self.lost += 1
        deadline = time.monotonic() + PATIENCE
        while self.lost <= LOSSES and time.monotonic() < deadline and self.client.status != "closed":
            with contextlib.suppress(Exception):  # whatever a connection raises that is being made
                self.client.wait_for_workers(1, timeout=5)
                return
            time.sleep(0.5)
        again = (
            "run the same again: the last rounds are kept there"
            if self.folder
            else "run again with checkpoint=..."
        )
        raise InputError(
            f"solve: the cluster was lost and did not come back ({type(error).__name__}); {again}"
        )

    # Tasks

    def _submit(self, function, *arguments, name):
        return self.client.submit(function, *arguments, key=f"{self.run}-{name}", pure=False)

    def _all(self, function, *columns, name):
        """One task a part, of the part's own of each list, and its number where that is asked for."""
        return [
            self._submit(function, *arguments, name=f"{name}-{k}")
            for k, arguments in enumerate(zip(*columns, strict=True))
        ]

    def _tree(self, function, futures, name):
        """One future of all, some at a time."""
        level = 0
        while len(futures) > 1 or level == 0:
            groups = [futures[k : k + FAN] for k in range(0, len(futures), FAN)]
            futures = [
                self._submit(function, *group, name=f"{name}-{level}-{k}") for k, group in enumerate(groups)
            ]
            level += 1
        return futures[0]

    def _read(self):
        """Bring the parts to their workers; returns them as futures."""
        sources = self.problem.sources
        raws = [
            self._submit(source.function, *(self.client.compute(block) for block in source.blocks),
                         *source.arguments, name=f"read-{k}")
            for k, source in enumerate(sources)
        ]  # fmt: skip
        looks = self._results(self._all(worker.look, raws, name="look"))
        self.frame, first = self.problem.checked(looks)
        self.looks, n, K = looks, sum(look.rows for look in looks), len(looks)
        features = self.frame.n_features
        self._check_memory(features)
        if self.passes is None:
            self.passes = int(np.clip(VISITS // max(look.nonzeros for look in looks), 1, MOST_PASSES))
        self.setting = rounds.Setting(n, self.problem.lam, K, self.passes, int(self.seed))
        objective = self.problem.loss, self.problem.regularizer, self.problem.bias, features, first
        parts = [
            self._submit(worker.prepared, raw, *objective, name=f"part-{k}") for k, raw in enumerate(raws)
        ]
        said = repr((self.setting, [look.digest for look in looks], self.problem.loss,
        self.problem.regularizer,
                     self.problem.bias, features, cluster.versions()))  # fmt: skip
        return parts, hashlib.sha256(said.encode()).hexdigest()[:16]

    def _results(self, futures):
        """The results of futures; the error is that of the first one that has one."""
        return [future.result() for future in futures]

    def _check_memory(self, features):
        """Refuse parts that do not fit into the bound."""
        if self.bound is None:
            return
        each = self.bound // max(1, len(self.client.scheduler_info()["workers"]))
        for look in self.looks:
            held = 8 * (ROW_ARRAYS * look.rows + VECTORS * features)
            if BASE_BYTES + held > each:
                room = max(1, (each - BASE_BYTES) // 8 - VECTORS * features) // ROW_ARRAYS
                raise InputError(
                    f"{look.name} has {look.rows} rows, and a worker with {each / 2**20:.0f} MiB has "
                    f"room for about "
                    f"{room} beside itself; write more and smaller parts, or give more memory"
                )

    # Rounds

    def _rounds(self, stop):
        self.run = f"workbench-{secrets.token_hex(4)}"
        parts, digest = self._read()
        # What all tasks take is sent along with each: a scattered value has no lineage.
        frame = self._submit(_same, self.frame, name="frame")
        self.kept = None if self.folder is None else checkpoints.Checkpoints(self.folder, digest)
        found = None if self.kept is None else self.kept.latest()
        if found is None:
            t, self.rows = 0, []
            states = self._all(rounds.begun, parts, name="begun")
            total = self._tree(
                rounds.summed, self._all(rounds.share_of, parts, states, name="share"), "shares"
            )
            center = self._submit(rounds.first_center, frame, self.setting, total, name="center")
        else:
            t, self.rows = found
            states, center = self._loaded(t)
        trust = 1.0
        while True:
            states, center, row = self._round(parts, states, center, frame, t)
            t += 1
            gap = row["primal"] - row["dual"]
            row["relative_gap"] = share = assembly.relative_gap(
                SimpleNamespace(zero_value=0.0), gap, row["primal"], row["dual"]
            )
            seconds = time.perf_counter() - self.started
            row |= {"step": t, "epoch": float(t * self.passes), "seconds": seconds, "gap": gap}
            self.rows.append(row)
            if t % self.every == 0 and self.kept is not None:
                states, center = self._keep(states, center, t)
            yield SimpleNamespace(relative_gap=share)
            self.status = self._ending(row, stop())
            if self.status is None and share > trust * self.tol:
                continue
            point = self._certified(parts, states, center, t)
            if point.relative_gap <= self.tol:
                self.status = "converged"
            if self.status is not None:
                self.point = self._bounded(parts, states, center, point, t)
                return
            trust *= 0.5

    def _ending(self, row, stopped):
        """How a run ends after this round that has not converged; None where it goes on."""
        self.peak = max(self.peak, row["memory"])
        if not math.isfinite(row["primal"]):
            return "diverged"
        if stopped:
            return "interrupted"
        self.still = self.still + 1 if row["share"] == 0.0 and row["sigma"] >= self.setting.parts else 0
        if self.still >= STILL:
            return "stalled"
        return "max_epochs" if self.epochs >= self.max_epochs else None

    def _round(self, parts, states, center, frame, t):
        """The states and the center after one round, and its numbers."""
        word = self._submit(rounds.word_of, center, name=f"word-{t}")
        states = [
            self._submit(rounds.advanced, part, state, word, self.setting, t, k, name=f"{t}-{k}")
            for k, (part, state) in enumerate(zip(parts, states, strict=True))
        ]
        answers = self._tree(rounds.added, self._all(rounds.told, states, name=f"told-{t}"), f"added-{t}")
        center = self._submit(rounds.combined, frame, self.setting, center, answers, name=f"center-{t}")
        row = self._submit(rounds.numbers_of, center, name=f"numbers-{t}").result()
        if (
            self.bound is not None
            and row["memory"] * len(self.client.scheduler_info()["workers"]) > self.bound
        ):
            raise InputError(
                f"solve: a worker holds {row['memory'] / 2**20:.0f} MiB of its own in round {t + 1}, "
                f"more than its "
                f"share of memory = {self.bound / 2**20:.0f} MiB; write smaller parts, or give more"
            )
        # The change of each part to whoever adds, and two vectors to each worker, at most one a part.
        row["bytes"] = 8 * self.frame.design.shape[1] * 3 * len(parts)
        return states, center, row

    def _keep(self, states, center, t):
        """Write a round, and go on from what was written: the tasks before it are forgotten."""
        place = self.kept.place(t)
        written = [
            self._submit(checkpoints.write_state, place, k, state, name=f"write-{t}-{k}")
            for k, state in enumerate(states)
        ]
        self._results([*written, self._submit(checkpoints.write_center, place, center, name=f"write-{t}")])
        self.kept.commit(t, self.rows)
        return self._loaded(t)

    def _loaded(self, t):
        place = self.kept.place(t)
        states = [
            self._submit(checkpoints.read_state, place, k, name=f"load-{t}-{k}")
            for k in range(len(self.problem))
        ]
        return states, self._submit(checkpoints.read_center, place, name=f"load-{t}")

    # Certificates

    def _certified(self, parts, states, center, t):
        """The certificate of the best weights and the dual variables, computed afresh from the parts."""
        word = self._submit(rounds.word_of, center, name=f"word-at-{t}")
        alphas = [
            self._submit(rounds.alpha_of, state, word, name=f"alpha-{t}-{k}")
            for k, state in enumerate(states)
        ]
        best = self._submit(rounds.best_of, center, name=f"best-{t}")
        found = [
            self._submit(rounds.judged, part, alpha, best, name=f"judged-{t}-{k}")
            for k, (part, alpha) in enumerate(zip(parts, alphas, strict=True))
        ]
        self.at = alphas, best
        return assembled(self.frame, self.setting.rows, self._results(found), best.result())

    def _bounded(self, parts, states, center, point, t):
        """The same with its interval."""
        alphas, best = self.at
        found = self._results([
            self._submit(rounds.bounded, part, alpha, best, name=f"bounded-{t}-{k}")
            for k, (part, alpha) in enumerate(zip(parts, alphas, strict=True))
        ])  # fmt: skip
        bounds, _ = interval.whole_bounds(self.frame, found, point.w, self.setting.rows)
        alpha = np.concatenate(self._results(alphas)) if self.setting.rows <= MOST_ALPHA else np.empty(0)
        point.interval, point.alpha = bounds, alpha
        return point

    def solution(self):
        """What was reached, as any solve gives it."""
        point, frame = self.point, self.frame
        w, b = frame.split(point.w)
        last = self.rows[-1]
        return Solution(
            w=w, b=b, w_embedded=point.w, alpha=point.alpha, primal=point.primal, dual=point.dual,
            gap=point.gap,
            relative_gap=point.relative_gap, status=self.status, epochs=self.epochs,
            steps=int(len(self.rows) * self.passes * self.setting.rows), seconds=last["seconds"],
            classifies=frame.loss.kind == "margin",
            description={
                "loss": repr(frame.loss), "regularizer": repr(frame.regularizer), "lam": frame.lam,
                "bias": frame.bias, "embed": None, "solver": "CoCoA+", "seed": self.seed, "name": "cocoa+",
                "why": "", "notice": "", "rests_on": claims.rests_on(frame),
                "interval": point.interval and list(point.interval),
                "parts": [look._asdict() for look in self.looks], "rounds": len(self.rows),
                "passes": self.passes, "support": point.support, "memory": self.peak,
                "bytes": sum(row["bytes"] for row in self.rows),
            },
            columns={name: np.array([row[name] for row in self.rows]) for name in last if name != "memory"},
        )  # fmt: skip

    # Faults

    def _killer(self, error):
        """The refusal that names the part whose task ends its worker, found by itself where several died."""
        suspects = self._suspects(error)
        for source in suspects if len(suspects) > 1 else ():
            if self._kills(source):
                suspects = [source]
                break
        named = ", ".join(source.name for source in suspects[:3]) or f"a task {error.task}"
        return InputError(
            f"{named}: it ended every worker that took it up ({error.allowed_failures + 1} of them); "
            f"look at this part "
            "and at the workers' memory"
        )

    def _suspects(self, error):
        """The sources of parts, those of the failed task first."""
        sources = self.problem.sources
        found = re.search(r"-(\d+)$", str(error.task))
        first = int(found[1]) if found and int(found[1]) < len(sources) else 0
        return [sources[first], *sources[:first], *sources[first + 1 :]]

    def _kills(self, source):
        """Whether reading this part alone, or a first round on it, ends workers."""
        from dask.distributed import KilledWorker

        self.run = f"workbench-{secrets.token_hex(4)}"
        blocks = [self.client.compute(block) for block in source.blocks]
        try:
            raw = self._submit(source.function, *blocks, *source.arguments, name="alone-read")
            self._submit(worker.look, raw, name="alone").result()
        except KilledWorker:
            return True
        except Exception:  # another fault than the one that is looked for
            return False
        return False


def assembled(frame, n, found, w):
    """Primal, dual and gap at weights w (D,), from what each part judged of its samples."""
    transfer, lam = frame.transfer, frame.lam
    v = rounds.summed(*(part.v for part in found)) / (lam * n)
    h, _ = transfer.map(v)
    bracket = transfer.bracket(w, v, h)
    primal = math.fsum(part.losses for part in found) / n + lam * bracket.value
    dual = 0.0 - (math.fsum(part.conjugates for part in found) / n + lam * h)
    gap = math.fsum(x for part in found for x in part.terms) / n + lam * bracket.sum
    zero = SimpleNamespace(zero_value=math.fsum(part.zero for part in found) / n)
    return SimpleNamespace(
        primal=float(primal), dual=float(dual), gap=float(gap), w=w, v=v,
        relative_gap=assembly.relative_gap(zero, gap, primal, dual), support=sum(part.support for part in
        found),
        interval=None, alpha=None,
    )  # fmt: skip


def _same(value):
    return value
