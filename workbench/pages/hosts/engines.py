"""The engines in Python that answer a page whose browser cannot compute, over the page's own connection."""

import asyncio
import time

from workbench._support.errors import InputError
from workbench.kernels import compilation
from workbench.pages.server import budgets
from workbench.pages.server.turns import turns
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import Engine
from workbench.problems import losses, regularizers

# What a problem may name, and the combinations that all visits have computed.
LOSSES, REGULARIZERS, COMBINATIONS = {*losses.REGISTRY, "None"}, {*regularizers.REGISTRY, "None"}, set()
MAX_ENGINES, MAX_EPOCHS = budgets.ENGINES.most, budgets.EPOCHS.most
# Epochs that one message may ask for: a visitor's browser may send any number.
AHEAD = budgets.EPOCHS_AT_ONCE.most
MAX_COUNTS = {
    "step": ("count", budgets.STEPS_AT_ONCE.most),
    "epoch": ("count", AHEAD),
    "run": ("every", AHEAD),
    "profile": ("count", 1000),
}
MAX_LISTED = budgets.ENTRIES.most
TOO_LONG = "{type}: {name} has {count} entries, and at most {most} are answered at once"
TOO_LARGE = "{type}: {name} = {value} is above {most}, the most that a page may ask for at once"
NOT_TAKEN = "the message holds something that it should not; docs/browser.md says what it takes"
COMPILING = "Compiling kernels, once after an installation: {current} ({done} done)."
# A message that holds anything may fail with these, whatever its types.
UNUSABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
POLL_SECONDS = 0.5
# Of a message: whole numbers that JavaScript holds exactly, and letters.
MAX_ID, LONGEST_ID = 2**53, 100
UNKNOWN = "problem: solver = {solver!r} is not one of this page; expected one of {names}"
MANY_TERMS = (
    f"problem: a page has at most {budgets.COMBINATIONS.most} combinations of a loss, a regularizer and a "
    "solver that Python computes; load it again"
)
ALL_TERMS = (
    f"problem: this server has computed {budgets.ALL_COMBINATIONS.most} combinations of a loss, a "
    "regularizer and a solver, as many as it compiles; choose one that was chosen before"
)
TOO_MANY = f"a page has at most {MAX_ENGINES} runs side by side"


class Engines:
    """The engines of one visit by their names.

    Parameters
    ----------
    problem : callable
        Of what the message "data" names, a dict, gives the problem; called in a thread.
    send : coroutine function
        Sends a message to the browser.
    kind : type
        The class of each engine: that of a page with messages of its own has them.
    solvers : collection of str, optional
        The names of those that a message may ask for; by default any.
    """

    def __init__(self, problem, send, kind=Engine, solvers=None):
        self.problem, self.send, self.kind, self.solvers = problem, send, kind, solvers
        self.combinations = set()  # of terms, for which kernels were compiled
        self.engines, self.closed = {}, False

    def close(self):
        """Let every run end with its present slice."""
        self.closed = True
        self.engines.clear()

    async def take(self, name, message):
        """Answer a message to the engine of a name, and go on with its run until the next one."""
        if not isinstance(message, dict):
            return
        message = message | {"id": usable_id(message.get("id"))}
        if name not in self.engines and len(self.engines) >= MAX_ENGINES:
            await self._post(name, [_refusal(message, TOO_MANY)])
            return
        session = self.engines.setdefault(name, _VisitEngine())
        session.calls += 1
        count = session.calls
        kind = message.get("type")
        # First pictures go before runs.
        urgent = kind == "data" or (isinstance(kind, str) and len(self.kind.types.get(kind, ())) > 2)
        async with session.lock:
            while not self.closed:
                async with turns.take():
                    left = await asyncio.to_thread(session.advance, message)
                if left is None:
                    break
                message = message | {"count": left}
            async with turns.take(urgent):
                answers = await self._awaited(asyncio.to_thread(self._answers, session, message))
            await self._post(name, answers)
        # A message that comes during a run is answered first, and goes on with the run itself.
        while not self.closed and count == session.calls:
            # Answers go out in the order of the work: a frame of the run before would undo the next answer.
            async with session.lock:
                async with turns.take():
                    goes_on, answers = await asyncio.to_thread(_proceed, session)
                await self._post(name, answers)
            if not goes_on:
                return

    async def _awaited(self, work):
        """Return the result of the work; until then the page says which kernels compile."""
        task = asyncio.ensure_future(work)
        while not (await asyncio.wait({task}, timeout=POLL_SECONDS))[0]:
            if compilation.progress["current"] and not self.closed:
                await self.send({"compiling": COMPILING.format(**compilation.progress)})
        return task.result()

    async def _post(self, name, answers):
        for answer in answers:
            if not self.closed:
                await self.send({"engine": name, "answer": bundle.binary(answer)})

    def _answers(self, session, message):
        if message.get("type") != "data":
            if session.engine is None:
                return [_refusal(message, "there are no data yet; send 'data' first")]
            try:
                if "max_epochs" in message:
                    message = message | {"max_epochs": min(message["max_epochs"], MAX_EPOCHS)}
                refusal = session.too_large(message) or self._beyond(session, message)
                if refusal:
                    return [_refusal(message, refusal)]
                return session.collect(lambda: session.engine.take(message))
            except UNUSABLE:
                return [_refusal(message, NOT_TAKEN)]
        settings = {key: value for key, value in message.items() if key not in ("version", "id", "type")}
        try:
            problem = self.problem(settings)
        except InputError as error:
            return [_refusal(message, str(error))]
        except UNUSABLE:
            return [_refusal(message, NOT_TAKEN)]
        session.engine = self.kind(problem, session.answers.append)
        return [{"version": 1, "id": message.get("id"), "type": "ready", **session.engine.size()}]

    def _beyond(self, session, message):
        """Return a sentence if a problem asks for a solver or for terms that it may not; else ""."""
        if "solver" not in message and "loss" not in message and "regularizer" not in message:
            return ""
        solver = message.get("solver", session.engine.choices["solver"])
        name = solver.get("name") if isinstance(solver, dict) else solver
        if self.solvers is not None and name is not None and name not in self.solvers:
            return UNKNOWN.format(solver=str(name)[:LONGEST_ID], names=", ".join(sorted(self.solvers)))
        terms = (message.get(kind) for kind in ("loss", "regularizer"))
        names = (
            term.get("name") if isinstance(term, dict) else str(term).partition(":")[0] for term in terms
        )
        combination = (*map(str, names), str(name))
        for known, most, refusal in (
            (self.combinations, budgets.COMBINATIONS.most, MANY_TERMS),
            (COMBINATIONS, budgets.ALL_COMBINATIONS.most, ALL_TERMS),
        ):
            if combination not in known and len(known) >= most:
                return refusal
        self.combinations.add(combination)
        if combination[0] in LOSSES and combination[1] in REGULARIZERS:  # else it is refused
            COMBINATIONS.add(combination)
        return ""


