"""The engines in Python that answer a page whose browser cannot compute, over the page's own connection."""

import asyncio

from workbench._support.errors import InputError
from workbench.kernels import compilation
from workbench.pages.turns import turns
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import Engine

# So many runs side by side, and so many epochs of one.
MAX_ENGINES, MAX_EPOCHS = 4, 32_000
# What one message may ask for at once: a visitor's browser may send any.
MAX_COUNTS = {"step": ("count", 10**6), "epoch": ("count", 100), "profile": ("count", 1000)}
AHEAD = 100  # epochs, from the farthest place of a run, to which one may seek
MAX_LISTED = 2000
TOO_LONG = "{type}: {name} has {count} entries, and at most {most} are answered at once"
TOO_LARGE = "{type}: {name} = {value} is above {most}, the most that a page may ask for at once"
NOT_TAKEN = "the message holds something that it should not; docs/browser.md says what it takes"
COMPILING = "Compiling kernels, once after an installation: {current} ({done} done)."
# A message that holds anything may fail with these, whatever its types.
UNUSABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
POLL_SECONDS = 0.5
# Of a message: whole numbers that JavaScript holds exactly, and letters.
MAX_ID, LONGEST_ID = 2**53, 100
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
    """

    def __init__(self, problem, send, kind=Engine):
        self.problem, self.send, self.kind = problem, send, kind
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
        each = self.engines.setdefault(name, _VisitEngine())
        each.calls += 1
        count = each.calls
        kind = message.get("type")
        # First pictures go before runs.
        hurried = kind == "data" or (isinstance(kind, str) and len(self.kind.types.get(kind, ())) > 2)
        async with each.lock:
            async with turns.take(hurried):
                answers = await self._awaited(asyncio.to_thread(self._answers, each, message))
            await self._post(name, answers)
        # What comes meanwhile is answered first, and goes on with the run itself.
        while not self.closed and count == each.calls:
            # Answers go out in the order of the work: a frame of the run before would undo the next answer.
            async with each.lock:
                async with turns.take():
                    goes_on, answers = await asyncio.to_thread(_proceed, each)
                await self._post(name, answers)
            if not goes_on:
                return

    async def _awaited(self, work):
        """What work gives; meanwhile the page says which kernels compile."""
        task = asyncio.ensure_future(work)
        while not (await asyncio.wait({task}, timeout=POLL_SECONDS))[0]:
            if compilation.progress["current"] and not self.closed:
                await self.send({"compiling": COMPILING.format(**compilation.progress)})
        return task.result()

    async def _post(self, name, answers):
        for answer in answers:
            if not self.closed:
                await self.send({"engine": name, "answer": bundle.binary(answer)})

    def _answers(self, seat, message):
        if message.get("type") != "data":
            if seat.engine is None:
                return [_refusal(message, "there are no data yet; send 'data' first")]
            try:
                if "max_epochs" in message:
                    message = message | {"max_epochs": min(message["max_epochs"], MAX_EPOCHS)}
                too_large = seat.too_large(message)
                if too_large:
                    return [_refusal(message, too_large)]
                return seat.collect(lambda: seat.engine.take(message))
            except UNUSABLE:
                return [_refusal(message, NOT_TAKEN)]
        settings = {key: value for key, value in message.items() if key not in ("version", "id", "type")}
        try:
            problem = self.problem(settings)
        except InputError as error:
            return [_refusal(message, str(error))]
        except UNUSABLE:
            return [_refusal(message, NOT_TAKEN)]
        seat.engine = self.kind(problem, seat.answers.append)
        return [{"version": 1, "id": message.get("id"), "type": "ready", **seat.engine.size()}]


class _VisitEngine:
    """An engine, its answers that are due, and how many messages it was sent."""

    def __init__(self):
        self.engine, self.answers, self.calls, self.lock = None, [], 0, asyncio.Lock()
        self.farthest = 0  # of the steps of its runs

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

    def collect(self, act):
        act()
        if self.engine.run is not None:
            self.farthest = max(self.farthest, self.engine.run.steps)
        answers, self.answers[:] = list(self.answers), []
        return answers


def usable_id(id):
    """Return the number or the name of a message, which its answer repeats; None for anything else."""
    is_number = isinstance(id, int) and abs(id) <= MAX_ID
    return id if is_number or (isinstance(id, str) and len(id) <= LONGEST_ID) else None


def _proceed(seat):
    if seat.engine is None:
        return False, []
    going = []
    try:
        answers = seat.collect(lambda: going.append(seat.engine.proceed()))
    except UNUSABLE:  # of what a message before asked for
        running, seat.engine.running = seat.engine.running, None
        return False, [_refusal(running or {}, NOT_TAKEN)]
    return going[0], answers


def _refusal(message, text):
    return {"version": 1, "id": message.get("id"), "type": "error", "text": text}
