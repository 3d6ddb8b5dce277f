"""The models of the pages, without a browser."""

import asyncio

import coroutines
import numpy as np
import pytest
from amounts import latin

from workbench.errors import InputError
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab import predictions, presets
from workbench.pages.dual_lab.explain import closed_form, explain
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.dual_lab.player import DualLabPlayer
from workbench.pages.dual_lab.snapshot import LARGEST_WEIGHTS, MOST_SAMPLES, snapshot

PATIENCE = 600  # seconds; a player that has not answered by then hangs
SMALL = "Breast cancer"


def settings(**changes):
    return dual_lab.DualLab(source=SMALL, **changes).settings()


def played(tolerance=1e-4, **changes):
    """A lab that has run to the end."""
    lab = dual_lab.build(settings(**changes))
    while not dual_lab.play(lab, 0.5, tolerance):
        pass
    return lab


@pytest.mark.parametrize(
    ("loss", "regularizer"),
    latin(dual_lab.LOSSES, dual_lab.REGULARIZERS),
)
def test_every_choice_of_the_page_runs(loss, regularizer):
    lab = dual_lab.build(settings(loss=loss, regularizer=regularizer, lam=0.1))
    start = lab.run.last.gap
    lab.run.epoch(3)
    assert lab.run.record().gap < start
    frame = snapshot(lab)
    captions = DualLabFigures().show(frame)
    assert set(captions) == {"gap", "objective", "weights", "duals", "terms"}
    assert f"{lab.run.last.primal:.6g}" in captions["objective"]


def test_code_shown_gives_the_same_numbers():
    lab = played(lam=0.01, epsilon=0.05, order="cyclic", scale=0.5)
    assert lab.run.status == "converged"
    scope = {}
    exec(dual_lab.code(lab.settings, 1e-4).replace("print(", "result = ("), scope)
    # The page certifies every epoch, solve() less often, so only the optimum agrees, within both gaps.
    primal, dual, _ = scope["result"]
    assert dual <= lab.run.last.primal
    assert lab.run.last.dual <= primal
    assert scope["s"].description["regularizer"] == repr(lab.run.problem.regularizer)
    assert scope["gs"] == lab.run.solver


def test_refused_settings_raise_and_name_the_mend():
    with pytest.raises(InputError, match="use 'exact'"):
        dual_lab.build(settings(regularizer="Entropy", update="bounded"))


def test_values_out_of_bounds_are_refused_by_the_model():
    model = dual_lab.DualLab(source=SMALL)
    for name, value in (("lam", 0.0), ("lam", 2.0), ("eta", -1.0), ("loss", "no such loss"), ("seed", 1.5)):
        with pytest.raises(ValueError, match=name):
            setattr(model, name, value)


def test_a_run_that_uses_up_its_epochs_can_go_on():
    lab = played(tolerance=1e-15, lam=1e-3)
    assert lab.run.status == "max_epochs"
    assert lab.run.epochs == dual_lab.MOST_EPOCHS
    while not dual_lab.play(lab, 0.5, 1e-15):
        pass
    assert lab.run.epochs == 2 * dual_lab.MOST_EPOCHS


def test_data_are_prepared_once():
    first = dual_lab.build(settings(lam=0.1))
    second = dual_lab.build(settings(lam=0.2, loss="Logistic"), first)
    assert second.run.problem.rows is first.run.problem.rows
    assert second.run.problem.lam == 0.2
    balanced = dual_lab.build(settings(regularizer="Entropy"), second)
    assert balanced.run.problem.rows.shape[1] == 2 * first.run.problem.rows.shape[1]


def test_snapshot_counts_what_it_draws():
    lab = played(lam=0.01)
    frame, certificate = snapshot(lab), lab.run.last
    duals = frame["duals"]
    assert duals["zero"] + duals["free"] + duals["bound"] == lab.run.problem.n_samples
    assert duals["zero"] == np.count_nonzero(certificate.alpha == 0.0)
    assert duals["bound"] == np.count_nonzero(np.abs(certificate.alpha) == 1.0)
    assert len(duals["value"]) <= MOST_SAMPLES
    assert np.all(np.diff(duals["value"]) <= 0.0)
    w, _ = lab.run.problem.split(certificate.w)
    count = min(LARGEST_WEIGHTS, np.count_nonzero(w))
    np.testing.assert_array_equal(np.sort(np.abs(frame["weights"]["weight"])), np.sort(np.abs(w))[-count:])


