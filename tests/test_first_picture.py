"""The pictures that are seen while kernels compile: kept of the very runs, drawn before there is a lab."""

import dataclasses

import numpy as np
import pytest

from workbench.pages import first_picture, theme
from workbench.pages.dual_lab.page import DualLabPage
from workbench.pages.first_pictures import PAGES, drawn, picture
from workbench.pages.norms.figures import NormsFigures

# Panel 1.9 prefers `label`, which Panel 1.8 does not know.
pytestmark = pytest.mark.filterwarnings("ignore:.*name:PendingDeprecationWarning")


def numbers(column):
    """A column of numbers as an array, None for what is no such column."""
    column = [row for each in column for row in (each["image"] if isinstance(each, dict) else [each])]
    flat = [each for part in column for each in (part if isinstance(part, list) else [part])]
    whole = flat and all(isinstance(each, int | float) or each is None for each in flat)
    return np.array([np.nan if each is None else each for each in flat], dtype=float) if whole else None


@pytest.mark.parametrize("kind", PAGES, ids=[kind.title for kind in PAGES])
def test_what_is_kept_is_what_a_run_draws(kind):
    now, kept = picture(drawn(kind)), first_picture.kept().get(kind.title)
    assert kept is not None, "run: python -m workbench.pages.first_pictures"
    assert kept["settings"] == now["settings"]
    assert first_picture.of(kind.title, PAGES[kind]().settings()) is kept
    assert list(kept["sentences"]) == list(now["sentences"])
    assert list(kept["figures"]) == list(now["figures"])
    compared = close = 0
    for name, figure in now["figures"].items():
        before = kept["figures"][name]
        assert [list(columns) for columns in before["columns"]] == [list(each) for each in figure["columns"]]
        assert list(before["ranges"]) == list(figure["ranges"])
        for columns, others in zip(figure["columns"], before["columns"], strict=True):
            for column, values in columns.items():
                ours, theirs = numbers(values), numbers(others[column])
                if ours is not None and theirs is not None and np.isfinite(ours).any():
                    compared += 1
                    scale = np.nanmax(np.abs(ours))
                    close += ours.shape == theirs.shape and np.allclose(
                        ours, theirs, rtol=0.01, atol=0.01 * scale, equal_nan=True
                    )
    # Another processor rounds otherwise, and a run may end some steps earlier or later.
    assert close >= 0.8 * compared > 5


def test_colours_are_those_of_the_look():
    light, dark = NormsFigures(), theme.look(dark=True)
    colour = list(light.colours.values())[:3]
    points = {"x": [0.0] * 3, "y": [0.0] * 3, "marker": ["circle"] * 3, "says": [""] * 3}
    light.sources["points"].data = points | {"colour": colour}
    kept = {"figures": first_picture.taken(light.figures)}
    colours = set(dataclasses.asdict(dark).values())
    drawing = NormsFigures(dark)
    first_picture.show(kept, drawing.figures, dark)
    seen = {
        value
        for source in drawing.sources.values()
        for values in source.data.values()
        for value in values
        if isinstance(value, str) and value.startswith(("#", "@"))
    }
    assert seen
    assert seen <= colours


def test_other_choices_have_no_kept_picture():
    settings = PAGES[DualLabPage]().settings()
    assert first_picture.of(DualLabPage.title, settings) is not None
    assert first_picture.of(DualLabPage.title, settings | {"lam": 0.3}) is None
    assert first_picture.of("Roads", {}) is None
