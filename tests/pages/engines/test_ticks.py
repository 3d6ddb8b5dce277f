"""Ticks and labels of axes: far enough apart, and each says where it is."""

import itertools
import json
import math

import pytest
from bokeh.plotting import figure

from tests.helpers.node_engine import printed
from workbench.pages import theme, ticks

# Ends of a logarithmic axis, and whether its ticks are powers of ten alone.
AXES = {
    (1e-6, 1.0): True,
    (3e-7, 20.0): True,
    (1e-20, 1.0): True,
    (0.5, 3e3): True,
    (200.0, 25_600.0): False,
    (2.5e3, 6e4): False,
    (1.0, 2.0): False,
    (0.9, 1.1): False,
    (1.5, 7.0): False,
    (12.0, 95.0): False,
    (2e-5, 3e-4): False,
    (99.0, 101.0): False,
}
CALLS = """([ticks, labels, axes, linear]) => {
  const found = new Function("cb_data", ticks), label = new Function("tick", "index", "ticks", labels);
  const both = (at) => [at, at.map((tick, k) => label(tick, k, at))];
  return [axes.map(([start, end]) => both(found({ start, end }))), linear.map((at) => both(at)[1])];
}"""
LINEAR = {
    (-3e-5, -2e-5, -1e-5, 0.0): ["−3·10⁻⁵", "−2·10⁻⁵", "−10⁻⁵", "0"],
    (-0.30000000000000004, 0.0, 0.5): ["−0.3", "0", "0.5"],
    (0.0, 2e4, 4e4): ["0", "20,000", "40,000"],
    (0.0, 5e-4, 1e-3): ["0", "0.0005", "0.001"],
}
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-", ",")


@pytest.fixture(scope="module")
def printed_ticks():
    arguments = [ticks.TICKS, ticks.LABELS, [list(axis) for axis in AXES], [list(case) for case in LINEAR]]
    return printed(f"console.log(JSON.stringify(({CALLS})({json.dumps(arguments)})))")


def number(label):
    """Return the number that a label prints."""
    is_raised = any(character in label for character in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    factor, _, power = label.rpartition("10") if is_raised else (label, "", "")
    value = float(factor.rstrip("·").translate(RAISED) or 1.0)
    return value * 10.0 ** int(power.translate(RAISED)) if power else value


def test_labels_of_a_logarithmic_axis_keep_their_distance_and_are_true(printed_ticks):
    for (ends, powers), (at, labels) in zip(AXES.items(), printed_ticks[0], strict=True):
        assert 3 <= len(at) <= 10, ends
        span = math.log10(ends[1] / ends[0])
        places = [math.log10(place / ends[0]) / span for place in at]
        assert all(later - before > 0.06 for before, later in itertools.pairwise(places)), ends
        assert [number(label) for label in labels] == pytest.approx(at, rel=1e-9), ends
        assert all(math.log10(place) % 1 == 0 for place in at) is powers, ends


def test_labels_of_small_and_large_numbers(printed_ticks):
    assert printed_ticks[1] == list(LINEAR.values())


def test_every_logarithmic_axis_has_them_and_no_axis_overlapping_labels():
    drawn = figure(x_axis_type="log")
    theme.style_figure(drawn, theme.LIGHT)
    assert [type(axis.major_label_policy).__name__ for axis in drawn.axis] == ["NoOverlap", "NoOverlap"]
    assert drawn.xaxis[0].ticker.major_code == ticks.TICKS
    assert drawn.xaxis[0].formatter.code == ticks.LABELS
    assert not hasattr(drawn.yaxis[0].ticker, "major_code")
