"""A page of fifty lines that shows what its host gives, for the tests of hosts."""

import asyncio
from pathlib import Path

import param

from workbench._support.errors import InputError
from workbench.pages.hosts.page import Page


class Probe(Page):
    title = "Probe"
    bundle = Path(__file__).with_name("probe.js")

    lam = param.Number(0.5, bounds=(0.0, 1.0))
    epsilon = param.Number(0.1, bounds=(0.0, 1.0))
    seed = param.Integer(0, bounds=(0, 99))
    loss = param.Selector(objects=["hinge", "logistic"])
    is_slow = param.Boolean(False)

    def __init__(self, **values):
        super().__init__(**values)
        self.batches, self.cancelled, self.gate = [], 0, None
        self.param.watch(lambda *events: self.batches.append(len(events)), self.names())

    def answer_state(self):
        """Return what Python has seen."""
        return {"settings": self.settings(), "batches": self.batches, "cancelled": self.cancelled}

    def answer_set(self, settings):
        """Set several settings from Python."""
        self.param.update(**settings)
        return {}

    def answer_double(self, array):
        return {"array": 2.0 * array, "sum": float(array.sum()), "dtype": str(array.dtype)}

    def answer_facts(self):
        """Return what JSON lacks."""
        return {"text": "λ ≤ ∞", "infinite": float("inf"), "list": [1, None, True]}

    def answer_wrong(self):
        raise InputError("lam = 2 is above its bound 1; use 1")

    def answer_fault(self):
        raise RuntimeError("a secret")

    async def answer_wait(self):
        """Wait until somebody cancels, or asks `open`."""
        self.gate = asyncio.Event()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return {"is_open": True}

    def answer_open(self):
        self.gate.set()
        return {}


# Those whose answers a file can carry.
PACKED = [{"type": "facts"}, {"type": "bokeh"}]


def serve(port):
    """Serve two probes in one column by Panel alone."""
    import panel as pn

    def column():
        return pn.Column(Probe(), Probe(lam=0.25))

    pn.serve({"probe": column}, port=port, show=False)


if __name__ == "__main__":
    import sys

    serve(int(sys.argv[1]))