@pytest.mark.parametrize("update", dual_lab.UPDATES)
def test_explanation_carries_the_numbers_of_the_step(update):
    lab = dual_lab.build(settings(update=update, regularizer="Squared ℓ2", lam=0.1, scale=0.5, eta=0.5))
    assert explain(lab.run) is None
    lab.run.step(5)
    event, step = lab.run.last_event, explain(lab.run)
    assert f"sample {event.index:,} " in step.title
    assert f"{event.prediction:.4f}".rstrip("0") in step.numbers[0]
    assert step.clipped == (event.alpha_free != event.alpha_after)
    assert step.source.startswith("Zhang (2002)")


def test_every_loss_of_the_page_has_its_step_as_a_formula():
    for loss in dual_lab.LOSSES:
        run = dual_lab.build(settings(loss=loss, regularizer="Squared ℓ2")).run
        run.step()
        assert explain(run).formula == closed_form(run.problem.loss)[0]


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
        model, page = dual_lab.DualLab(source=SMALL, lam=0.1), Recorder()
        player = DualLabPlayer(model, page.show, page.tell)
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


def test_player_steps_and_drops_overtaken_requests():
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


def test_player_keeps_the_old_lab_where_settings_are_refused():
    async def script(model, player, page):
        player.restart()
        await told(page, "Reached")
        before = player.lab
        model.update, model.regularizer = "bounded", "Entropy"
        player.restart()
        await told(page, "use 'exact'")
        assert player.lab is before
        model.update = "exact"
        player.restart()
        await told(page, "after")
        assert player.lab is not before

    drive(script)


def test_player_survives_a_bug(monkeypatch):
    async def script(model, player, page):
        player.restart()
        await told(page, "Reached")
        with monkeypatch.context() as broken:
            broken.setattr(dual_lab, "build", lambda *_: 1 / 0)
            player.restart()
            await told(page, "Internal error (ZeroDivisionError")
        player.restart()
        await told(page, "Reached")

    drive(script)


def test_two_configurations_share_their_data_and_run_side_by_side():
    lab = played(lam=0.01, compare=True, b_scale=0.1, b_lam=0.01)
    first, second = (each.run for each in lab.pair)
    assert second.problem.rows is first.problem.rows
    assert second.solver.scale == 0.1
    assert first.solver.scale == 1.0
    assert first.status == "converged"
    assert second.status == "max_epochs"
    frame = snapshot(lab)
    assert frame["other"]["row"]["gap"] == second.last.gap
    captions = DualLabFigures().show(frame)
    assert f"B: {second.last.gap:.2e}" in captions["gap"]


def test_terms_say_who_holds_the_gap_open():
    lab = dual_lab.build(settings(lam=0.01))
    lab.run.epoch()
    certificate = lab.run.record()
    terms = snapshot(lab)["terms"]
    assert terms["share"][0] == certificate.sample_terms.max()
    assert terms["sample"][0] == np.argmax(certificate.sample_terms)
    ordered = np.sort(certificate.sample_terms)[::-1]
    half = terms["half"]
    assert ordered[:half].sum() >= 0.5 * ordered.sum() > ordered[: half - 1].sum()


@pytest.mark.parametrize("question", predictions.QUESTIONS)
def test_every_question_is_answered_by_the_runs(question):
    before = settings(lam=0.01)
    after = before | {"compare": True} | predictions.changes(question, before)
    lab = dual_lab.build(after)
    assert predictions.reveal(question, "fewer", lab) is None
    while not dual_lab.play(lab, 0.5, 1e-4):
        pass
    sentence = predictions.reveal(question, "fewer", lab)
    right = [
        option
        for option in predictions.QUESTIONS[question].options
        if "right" in predictions.reveal(question, option, lab)
    ]
    assert len(right) == 1
    assert sentence.startswith("You were right" if right == ["fewer"] else "You said fewer; it was ")


@pytest.mark.parametrize("name", presets.PRESETS)
def test_every_preset_builds(name):
    model = dual_lab.DualLab()
    available = model.param.source.objects
    if presets.PRESETS[name].get("source", available[0]) not in available:
        pytest.skip("the data are not on this machine")
    model.lam, model.update = 0.5, "newton"
    presets.apply(model, name)
    assert model.update == presets.PRESETS[name].get("update", "exact")
    lab = dual_lab.build(model.settings())
    lab.run.epoch()
    lab.run.record()
    assert lab.run.last_event is not None
