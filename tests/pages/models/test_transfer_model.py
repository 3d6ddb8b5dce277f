"""The functions that the page of transfer functions draws, against the solvers', without a browser."""

import itertools
import json

import numpy as np
import pytest

from tests.helpers import coroutines
from tests.helpers.amounts import few
from tests.helpers.node_engine import module_script, printed
from workbench import regularizers
from workbench._support.errors import InputError
from workbench.pages.hosts import blocks
from workbench.pages.transfer import model as transfer
from workbench.pages.transfer.declaration import Transfer
from workbench.pages.transfer.model import SHAPES

SMOOTH = [name for name, shape in SHAPES.items() if shape.script]
POINTS = [(1.6, 0.6), (-2.0, 0.3), (0.05, -0.07), (2.9, 2.9)]
# The regularizers of the solvers that the page's numbers stand for.
RUN_TIME = {
    "Elastic net": lambda m: regularizers.ElasticNet(m.epsilon),
    "Squared ℓ2": lambda m: regularizers.SquaredL2(K=(m.K, 1.0)),
    "q-norm": lambda m: regularizers.QNorm(m.q, m.power),
    "Entropy": lambda m: regularizers.Entropy((m.mu_1, m.mu_2)),
    "Normalized entropy": lambda m: regularizers.NormalizedEntropy((m.mu_1, m.mu_2)),
}
# Two ways to the same formula, a few roundings apart.
ROUNDING = 1e-12


def page_of(name):
    """Return the page of a regularizer, and what its module asks of it."""
    page = Transfer(regularizer=name)
    answer = page.answer({"type": "regularizer", "name": name}) if SHAPES[name].script else None
    return page, {"formulas": answer}


AT_THE_POINTS = f"""
const out = {json.dumps(POINTS)}.map((v) => {{ const w = f.map(v); return [f.h(v), ...w, f.g(w)]; }});
console.log(JSON.stringify(out));
"""


def evaluated(name, program=AT_THE_POINTS, **settings):
    """h, w, g(w) at the points, by the page's own JavaScript; or what another program prints."""
    page, answers = page_of(name)
    page.param.update(**settings)
    contents = {"settings": page.settings(), "answers": answers, "facts": page.facts()}
    packed = blocks.packed(contents).hex()
    modules = module_script("transfer/regularizer", "runtime/sets", "runtime/hosts/blocks")
    return np.array(
        printed(
            f"{modules}const given = opened(Uint8Array.from(Buffer.from('{packed}', 'hex')).buffer);\n"
            "const shape = given.facts.shapes[given.settings.regularizer];\n"
            "const theta = parametersOf(given.settings, shape);\n"
            f"const f = regularizer(shape, theta, given.answers, 2);\n{program}"
        )
    )


@pytest.mark.parametrize("name", few(RUN_TIME, 2))
def test_the_browser_maps_as_the_solvers_do(name):
    at = RUN_TIME[name](Transfer(regularizer=name)).at(2)
    for v, (h, *w, _) in zip(POINTS, evaluated(name), strict=True):
        wanted_h, wanted_w = at.map(np.array(v))
        assert h == pytest.approx(wanted_h, rel=ROUNDING, abs=ROUNDING)
        assert w == pytest.approx(wanted_w, rel=ROUNDING, abs=ROUNDING)


@pytest.mark.parametrize("name", SMOOTH)
def test_fenchel_and_young_meet_at_the_image(name):
    for v, (h, w1, w2, g) in zip(POINTS, evaluated(name), strict=True):
        assert g + h == pytest.approx(v[0] * w1 + v[1] * w2, rel=1e-9, abs=1e-9)


