"""The gauge of the Dual lab, and the sum that it rests on."""

import numpy as np
import pytest

from workbench.pages.dual_lab import breakdown, gauge
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.certainty import Certainty
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.dual_lab.snapshot import MOST_SAMPLES, snapshot
from workbench.pages.theme import LIGHT

# Of P(0): to what precision the page says that the lines add up.
PRECISION = 1e-12


def made(epochs, source="Breast cancer", **changes):
    lab = dual_lab.build(dual_lab.DualLab(source=source, lam=0.01, **changes).settings())
    for _ in range(epochs):
        lab.run.epoch()
        lab.run.record()
    return lab


@pytest.mark.parametrize("regularizer", ["Elastic net", "Entropy"])
@pytest.mark.parametrize("loss", dual_lab.LOSSES)
def test_the_lines_add_up_to_the_gap(loss, regularizer):
    lab = made(2, loss=loss, regularizer=regularizer)
    problem, certificate = lab.run.problem, lab.run.last
    found = snapshot(lab)["breakdown"]
    precision = PRECISION * problem.zero_value
    assert found.gap == lab.run.rows[-1]["gap"] > 0.0
    lines = [*found.terms, found.rest, found.regularizer]
    assert min(lines) >= 0.0
    assert abs(sum(lines) - found.gap) <= precision
    assert abs(certificate.primal - certificate.dual - found.gap) == found.difference <= precision
    assert found.samples.size == breakdown.LARGEST
    assert found.samples.size + found.others == problem.n_samples
    assert found.terms[-1] >= np.delete(certificate.sample_terms, found.samples).max()
    brackets = found.loss + found.conjugate + found.product
    np.testing.assert_allclose(brackets / problem.n_samples, found.terms, rtol=0.0, atol=precision)


def test_the_parts_of_a_term_are_those_of_the_loss():
    """The hinge and its conjugate, and the squared loss and its, written by hand."""
    lab = made(2, loss="Hinge")
    found, last, y = snapshot(lab)["breakdown"], lab.run.last, lab.run.problem.y
    z, alpha, y = (each[found.samples] for each in (last.z, last.alpha, y))
    np.testing.assert_allclose(found.loss, np.maximum(0.0, 1.0 - y * z), rtol=1e-12)
    np.testing.assert_allclose(found.conjugate, -alpha * y, rtol=1e-12)
    lab = made(2, loss="Squared")
    found, last, y = snapshot(lab)["breakdown"], lab.run.last, lab.run.problem.y
    z, alpha, y = (each[found.samples] for each in (last.z, last.alpha, y))
    np.testing.assert_allclose(found.loss, (z - y) ** 2, rtol=1e-12)
    np.testing.assert_allclose(found.conjugate, alpha**2 / 4.0 - alpha * y, rtol=1e-12)


def test_the_table_names_the_samples_and_says_when_there_is_no_sum():
    found = snapshot(made(1))["breakdown"]
    text = breakdown.table(found)
    assert text.count("<tr data-sample=") == breakdown.LARGEST
    assert f"data-sample='{found.samples[0]}'" in text
    assert f"the {found.others} others" in text
    assert "The gap is infinite here." in breakdown.table(None)


def test_the_gauge_shrinks_on_a_fixed_axis_and_under_the_lens():
    lab, widths, powers = made(0), [], []
    for _ in range(40):
        curves, row = snapshot(lab)["curves"], lab.run.rows[-1]
        found = gauge.measure(curves)
        start = lab.run.rows[0]
        assert (found.low, found.width) == (start["dual"], start["primal"] - start["dual"])
        for (dual, primal), (left, width) in (
            (found.axis(), (found.low, found.width)),
            (found.lens(), (found.left, found.width / 10.0**found.power)),
        ):
            np.testing.assert_allclose(left + width * np.array([dual, primal]), [row["dual"], row["primal"]])
        dual, primal = found.lens()
        if found.power:
            assert 0.0 <= dual <= primal <= 1.0
            assert 0.09 - 1e-9 <= primal - dual <= gauge.MOST_FILLED + 1e-9
        shown = gauge.shown(found)
        widths.append(shown["axis"][1] - shown["axis"][0])
        powers.append(found.power)
        lab.run.epoch()
        lab.run.record()
    assert widths[0] == pytest.approx(100.0, rel=1e-12)
    assert widths[-1] < 0.1 * widths[2] < widths[1] < widths[0]
    assert powers[0] == 0
    assert powers[-1] >= 3
    assert f"magnified {10 ** powers[-1]:,} times" == shown["lens_label"]
    assert "the gap is all that is not known" in shown["sentence"]


