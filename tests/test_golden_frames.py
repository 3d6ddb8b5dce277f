"""What each page shows at the moments of a run is what was recorded: columns, ranges, sentences, numbers."""

import pytest
from golden_frames import FOLDER, PAGES, SETTINGS, differences, frames, recorded

# Panel's own widgets are made with both names of their label.
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
# Those that the browser draws: what they show is compared in tests of their own.
STAGED = {"bias", "dual_lab", "inverse_time", "norms", "svm_gaps"}
CASES = [(page, setting) for page in SETTINGS if page not in STAGED for setting in SETTINGS[page]]
MOST_SHOWN = 20


def test_there_is_a_record_of_every_page():
    assert {path.name.removesuffix(".json.xz") for path in FOLDER.glob("*.xz")} == set(SETTINGS)
    assert {*PAGES, *STAGED, "race"} == set(SETTINGS)
    for page, settings in SETTINGS.items():
        assert set(recorded(page)) == set(settings)


@pytest.mark.parametrize(("page", "setting"), CASES)
def test_a_page_shows_what_was_recorded(page, setting):
    found, expected = dict(frames(page, setting)), recorded(page)[setting]
    wrong = list(differences(found, expected, f"{page}, {setting}"))
    shown = "\n".join(wrong[:MOST_SHOWN])
    assert not wrong, f"{len(wrong)} parts differ from the record:\n{shown}"
