"""The model of the Dual lab without a browser: what its choices stand for, its formulas and its questions."""

import json

import numpy as np
import pytest

from tests.helpers import lab_runs
from tests.helpers.amounts import latin
from tests.helpers.node_engine import module_script, printed
from workbench._support.errors import InputError
from workbench.pages import terms
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.explain import closed_form
from workbench.pages.dual_lab.model import TEXTS


@pytest.mark.parametrize(
    ("loss", "regularizer"),
    latin(terms.LOSSES, terms.REGULARIZERS),
)
def test_every_choice_of_the_page_runs(loss, regularizer):
    run = lab_runs.run_of(lab_runs.settings(loss=loss, regularizer=regularizer, lam=0.1))
    start = run.last.gap
    run.epoch(3)
    assert run.record().gap < start


def test_refused_settings_raise_and_name_the_mend():
    with pytest.raises(InputError, match="use 'exact'"):
        lab_runs.run_of(lab_runs.settings(regularizer="Entropy", update="bounded"))


def test_data_are_prepared_once():
    first = dual_lab.problem(lab_runs.settings(lam=0.1))
    second = dual_lab.problem(lab_runs.settings(lam=0.2, loss="Logistic"))
    assert second.rows is first.rows
    assert second.lam == 0.2
    balanced = dual_lab.problem(lab_runs.settings(regularizer="Entropy"))
    assert balanced.rows.shape[1] == 2 * first.rows.shape[1]


def test_every_loss_of_the_page_has_its_step_as_a_formula():
    for loss in terms.LOSSES:
        formula, source = closed_form(dual_lab.problem(lab_runs.settings(loss=loss)).loss)
        assert formula.startswith(r"\Delta")
        assert source.startswith("Zhang (2002), (13)")


GAUGE = ("dual_lab/gauge", "runtime/numerals", "runtime/wording")
ANSWER = """
const ends = { inf: Infinity, "-inf": -Infinity };
console.log(JSON.stringify(cases.map((points) => {
    const rows = points.map((each) => each.map((value) => ends[value] ?? value));
    return new Gauge(rows.map(([dual, primal]) => ({ primal, dual, gap: primal - dual })), texts).shown;
})));
"""
INF = "inf"
# Bounds (dual, primal), the first of them at the start; places on the axis, which of its ends is open, words.
ENDS = (
    ([(0, 1), (0.2, 0.6)], [20, 60], [False, False], "is all that is not known"),
    ([(0, 1), ("-inf", 0.6)], [0, 60], [True, False], "nothing bounds the optimum from below"),
    ([(0, 1), (0.2, INF)], [20, 100], [False, True], "nothing bounds the optimum from above"),
    ([(0, 1), ("-inf", INF)], [0, 100], [True, True], "nothing is known about the optimum"),
    ([("-inf", INF)], [0, 100], [True, True], "nothing is known about the optimum"),
    ([("-inf", 9), (0, 2), (0.5, 1)], [25, 50], [False, False], "is all that is not known"),
    ([(0, 1), (-0.5, 3)], [0, 100], [True, True], "It reaches beyond the axis"),
    ([(2, 2)], [50, 50], [False, False], "is all that is not known"),
    ([(0, 0)], [50, 50], [False, False], "is all that is not known"),
)


def gauges(*cases):
    """Return the state of the gauge for bounds (dual, primal), one or several of a run."""
    return printed(
        f"{module_script(*GAUGE)}\nconst texts = {json.dumps(TEXTS)}, cases = {json.dumps(cases)};{ANSWER}"
    )


def test_what_has_no_end_or_lies_beyond_the_axis_is_shown_as_such():
    for (points, axis, open_ends, words), shown in zip(
        ENDS, gauges(*(points for points, *_ in ENDS)), strict=True
    ):
        assert shown["axis"] == pytest.approx(axis)
        assert shown["open"] == open_ends
        assert words in shown["sentence"]
        endless = ["inf" in str(bound) for bound in points[-1]]
        assert ["∞" in shown[name] for name in ("dual", "primal")] == endless
        # JSON has none for what is not finite.
        assert all(x is not None for name in ("axis", "lens", "window") for x in shown[name])
    (shown,) = gauges([(0, 1), (0.1234561, 0.1234568)])
    assert (shown["dual"], shown["primal"]) == ("−D(α) = 0.12345610", "P(w) = 0.12345680")
    assert shown["lens_label"] == "magnified 1,000,000 times"
    assert 9.0 <= shown["lens"][1] - shown["lens"][0] <= 90.0


def test_texts_are_pythons():
    """The same templates give the same sentences in both languages."""
    forms = [".2e", ".6g", ".5g", ".4g", ".2g", ".1g", ".1e", ".0f", "+.2e", "+g", "g"]
    draw = np.random.default_rng(0)
    numbers = [0.0, 1.0, -1.0, 100.0, 1e5, 123456.0, 1e-4, 9.9995e-5, 1e16, -0.6, *draw.normal(size=40)]
    # Ties among them.
    numbers += [12.5, 0.3, -150.0, 10.0, 0.125, 2.5, 13.5, 99.5, 9.5, -0.5, 250.0, 1.5e-5, 2.0**-20]
    numbers += [float(x) for x in 10.0 ** draw.uniform(-12, 12, 60)]
    printed_texts = printed(
        f"{module_script(*GAUGE)}\nconsole.log(JSON.stringify({json.dumps(forms)}.map((form) => "
        f"{json.dumps(numbers)}.map((x) => written(x, form)))));"
    )
    for form, texts in zip(forms, printed_texts, strict=True):
        assert texts == [format(x, form) for x in numbers], form


@pytest.mark.parametrize("name", dual_lab.PRESETS)
def test_every_preset_builds(name):
    model = dual_lab.DualLab()
    available = model.param.source.objects
    if dual_lab.PRESETS[name].get("source", available[0]) not in available:
        pytest.skip("the data are not on this machine")
    model.param.update(**{"source": available[0]} | dual_lab.PRESETS[name])
    run = lab_runs.run_of(model.param.values())
    run.epoch()
    run.record()
    assert run.last_event is not None
