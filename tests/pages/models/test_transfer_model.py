"""The model and the drawing of the page of transfer functions, without a browser."""

import itertools
import json

import numpy as np
import pytest

from tests.helpers.amounts import few
from tests.helpers.node_engine import module_script, printed
from workbench import regularizers
from workbench.conjugates.derivations import outcomes, sketches
from workbench.pages import theme
from workbench.pages.transfer import figures
from workbench.pages.transfer import model as transfer
from workbench.pages.transfer.model import SHAPES, Transfer

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


@pytest.fixture(scope="module")
def scripts():
    """Those that the package brings."""
    return {name: outcomes.shipped()[outcomes.key("transfer", SHAPES[name].script)] for name in SMOOTH}


AT_THE_POINTS = f"""
const out = {json.dumps(POINTS)}.map((v) => {{ const w = f.map(v); return [f.h(v), ...w, f.g(w)]; }});
console.log(JSON.stringify(out));
"""


def evaluated(script, name, model, program=AT_THE_POINTS):
    """h, w, g(w) at the points, by the page's own JavaScript; or what another program prints."""
    shape = SHAPES[name]
    names = ", ".join(sketches.TRANSFER_FUNCTIONS) if shape.script else ""
    script = script or {"script": "", "linear": False, "lower": -np.inf}
    theta = {key: value for key, (_, _, value) in model.numbers().items()}
    if shape.kind == "simplex":
        theta["total"] = model.mu_1 + model.mu_2
    args = {
        "kind": shape.kind,
        "weights": shape.weights,
        "linear": script["linear"],
        "lower": None if np.isinf(script["lower"]) else script["lower"],
        "name": transfer.NORMS.get(name, ""),
        "v_ball": shape.v_ball,
        "w_ball": shape.w_ball,
    }
    numbers = printed(
        module_script("runtime/printed", "transfer/browser")
        + f"Object.assign(printed, (() => {{ {script['script']}\nreturn {{{names}}}; }})());\n"
        f"const args = {json.dumps(args)}; args.lower ??= -Infinity;\n"
        f"const f = regularizer(args, {json.dumps(theta)}, 2);\n{program}"
    )
    return np.array(numbers)


@pytest.mark.parametrize("name", few(RUN_TIME, 2))
def test_the_browser_maps_as_the_solvers_do(name, scripts):
    model = Transfer(regularizer=name)
    at = RUN_TIME[name](model).at(2)
    for v, (h, *w, _) in zip(POINTS, evaluated(scripts[name], name, model), strict=True):
        wanted_h, wanted_w = at.map(np.array(v))
        assert h == pytest.approx(wanted_h, rel=ROUNDING, abs=ROUNDING)
        assert w == pytest.approx(wanted_w, rel=ROUNDING, abs=ROUNDING)


@pytest.mark.parametrize("name", SMOOTH)
def test_fenchel_and_young_meet_at_the_image(name, scripts):
    rows = evaluated(scripts[name], name, Transfer(regularizer=name))
    for v, (h, w1, w2, g) in zip(POINTS, rows, strict=True):
        assert g + h == pytest.approx(v[0] * w1 + v[1] * w2, rel=1e-9, abs=1e-9)


EDGES = """
const window = { x: [-4.5, 4.5], y: [-3, 3] };
const joined = ({ x, y }) => x.map((e, k) => [e, y[k]]);
const at = (part, level) => joined(levelAt(part, window, level));
console.log(JSON.stringify([at(f.sum, args.v_ball), at(f.size, args.w_ball)]));
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
def test_thick_sets_are_drawn_from_their_formulas(name, scripts):
    """Every corner of the line is on the edge, and no side of it is off the edge by a pixel."""
    for places, size in zip(evaluated(scripts.get(name), name, Transfer(), EDGES), THICK[name], strict=True):
        corners = np.array(places[:-1], dtype=float)
        assert np.allclose([size(corner) for corner in corners], 1.0, rtol=0.0, atol=1e-9)
        for start, end in itertools.pairwise(corners):
            middle = 0.5 * (start + end)
            # From a point inside, the next on the edge is at most so much farther out.
            assert size(middle) <= 1.0 + 1e-9
            assert size(middle * (1.0 + PIXEL / np.linalg.norm(middle))) > 1.0
    if name == "Elastic net":
        box = np.array(evaluated(scripts[name], name, Transfer(epsilon=0.87), EDGES)[0][:-1], dtype=float)
        assert {tuple(corner) for corner in np.round(box[np.abs(box).min(axis=1) > 0.86999], 9)} == {
            (0.87, 0.87),
            (0.87, -0.87),
            (-0.87, 0.87),
            (-0.87, -0.87),
        }


@pytest.mark.parametrize("name", SHAPES)
def test_every_regularizer_has_a_drawing(name, scripts):
    model = Transfer(regularizer=name)
    drawing = figures.document(model, scripts.get(name), theme.look())
    assert set(drawing.figures) == {"value", "slope", "v_plane", "w_plane", "contact", "stopping", "real"}
    sliders = {key.removeprefix("par_") for key in drawing.controls if key.startswith("par_")}
    assert sliders == set(SHAPES[name].parameters)


@pytest.mark.parametrize("name", SHAPES)
def test_the_code_shown_is_python(name):
    model = Transfer(regularizer=name)
    numbers = {key: value for key, (_, _, value) in model.numbers().items()}
    compile(model.python().format(v1=1.6, v2=0.6, **numbers), "shown", "exec")


@pytest.mark.parametrize("name", RUN_TIME)
def test_the_code_shown_runs(name, capsys):
    model = Transfer(regularizer=name)
    numbers = {key: value for key, (_, _, value) in model.numbers().items()}
    exec(model.python().format(v1=1.6, v2=0.6, **numbers), {})
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


def test_the_real_v_is_that_of_a_solution():
    real = transfer.real_v("Breast cancer")
    assert real.v.shape == (30,)
    assert np.abs(real.v).max() == pytest.approx(2.5)
    assert set(real.picks) <= set(range(30))
    assert transfer.real_v("Breast cancer") is real
