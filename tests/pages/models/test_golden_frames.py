"""A race shows what was recorded: columns, ranges, sentences; and there is a record of every page."""

import pytest

from tests.corpora.golden_frames import FOLDER, SETTINGS, differences, frames, recorded

# Panel's own widgets are made with both names of their label.
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
MOST_SHOWN = 20
# `tests/pages/hosts/test_drawn_frames.py` has the settings of these.
DRAWN = {"transfer", "simplex", "online", "conjugates"}


def test_there_is_a_record_of_every_page():
    assert {path.name.removesuffix(".json.xz") for path in FOLDER.glob("*.xz")} == set(SETTINGS) | DRAWN
    for page, settings in SETTINGS.items():
        assert set(recorded(page)) == set(settings)


@pytest.mark.parametrize("setting", SETTINGS["race"])
def test_a_race_shows_what_was_recorded(setting):
    shown_frames, expected = dict(frames(setting)), recorded("race")[setting]
    wrong = list(differences(shown_frames, expected, f"race, {setting}"))
    shown = "\n".join(wrong[:MOST_SHOWN])
    assert not wrong, f"{len(wrong)} parts differ from the record:\n{shown}"
