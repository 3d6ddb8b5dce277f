"""What the server makes of a run that the visitor's browser reports: it certifies every number itself."""

import asyncio
import random

import coroutines
import numpy as np
import pytest

from workbench import losses
from workbench.errors import InputError
from workbench.pages import lent
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab import served
from workbench.pages.dual_lab.player import DualLabPlayer


def lab_of(**choices):
    return dual_lab.build(dual_lab.DualLab(**choices).settings())


def reported(lab, epochs):
    """What an honest browser says of the same problem after some epochs."""
    other = lab_of(**{name: lab.settings[name] for name in ("source", "loss", "regularizer", "lam")})
    rows = [[other.run.rows[-1][name] for name in served.ROW]]
    for _ in range(epochs):
        other.run.epoch()
        other.run.record()
        rows.append([other.run.rows[-1][name] for name in served.ROW])
    event = other.run.last_event
    report = {
        "step": other.run.steps, "status": None, "alpha": other.run.state.alpha.copy(),
        "rows": np.ravel(rows), "event": np.array([] if event is None else event, dtype=float),
    }  # fmt: skip
    return other, report


@pytest.mark.parametrize(
    ("loss", "regularizer"), [("Hinge", "Elastic net"), ("Logistic", "Entropy"), ("ε-insensitive", "q-norm")]
)
def test_a_run_that_was_taken_back_goes_on_as_if_it_had_not_left(loss, regularizer):
    lab = lab_of(source="Breast cancer", lam=0.01, loss=loss, regularizer=regularizer)
    other, report = reported(lab, 3)
    served.take_back(lab.run, report, 1e-4)
    assert lab.run.steps == other.run.steps
    assert lab.run.last_event == other.run.last_event
    assert [row["step"] for row in lab.run.rows] == [row["step"] for row in other.run.rows]
    for run in (lab.run, other.run):
        run.epoch(2)
        run.record()
    assert lab.run.last_event.index == other.run.last_event.index
    assert abs(lab.run.last.gap - other.run.last.gap) <= 1e-10 * other.run.problem.zero_value


def at_step(report, step):
    """To go back among such rows, the server would do all these steps."""
    report["rows"][-len(served.ROW)] = step
    report["step"] = step


LIES = {
    "another primal": lambda report: report["rows"].__setitem__(-4, report["rows"][-4] + 1e-6),
    "an infinite gap": lambda report: report["rows"].__setitem__(-2, np.inf),
    "no number": lambda report: report["rows"].__setitem__(-2, np.nan),
    "converged too early": lambda report: report.update(status="converged"),
    "other dual variables": lambda report: report.update(alpha=0.5 * report["alpha"]),
    "too few of them": lambda report: report.update(alpha=report["alpha"][1:]),
    "words": lambda report: report.update(alpha=["a"] * 455),
    "no rows": lambda report: report.update(rows=np.empty(0)),
    "half a row": lambda report: report.update(rows=report["rows"][:-1]),
    "another status": lambda report: report.update(status="<b>"),
    "a step before the first": lambda report: report.update(step=-1),
    "a step that is none": lambda report: report.update(step="7"),
    "half an event": lambda report: report.update(event=np.zeros(3)),
    "an event of another sample": lambda report: report["event"].__setitem__(0, 1e6),
    "an event of half a sample": lambda report: report["event"].__setitem__(0, 0.5),
    "a step that is no row's": lambda report: report.update(step=report["step"] + 1),
    "more steps than there were": lambda report: at_step(report, 2**52),
    "rows of half a step": lambda report: report["rows"].__setitem__(0, 0.5),
    "rows that go back": lambda report: report["rows"].__setitem__(0, -1.0),
    "a number beyond all floats": lambda report: report.update(alpha=[10**400] * 455),
    "nothing": lambda report: report.clear(),
}


