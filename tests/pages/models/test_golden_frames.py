"""There is a record of every page whose frames are compared with those that Python once drew."""

from tests.corpora.golden_frames import FOLDER, SETTINGS, recorded

# `tests/pages/hosts/test_drawn_frames.py` has the settings of these.
DRAWN = {"transfer", "simplex", "online", "conjugates", "compare"}


def test_there_is_a_record_of_every_page():
    assert {path.name.removesuffix(".json.xz") for path in FOLDER.glob("*.xz")} == set(SETTINGS) | DRAWN
    for page, settings in SETTINGS.items():
        assert set(recorded(page)) == set(settings)
