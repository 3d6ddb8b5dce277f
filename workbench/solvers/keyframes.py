"""States of a run that are kept on the way, so that it can be brought back to any of its steps."""

KEYFRAMES, KEYFRAME_BYTES = 64, 2**26


class Keyframes:
    """States of one run, at equal distances that double where there are too many.

    n steps and n times one agree bit for bit, so that the steps after a kept state give what was there.

    Parameters
    ----------
    run : Run
        At its beginning.
    most_bytes : int
        Of all states together; the first and the last are kept in any case.
    """

    def __init__(self, run, most_bytes=KEYFRAME_BYTES):
        self.run, self.most_bytes = run, most_bytes
        self.spacing, self.frames = run.epoch_steps, []
        self._keep()

    def advance(self, count):
        """Do `count` steps and keep a state after each `spacing`; returns how many were done."""
        run, start = self.run, self.run.steps
        while run.steps < start + count:
            following = (run.steps // self.spacing + 1) * self.spacing
            size = min(start + count, following) - run.steps
            if run.step(size) < size:
                break
            if run.steps == following > self.frames[-1][0]:
                self._keep()
        return run.steps - start

    def seek(self, step):
        """Bring the run to a step of its past or its future, from the nearest state before it."""
        start, state = [frame for frame in self.frames if frame[0] <= step][-1]
        if not start <= self.run.steps <= step:
            self._restore(state)
        self.advance(step - self.run.steps)

    def _keep(self):
        state = {name: array.copy() for name, array in self.run.state._asdict().items()}
        self.frames.append((self.run.steps, state))
        size = sum(array.nbytes for array in state.values())
        if len(self.frames) > max(2, min(KEYFRAMES, self.most_bytes / size)):
            self.spacing *= 2
            self.frames = [frame for frame in self.frames if frame[0] % self.spacing == 0]

    def _restore(self, keyframe):
        """Restore a state whose arrays are new, since caches such as a kernel's rows belong to arrays."""
        state = self.run.state
        # Two fields may be one array.
        fresh = {id(array): keyframe[name].copy() for name, array in state._asdict().items()}
        self.run.state = type(state)(*(fresh[id(array)] for array in state))