class _VisitEngine:
    """An engine, its answers that are due, and how many messages it was sent."""

    def __init__(self):
        self.engine, self.answers, self.calls, self.lock = None, [], 0, asyncio.Lock()
        self.farthest = 0  # of the steps of its runs
        self.step_seconds = 0.0  # as the last of its runs took

    def too_large(self, message):
        """A sentence where a message asks for more than one may; "" where it does not."""
        type, run = message.get("type"), self.engine.run
        lists = {name: len(value) for name, value in message.items() if isinstance(value, list)}
        long = [name for name, count in lists.items() if count > MAX_LISTED]
        if long and type != "problem":  # which has a dual variable a sample
            return TOO_LONG.format(type=type, name=long[0], count=lists[long[0]], most=MAX_LISTED)
        name, most = MAX_COUNTS.get(type, ("", None))
        if type in self.engine.places and run is not None:
            name, most = self.engine.places[type], self.farthest + AHEAD * run.epoch_steps
        if most is None or not message.get(name, 0) > most:
            return ""
        return TOO_LARGE.format(type=type, name=name, value=message[name], most=most)

    def steps_in_a_turn(self):
        """Return the number of steps that take a turn at the most: an epoch, or more where they are quick."""
        quick = budgets.TURN_SECONDS.most / self.step_seconds if self.step_seconds else 0
        return max(self.engine.run.epoch_steps, int(quick))

    def advance(self, message):
        """Go a turn of the steps that a message asks for; returns how many are left, None below a turn."""
        type, count, run = message.get("type"), message.get("count"), self.engine and self.engine.run
        if type != "step" or run is None or not isinstance(count, int) or self.too_large(message):
            return None
        most = self.steps_in_a_turn()
        try:
            if count <= most or self.measured(lambda: self.engine.advance(most)) < most:
                return None
        except (InputError, *UNUSABLE):
            return None  # the message itself fails, and is answered
        return count - most

    def measured(self, act):
        """Do something with the run and measure its steps; returns their number."""
        run, begin = self.engine.run, time.monotonic()
        before = 0 if run is None else run.steps
        act()
        steps = run.steps - before if run is not None and run is self.engine.run else 0
        if steps > 0:
            self.step_seconds = (time.monotonic() - begin) / steps
        return steps

    def collect(self, act):
        self.measured(act)
        if self.engine.run is not None:
            self.farthest = max(self.farthest, self.engine.run.steps)
            if self.engine.running is not None and self.step_seconds:
                most = max(1, self.steps_in_a_turn() // self.engine.run.epoch_steps)
                self.engine.running["every"] = min(self.engine.running["every"], most)
        answers, self.answers[:] = list(self.answers), []
        return answers


def usable_id(id):
    """Return the number or the name of a message, which its answer repeats; None for anything else."""
    is_number = isinstance(id, int) and abs(id) <= MAX_ID
    return id if is_number or (isinstance(id, str) and len(id) <= LONGEST_ID) else None


def _proceed(session):
    if session.engine is None:
        return False, []
    going = []
    try:
        answers = session.collect(lambda: going.append(session.engine.proceed()))
    except UNUSABLE:  # of what a message before asked for
        running, session.engine.running = session.engine.running, None
        return False, [_refusal(running or {}, NOT_TAKEN)]
    return going[0], answers


def _refusal(message, text):
    return {"version": 1, "id": message.get("id"), "type": "error", "text": text}
