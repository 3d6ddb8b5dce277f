"""Addresses: allow-listed keys, bounded values, refusals in sentences; no browser."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpora import table
from workbench.pages import address, theme
from workbench.pages.dual_lab.declaration import DualLab


@pytest.mark.parametrize(
    ("query", "fragment"),
    [
        *table("addresses")["refused"],
        ("seed=" + "9" * 1000, "is refused"),
        ("seed=" + "9" * 3000, "longer than 2000 characters"),
        ("&".join(f"k{k}=1" for k in range(60)), "more than 40 keys"),
    ],
)
def test_refusals_are_sentences_and_the_default_stays(query, fragment):
    page = DualLab(source="Breast cancer")
    before = page.settings()
    names = [name for name in page.names() if name != "points"]
    looks = {key.name for key in address.LOOKS}
    values, refusals = address.read(query, [*address.keys_of(page, names).values(), *address.LOOKS])
    page.change({name: value for name, value in values.items() if name not in looks})
    assert any(fragment in sentence for sentence in refusals)
    changed = {name for name, value in page.settings().items() if value != before[name]}
    assert changed <= ({"lam"} if "twice" in fragment else set())


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(query):
    values, refusals = address.read(query, [address.number("lam", 0.0, 1.0), address.text("hide")])
    assert set(values) <= {"lam", "hide"}
    assert all(isinstance(sentence, str) and len(sentence) < 400 for sentence in refusals)
    assert all(math.isfinite(values[name]) for name in values if name == "lam")


@given(st.floats(1e-6, 1.0))
def test_numbers_survive_the_address(value):
    key = address.number("lam", 1e-6, 1.0)
    query = address.write({"lam": value}, {"lam": 2.0}, [key])
    values, refusals = address.read(query, [key])
    assert refusals == []
    assert values["lam"] == pytest.approx(value, rel=1e-15, abs=0.0)


def contrast(one, other):
    """The contrast of two colours after WCAG 2."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255.0 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_contrast_and_lines_are_seen(dark):
    look = theme.look(dark)
    for colour in (look.ink, look.muted, look.good, look.bad, look.vermillion_text, look.blue):
        for paper in (look.paper, look.ground):
            assert contrast(colour, paper) >= 4.5, (colour, paper)
    # Okabe and Ito's own palette stands as it is on light paper; strokes differ by their dashes too.
    for colour in (look.blue, look.vermillion, look.green):
        assert contrast(colour, look.paper) >= 3.0, colour


def test_numbers_are_written_with_the_digits_they_need():
    key = address.number("x", -1.0, 1e9)
    # A slider counts in steps; what somebody dragged to comes back to the bit.
    for k in range(1, 400):
        value = 0.05 * k
        assert len(key.write(value)) <= 5
        assert key.read(key.write(value)) == pytest.approx(value, rel=2e-15)
    assert (key.write(0.1 + 0.2), key.write(-0.0), key.write(1e-3)) == ("0.3", "0", "0.001")
    for value in (0.1234567890123456, 1.0 / 3.0, 123456.78901234567, 2.0**-40):
        assert key.read(key.write(value)) == value
    assert address.write({"x": 0.1 + 0.2}, {"x": 0.3}, [key]) == ""
