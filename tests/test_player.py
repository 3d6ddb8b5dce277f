"""The player of a page's runs, without a browser."""

import asyncio

import coroutines
import numpy as np
import pytest
from small_player import SmallPlayer

from workbench import Problem
from workbench.errors import InputError

PATIENCE = 600  # seconds; a player that has not answered by then hangs


class Model:
    """One number as the choices of a page."""

    def __init__(self, lam):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(60, 4))
        self.lam, self.samples = lam, Problem(X, np.sign(X[:, 0]), "hinge", "squared-l2", 1.0)

    def settings(self):
        return {"lam": self.lam, "source": "sixty points"}

    def problem(self, settings):
        if settings["lam"] > 1.0:
            raise InputError("lam is too large; use 1")
        return self.samples.replace(lam=settings["lam"])


class Recorder:
    """A page that only writes down what the player tells it."""

    def __init__(self):
        self.frames, self.sentences = [], []

    async def show(self, lab, frame):
        self.frames.append((lab.settings["lam"], frame["row"]["step"]))

    async def tell(self, sentence, is_error):
        self.sentences.append((sentence, is_error))


def drive(script):
    """Run a script against a player; returns what was shown and told."""

    async def session():
        model, page = Model(0.1), Recorder()
        player = SmallPlayer(model, page.show, page.tell)
        served = asyncio.ensure_future(player.serve())
        await script(model, player, page)
        player.close()
        await asyncio.wait_for(served, PATIENCE)
        return page

    return coroutines.run(session())


async def told(page, text):
    for _ in range(100 * PATIENCE):
        if any(text in sentence for sentence, _ in page.sentences):
            page.sentences.clear()
            return
        await asyncio.sleep(0.01)
    pytest.fail(f"{text!r} was not told: {page.sentences}")


def test_steps_are_done_and_overtaken_requests_dropped():
    async def script(model, player, page):
        player.restart(play=False)
        await told(page, "Paused after 0 steps")
        player.ask("step")
        await told(page, "Paused after 1 steps")
        for lam in np.geomspace(0.1, 1.0, 50):
            model.lam = lam
            player.restart()
        await told(page, "Reached")

    page = drive(script)
    shown = {lam for lam, _ in page.frames}
    assert 1.0 in shown
    assert len(shown) <= 3


def test_the_old_lab_stays_where_settings_are_refused():
    async def script(model, player, page):
        player.restart()
        await told(page, "Reached")
        before, model.lam = player.lab, 2.0
        player.restart()
        await told(page, "lam is too large")
        assert player.lab is before
        model.lam = 0.5
        player.restart()
        await told(page, "after")
        assert player.lab is not before

    drive(script)


def test_a_bug_is_told_and_survived(monkeypatch):
    async def script(model, player, page):
        player.restart()
        await told(page, "Reached")
        with monkeypatch.context() as broken:
            broken.setattr(model, "problem", lambda settings: 1 / 0)
            player.restart()
            await told(page, "Internal error (ZeroDivisionError")
        player.restart()
        await told(page, "Reached")

    drive(script)