@pytest.mark.parametrize("lie", LIES)
def test_the_browsers_numbers_are_never_taken_for_true(lie):
    lab = lab_of(source="Breast cancer", lam=0.01)
    _, report = reported(lab, 1)
    LIES[lie](report)
    with pytest.raises(InputError, match="The server computes from here on"):
        served.take_back(lab.run, report, 1e-4)


def test_own_functions_and_large_data_stay_with_the_server(monkeypatch):
    lab = lab_of(source="Breast cancer", lam=0.01)
    assert served.data(lab)["key"] == "Breast cancer None"
    assert lent.printed_terms(lab.run.problem) is not None
    own = losses.custom("max(0, 1 - u)**3 / 3", kind="margin")
    lab.run.problem = lab.run.problem.replace(loss=own)
    assert lent.printed_terms(lab.run.problem) is None
    monkeypatch.setattr(served, "MOST_BYTES", 1000)
    assert served.data(lab) is None


class Browser:
    """Stands for a page's `Lent`: reports what it is told to, and hears what becomes of it."""

    def __init__(self, lie):
        self.lie, self.turn, self.settled, self.refused = lie, 0, [], []

    async def takes(self, lab):
        return not self.refused

    async def begin(self, lab, order):
        self.turn += 1
        _, report = reported(lab, 1)
        self.lie(report)
        self.player.hear(report | {"turn": self.turn})

    async def leave(self):
        self.turn += 1

    async def settle(self, lab):
        self.settled.append(lab)
        self.player.close()

    def refuse(self, sentence):
        self.refused.append(sentence)


@pytest.mark.parametrize("lie", [None, "another primal"])
def test_where_the_two_disagree_the_server_says_so_and_solves(lie):
    async def session():
        frames, told = [], []

        async def show(lab, frame):
            frames.append(frame)

        async def tell(sentence, is_error):
            told.append(sentence)
            # A busy machine says meanwhile that it loads or compiles.
            if not sentence.startswith(("Loading", "Compiling")):
                player.close()

        player = DualLabPlayer(dual_lab.DualLab(source="Breast cancer", lam=0.1), show, tell)
        player.lent = Browser(LIES[lie] if lie else lambda report: None)
        player.lent.player = player
        player.restart()
        await asyncio.wait_for(player.serve(), 240)
        return player.lent, frames, told

    lent, frames, told = coroutines.run(session())
    if lie is None:
        assert (len(lent.settled), lent.refused, frames) == (1, [], [])
    else:
        assert len(lent.refused) == 1
        assert lent.settled == []
        assert frames
        assert "Reached" in told[-1]


def damaged(draw, report):
    """A report with something else in it."""
    name = draw.choice(sorted(report))
    value = report[name]
    if isinstance(value, np.ndarray) and value.size and draw.random() < 0.8:
        report[name] = value.copy()
        for _ in range(draw.choice((1, 1, 4))):
            report[name][draw.randrange(value.size)] = draw.choice(
                (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e17, 5e-324, -1.0, 0.0, 0.5, 2.0**53, 7.0)
            )
    else:
        others = (None, True, -1, 0, 3, 2**53, 10**400, 1.5, "x", [], [[1.0], [2.0, 3.0]], {}, [None], b"x")
        report[name] = draw.choice(others)


def test_a_damaged_report_is_refused_or_is_that_of_a_run():
    draw, used, refused = random.Random(11), 0, 0
    lab = lab_of(source="Breast cancer", lam=0.01)
    _, report = reported(lab, 2)
    for _ in range(150):
        found = dict(report)
        damaged(draw, found)
        try:
            served.take_back(lab.run, found, 1e-4)
        except InputError as error:
            refused += "The server computes from here on" in str(error)
            continue
        used, n = used + 1, lab.run.problem.n_samples
        assert lab.run.last_event is None or 0 <= lab.run.last_event.index < n
        assert lab.run.steps == report["step"]
        assert all(0 <= row["step"] <= report["step"] for row in lab.run.rows)
    assert used + refused == 150
    assert min(used, refused) > 10
