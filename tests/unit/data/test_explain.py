"""A prediction taken apart adds up, and what would change it changes it."""

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.data.tables import explain

DRAW = np.random.default_rng(1)
SIZES = DRAW.standard_normal((60, 3)) * [1.0, 50.0, 0.01] + [0.0, 500.0, 3.0]
LABELS = np.where(SIZES @ [1.0, 0.02, -100.0] + 300.0 - 10.0 > 0.0, "yes", "no")
FRAME = pd.DataFrame(SIZES, columns=["a", "b", "c"]).assign(site=["north", "south"] * 30, y=LABELS)


@pytest.mark.parametrize("target", ["y", "site", "three", "a"])
def test_terms_and_samples_add_up_to_the_score(target):
    frame = FRAME.assign(three=np.array(list("pqr"))[np.arange(60) % 3])
    model = wb.fit(frame, target=target, lam=0.1, tol=1e-10)
    for place in (0, 17, 59):
        explanation = explain.explain(model, place)
        shown = model.predict(frame).iloc[place]
        assert explanation.label == str(shown["label"]) or target == "a"
        assert explanation.score == pytest.approx(shown["score"])
        # All of them are shown, since there are few.
        assert explanation.bias + sum(term for *_, term in explanation.terms) == pytest.approx(
            explanation.score
        )
        assert explanation.samples


def test_the_ten_largest_terms_are_shown():
    wide = pd.DataFrame(np.random.default_rng(2).standard_normal((60, 14))).add_prefix("x")
    sizes = [abs(term) for *_, term in explain.explain(wb.fit(wide.assign(y=SIZES[:, 0])), 0).terms]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 10


def test_what_would_change_a_prediction_changes_it():
    model = wb.fit(FRAME, lam=0.01)
    for place in (3, 40):
        explanation = explain.explain(model, place)
        for column, here, there in explanation.changes:
            assert FRAME[column][place] == pytest.approx(here)
            for factor, same in ((0.999, True), (1.001, False)):
                moved = FRAME.iloc[[place]].assign(**{column: here + factor * (there - here)})
                assert (model.predict(moved)["label"].iloc[0] == explanation.label) == same


def test_no_such_row_and_no_table(tmp_path):
    model = wb.fit(FRAME, lam=0.1)
    with pytest.raises(InputError, match="no row 60; the rows go from 0 to 59"):
        explain.explain(model, 60)
    model.save(tmp_path / "m.npz")
    with pytest.raises(InputError, match="needs a model with weights and its table"):
        explain.explain(wb.Model.load(tmp_path / "m.npz"), 0)
    assert "Row 5" in explain.card(model, 5)