def curves(*points):
    """Curves of (dual, primal)."""
    dual, primal = np.array(points, dtype=float).T
    with np.errstate(invalid="ignore"):
        return {"dual": dual, "primal": primal, "gap": primal - dual}


INF = float("inf")


@pytest.mark.parametrize(
    ("points", "axis", "opened", "words"),
    [
        ([(0, 1), (0.2, 0.6)], [20, 60], [False, False], "is all that is not known"),
        ([(0, 1), (-INF, 0.6)], [0, 60], [True, False], "nothing bounds the optimum from below"),
        ([(0, 1), (0.2, INF)], [20, 100], [False, True], "nothing bounds the optimum from above"),
        ([(0, 1), (-INF, INF)], [0, 100], [True, True], "nothing is known about the optimum"),
        ([(-INF, INF)], [0, 100], [True, True], "nothing is known about the optimum"),
        ([(-INF, 9), (0, 2), (0.5, 1)], [25, 50], [False, False], "is all that is not known"),
        ([(0, 1), (-0.5, 3)], [0, 100], [True, True], "It reaches beyond the axis"),
        ([(2, 2)], [50, 50], [False, False], "is all that is not known"),
        ([(0, 0)], [50, 50], [False, False], "is all that is not known"),
    ],
)
def test_what_has_no_end_or_lies_beyond_the_axis_is_shown_as_such(points, axis, opened, words):
    shown = gauge.shown(gauge.measure(curves(*points)))
    np.testing.assert_allclose(shown["axis"], axis)
    assert shown["open"] == opened
    assert words in shown["sentence"]
    assert ("∞" in shown["dual"], "∞" in shown["primal"]) == tuple(np.isinf(points[-1]))
    numbers = [*shown["axis"], *shown["lens"], *shown["window"]]
    assert np.isfinite(numbers).all()


def test_bounds_are_written_with_the_digits_that_tell_them_apart():
    shown = gauge.shown(gauge.measure(curves((0, 1), (0.1234561, 0.1234568))))
    assert (shown["dual"], shown["primal"]) == ("−D(α) = 0.12345610", "P(w) = 0.12345680")


def test_of_two_configurations_the_gauge_is_that_of_the_first():
    lab = made(1, compare=True)
    shown = Certainty(LIGHT)
    shown.show(snapshot(lab))
    assert shown.gauge["sentence"].startswith("A: The optimum lies between")
    assert f"data-sample='{snapshot(lab)['breakdown'].samples[0]}'" in shown.terms


def test_a_term_knows_its_dual_variable_where_the_figure_of_these_is_thinned():
    lab = made(1, source="Digits · even or odd")
    frame, last, y = snapshot(lab), lab.run.last, lab.run.problem.y
    assert frame["n"] > MOST_SAMPLES
    terms, values = frame["terms"], last.alpha * y
    np.testing.assert_array_equal(terms["dual"], values[terms["sample"]])
    np.testing.assert_array_equal(np.sort(-values)[terms["dual_place"]], -terms["dual"])
    drawn = np.isin(frame["duals"]["sample"], terms["sample"])
    places = dict(zip(terms["sample"], terms["dual_place"], strict=True))
    duals = zip(frame["duals"]["sample"][drawn], frame["duals"]["place"][drawn], strict=True)
    assert all(places[sample] == place for sample, place in duals)


def test_hovering_runs_in_the_browser_and_leaves_tooltips_to_the_samples():
    figures = DualLabFigures()
    figures.show(snapshot(made(1)))
    for name, place in (("duals", "place"), ("terms", "term_place")):
        samples, ring = (figures.figures[name].renderers[k] for k in (0, 1))
        hover = figures.figures[name].hover[0]
        assert hover.callback is figures.light
        assert hover.renderers == [samples]
        assert samples.data_source is figures.sources[name]
        assert (ring.data_source, ring.glyph.x) == (figures.sources["lit"], place)
        assert figures.light in samples.data_source.js_property_callbacks["change:data"]
