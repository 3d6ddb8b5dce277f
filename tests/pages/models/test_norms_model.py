"""The model of the page of norms and screening: refusals, choices, code."""

import json
import subprocess

import numpy as np
import pytest

from tests.helpers import node_engine
from tests.helpers.coroutines import answer_of
from workbench._support.errors import InputError
from workbench.pages.norms import model as norms
from workbench.pages.norms.declaration import Norms
from workbench.pages.norms.figures import NormsFigures
from workbench.pages.svm_gaps.figures import SvmDrawing
from workbench.pages.wording import content

PRESETS = content("norms")["presets"]


def test_a_circle_of_the_plane_is_one_on_the_screen():
    """Figures that show shapes have units of one length on both axes."""
    shapes = NormsFigures().figures["ball"], SvmDrawing().figures["plane"]
    assert all(figure.match_aspect for figure in shapes)
    assert "sphere" in Norms.square


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            {"type": "regularizer", "source": norms.SOURCES[0], "norm": "Crossing groups"},
            "overlap and neither holds the other",
        ),
        ({"type": "loss", "source": "Breast cancer", "loss": "Hinge"}, "has no gradient at its kinks"),
        ({"type": "loss", "source": norms.SOURCES[0], "loss": "Logistic"}, "label"),
        ({"type": "loss", "source": "Breast cancer", "loss": "Square"}, "Square"),
        ({"type": "regularizer", "source": "Breast cancer", "norm": "Tree", "value": 9.0}, "decay"),
        ({"type": "regularizer", "source": "nowhere", "norm": ["ℓ1"]}, "nowhere|norm"),
    ],
)
def test_terms_without_a_step_are_refused_in_words(message, said):
    page = Norms()
    try:
        answer = page.answer(message)["refusal"]
    except InputError as error:
        answer = str(error)
    assert any(part in answer for part in said.split("|"))


@pytest.mark.parametrize(
    "changed",
    [
        {"ratio": 1e-3},
        {"ratio": "x"},
        {"norm": "ℓ∞"},
        {"loss": "Hinge"},
        {"digits": 3},
        {"share": 1},
        {"source": 1},
    ],
)
def test_runs_that_cannot_screen_are_refused_in_words(changed):
    settings = {name: getattr(norms.Norms(), name) for name in ("source", "norm", "epsilon", "intercept")}
    settings |= {"loss": "Squared", "ratio": 0.3, "start": norms.ZERO, "digits": 2}
    with pytest.raises(InputError):
        answer_of(Norms(), {"type": "screening"} | settings | changed)


def test_every_choice_has_a_control_and_presets_keep_the_bounds():
    names = {name for rows in content("norms")["controls"].values() for name in rows}
    assert names == {*Norms.names()} - {"question"}
    for values in PRESETS.values():
        norms.Norms(**values)
    for question in norms.QUESTIONS.values():
        norms.Norms(**question["change"])


def test_samples_are_prepared_once():
    first, second = (norms.problem(norms.Norms(norm=name).param.values()) for name in ("ℓ1", "ℓ2"))
    assert first.rows is second.rows


CODE = """
import {{ code }} from "{module}";
const facts = {facts};
for (const settings of {settings})
  console.log(JSON.stringify(code({{ ...facts.defaults, ...settings }}, facts)));
"""
CARDS = (
    {"norm": "Sparse group", "share": 0.5, "tolerance": 1e-2},
    {"source": "Breast cancer", "loss": "Logistic", "norm": "Tree", "tolerance": 1e-2},
    {"source": "Correlated features (made)", "loss": "Logistic", "norm": "ℓ1", "tolerance": 1e-2},
    {"norm": "Elastic net", "intercept": False, "tolerance": 1e-2},
)


def test_code_runs_and_gives_a_gap_within_the_tolerance(tmp_path, capsys):
    module = node_engine.PAGES / "norms" / "frame.js"
    facts = Norms().answer({"type": "page"})
    facts = {
        name: facts[name]
        for name in (*["spelled", "losses", "epochs", "of_labels", "made", "texts", "defaults"],)
    }
    program = CODE.format(
        module=module.as_uri(),
        facts=json.dumps(facts | {"lam": 0.123456789, "canScreen": True}),
        settings=json.dumps(CARDS),
    )
    (tmp_path / "code.mjs").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [node_engine.node(), tmp_path / "code.mjs"], capture_output=True, text=True, check=True
    )
    for settings, line in zip(CARDS, done.stdout.splitlines(), strict=True):
        text = json.loads(line)
        assert "lam=0.123456789" in text
        solved, _, screened = text.rpartition("\nprint(wb.screening")
        exec(
            f"{solved}\nprint(wb.screening{screened}"
            if settings["norm"] in ("ℓ1", "Elastic net")
            else solved,
            {},
        )
        primal, _, gap = map(float, capsys.readouterr().out.split("\n")[0].split())
        assert gap <= settings["tolerance"] * np.abs(primal)
