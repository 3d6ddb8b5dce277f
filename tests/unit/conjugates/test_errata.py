"""Every counterexample runs: the printed formula misses the truth, the corrected one meets it."""

import math
import re
import subprocess
import sys

import pytest

from workbench._support.errors import InputError
from workbench.conjugates.errata import errata

# The least share of the larger of the two numbers by which a printed value is off; most are off by half.
OFF = 0.05
# Values by search are exact to rounding, slopes by differences to about 1e-12.
AGREE = 1e-8
ENTRIES = errata()

for_each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.source}: {entry.where}")


def agree(value, truth):
    return value == truth if math.isinf(truth) else abs(value - truth) <= AGREE * max(1.0, abs(truth))


def clearly_off(value, truth):
    if math.isinf(value) or math.isinf(truth):
        return value != truth
    return abs(value - truth) > OFF * max(abs(value), abs(truth))


@for_each_entry
def test_the_printed_formula_is_wrong_and_the_corrected_one_right(entry):
    printed, corrected, truth = entry.check()
    assert not any(math.isnan(value) for value in (printed, corrected, truth))
    assert clearly_off(printed, truth)
    assert agree(corrected, truth)


@for_each_entry
def test_the_sentence_has_the_numbers_that_the_check_computes(entry):
    printed, _, truth = entry.check()
    texts = re.findall(r"[+-]?(?:∞|\d+\.?\d*(?:e-?\d+)?)", entry.counterexample)
    said = [float(text.replace("∞", "inf")) for text in texts]
    for value in (printed, truth):
        assert any(number == value or abs(number - value) <= 1e-5 * max(1e-3, abs(value)) for number in said)


@for_each_entry
def test_latex_is_balanced(entry):
    for text in (entry.printed, entry.corrected):
        bare = text.replace(r"\{", "").replace(r"\}", "")
        depth = 0
        for sign in bare:
            depth += (sign == "{") - (sign == "}")
            assert depth >= 0
        assert depth == 0
        assert len(re.findall(r"\\left\b", text)) == len(re.findall(r"\\right\b", text))
        assert text.count(r"\{") == text.count(r"\}")
        assert text.isascii()


def test_the_causes_are_two_lists():
    misprints, slips = errata("misprint"), errata("transcription")
    assert {entry.cause for entry in misprints} == {"misprint"}
    assert {entry.cause for entry in slips} == {"transcription"}
    assert sorted((*misprints, *slips), key=ENTRIES.index) == list(ENTRIES)
    assert {entry.where for entry in slips if entry.source == "Zhang (2002)"} == {
        "Section 6.3, the feasibility condition",
    }


@pytest.mark.parametrize("cause", ["print", "misprints", "", 1])
def test_an_unknown_cause_is_refused_with_the_known_two(cause):
    with pytest.raises(InputError, match=r"cause: .* is unknown; expected one of misprint, transcription"):
        errata(cause)


def test_the_list_is_made_without_numpy_and_sympy():
    text = (
        "import sys; from workbench.conjugates.errata import errata; errata();"
        "print([name for name in ('numpy', 'scipy', 'sympy') if name in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"