EDGES = """
const window = { x: [-4.5, 4.5], y: [-3, 3] };
const joined = ({ x, y }) => x.map((e, k) => [e, y[k]]);
const at = (part, level) => joined(levelAt(part, window, level));
console.log(JSON.stringify([at(f.sum, shape.v_ball), at(f.size, shape.w_ball)]));
"""
# Formulas of the sets that are drawn thick, as a size that is 1 on the edge; of the model's defaults.
THICK = {
    "Elastic net": (lambda v: np.abs(v).max(), lambda w: np.abs(w).sum() + 0.5 * (w**2).sum()),
    "Squared ℓ2": (lambda v: (v**2).sum(), lambda w: (w**2).sum()),
    "q-norm": (lambda v: (np.abs(v) ** 3).sum(), lambda w: (np.abs(w) ** 1.5).sum()),
    "ℓ1 norm": (lambda v: np.abs(v).max(), lambda w: np.abs(w).sum()),
    "ℓ2 norm": (np.linalg.norm, np.linalg.norm),
    "ℓ∞ norm": (lambda v: np.abs(v).sum(), lambda w: np.abs(w).max()),
}
# A pixel of the figure, in units of the plane: 6 units over at most 400 pixels.
PIXEL = 6 / 400


@pytest.mark.parametrize("name", THICK)
def test_thick_sets_are_drawn_from_their_formulas(name):
    """Every corner of the line is on the edge, and no side of it is off the edge by a pixel."""
    for places, size in zip(evaluated(name, EDGES), THICK[name], strict=True):
        corners = np.array(places[:-1], dtype=float)
        assert np.allclose([size(corner) for corner in corners], 1.0, rtol=0.0, atol=1e-9)
        for start, end in itertools.pairwise(corners):
            middle = 0.5 * (start + end)
            # From a point inside, the next on the edge is farther out by at most one pixel.
            assert size(middle) <= 1.0 + 1e-9
            assert size(middle * (1.0 + PIXEL / np.linalg.norm(middle))) > 1.0
    if name == "Elastic net":
        box = np.array(evaluated(name, EDGES, epsilon=0.87)[0][:-1], dtype=float)
        assert {tuple(corner) for corner in np.round(box[np.abs(box).min(axis=1) > 0.86999], 9)} == {
            (0.87, 0.87),
            (0.87, -0.87),
            (-0.87, 0.87),
            (-0.87, -0.87),
        }


@pytest.mark.parametrize("name", SHAPES)
def test_the_code_shown_is_python(name):
    compile(transfer.python(SHAPES[name]).format(**Transfer().settings()), "shown", "exec")


@pytest.mark.parametrize("name", RUN_TIME)
def test_the_code_shown_runs(name, capsys):
    exec(transfer.python(SHAPES[name]).format(**Transfer().settings()), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("values", transfer.PRESETS.values(), ids=transfer.PRESETS)
def test_presets_lie_within_the_bounds(values):
    Transfer(**values)


def test_the_ranges_of_sliders_and_address_agree():
    model = Transfer()
    for shape in SHAPES.values():
        for name, (low, high, value) in shape.parameters.items():
            assert model.param[name].bounds == (low, high)
            assert model.param[name].default == value


def test_the_v_of_a_density_gives_the_weights_at_which_the_likelihood_is_stationary():
    real, x, lam = transfer.real_v(transfer.DENSITY), transfer.bells(), 0.1
    w = np.exp(real.v - real.v.max())
    w /= w.sum()
    # The stationary point of -mean ln(w.x) + lam sum w ln w on the simplex.
    slope = -(x / (x @ w)[:, None]).mean(axis=0) + lam * np.log(w)
    assert np.ptp(slope) <= 1e-3
    assert (x @ w).min() > 0.0


def test_the_real_v_is_that_of_a_solution():
    real = transfer.real_v("Breast cancer")
    assert real.v.shape == (30,)
    assert np.abs(real.v).max() == pytest.approx(2.5)
    assert set(real.picks) <= set(range(30))
    assert transfer.real_v("Breast cancer") is real


def test_unknown_names_are_refused():
    for message in ({"type": "regularizer", "name": "ℓ1 norm"}, {"type": "regularizer", "name": "none"}):
        with pytest.raises(InputError, match=r"unknown regularizer .*; expected one of Elastic net"):
            Transfer().answer(message)
    with pytest.raises(InputError, match="unknown source 'nowhere'; expected one of Breast cancer"):
        coroutines.run(Transfer().answer({"type": "real", "source": "nowhere"}))
