"""The functions that the page of Fenchel-Young losses draws, against the solvers', without a browser."""

import functools
import re

import numpy as np
import pytest

import workbench as wb
from tests.helpers.amounts import few
from tests.helpers.node_engine import module_script
from workbench._support.errors import InputError
from workbench.conjugates.derivations import outcomes, sketches
from workbench.conjugates.derivations.sketches import SIMPLEX_FUNCTIONS
from workbench.pages.simplex import figures
from workbench.pages.simplex import model as simplex
from workbench.pages.simplex.declaration import Simplex
from workbench.pages.simplex.model import ENTROPIES, PRESETS, TSALLIS

# Of the browser's numbers against the loss of the solvers.
SAME = 1e-9
ALPHAS = (1.0, 1.01, 1.5, 2.0)
CASES = [(TSALLIS, {"alpha": alpha}) for alpha in ALPHAS]
CASES += [(name, {}) for name in ENTROPIES if name != TSALLIS]
RNG = np.random.default_rng(5)
SCORES = [
    *(RNG.normal(size=(12, 3)) * np.array([[0.1], [1.0], [4.0]]).repeat(4, axis=0)),
    np.zeros(3),
    np.array([1.0, 1.0, -2.0]),
    np.array([4.0, -4.0, -4.0]),
    np.array([0.5, 0.5, 0.5]),
]
PROGRAM = """
const predicted = (j, theta, a, b, c) => lossOf(printed, theta).predict([a, b, c])[j];
const part = (name, label) => (theta, a, b, c) => lossOf(printed, theta).gap([a, b, c], label)[name];
const [loss0, loss1, loss2] = [0, 1, 2].map((label) => part("loss", label));
const [star, corner] = [part("star", 0), part("corner", 0)];
const lead = (theta) => lossOf(printed, theta).margin();
const drawn = (theta, a, b, c) => lossOf(printed, theta).omegaStar([a, b, c], ROUGH);
"""


def derived(name):
    """Return the derivation of a phi that the package brings."""
    return outcomes.shipped()[outcomes.key("simplex", *simplex.request(name))]


def source(name):
    return program_of(derived(name)["script"])


def program_of(script):
    names = ", ".join(SIMPLEX_FUNCTIONS)
    functions = f"const printed = (() => {{ {script}\nreturn {{{names}}}; }})();\n"
    return module_script("simplex/loss") + functions + PROGRAM


def python_loss(name, theta):
    """The loss that the page's own code card makes."""
    return made(ENTROPIES[name].code.format(**theta))


@functools.cache
def made(code):
    return eval(f"wb.losses.fenchel_young({code})", {"wb": wb})


every_case = pytest.mark.parametrize(("name", "theta"), CASES, ids=lambda case: str(case))


@every_case
def test_the_browser_predicts_and_loses_as_python_does(javascript, name, theta):
    loss = python_loss(name, theta)
    calls = [("predicted", j, theta, *z) for z in SCORES for j in range(3)]
    p = np.reshape(javascript(source(name), calls), (-1, 3))
    np.testing.assert_allclose(p, loss.predict(np.array(SCORES)), rtol=0.0, atol=SAME)
    for label in range(3):
        losses = javascript(source(name), [(f"loss{label}", theta, *z) for z in SCORES])
        expected = loss.values(np.array(SCORES), np.full(len(SCORES), label))
        np.testing.assert_allclose(losses, expected, rtol=0.0, atol=SAME)


@every_case
def test_the_three_numbers_are_those_of_omega(javascript, name, theta):
    """Omega* by what it is: the largest p.z - Omega(p), reached at the prediction."""
    loss = python_loss(name, theta)
    phi = loss.scalar("conjugate")

    def omega(p):
        return sum(phi(float(probability), loss.theta) for probability in p)

    stars = javascript(source(name), [("star", theta, *z) for z in SCORES])
    for z, star in zip(SCORES, stars, strict=True):
        p = loss.predict(z)
        assert star == pytest.approx(p @ z - omega(p), abs=SAME)
    corners = javascript(source(name), [("corner", theta, *SCORES[0])])
    assert corners[0] == pytest.approx(omega((1.0, 0.0, 0.0)), abs=SAME)
    drawn = javascript(source(name), [("drawn", theta, *z) for z in SCORES])
    np.testing.assert_allclose(drawn, stars, rtol=0.0, atol=SAME)


@every_case
def test_the_margin_is_where_the_loss_becomes_zero(javascript, name, theta):
    loss = python_loss(name, theta)
    (lead,) = javascript(source(name), [("lead", theta)])
    if np.isinf(lead):
        assert loss.values(np.array([[30.0, 0.0, 0.0]]), np.zeros(1, dtype=int))[0] > 0.0
        return
    # At alpha = 1.01 the share of a class that lags by half the margin is (1/2)**100.
    z = np.array([[lead, 0.0, -0.3], [0.5 * lead, 0.0, -0.3]])
    at, before = loss.values(z, np.zeros(2, dtype=int))
    assert abs(at) <= 1e-12
    assert before > 0.0
    np.testing.assert_allclose(loss.predict(z[0]), (1.0, 0.0, 0.0), atol=1e-15)


def test_what_makes_no_loss_is_refused():
    wrong = {"-u**2": "not convex", "3*u": "straight line", "-log(u)": "infinite at u = 0"}
    for text, message in wrong.items():
        with pytest.raises(InputError, match=message):
            sketches.simplex(text)


@pytest.mark.parametrize("name", ENTROPIES)
def test_the_code_shown_runs(name, capsys):
    settings = Simplex(phi=name).settings()
    label = settings["true_class"] - 1
    arguments = ENTROPIES[name].code.format(**settings)
    exec(simplex.python().replace("{arguments}", arguments).format(**settings, label=label), {})
    z = np.array([[settings[f"theta{j}"] for j in (1, 2, 3)]])
    loss = python_loss(name, settings)
    assert f"{loss.predict(z)[0]} {loss.values(z, np.array([label]))[0]}" in capsys.readouterr().out


@pytest.mark.parametrize("values", PRESETS.values(), ids=PRESETS)
def test_presets_lie_within_the_bounds(values):
    Simplex(**values)


def test_what_is_said_of_the_kink_holds():
    """Every share is 1/3 up to a difference of 2, and not beyond."""
    loss = python_loss("A kink at 1/3", {})
    np.testing.assert_allclose(loss.predict(np.array([1.0, 0.2, -1.0])), 1.0 / 3.0, atol=1e-15)
    assert abs(loss.predict(np.array([1.01, 0.2, -1.01])) - 1.0 / 3.0).max() > 1e-3


def test_sparsemax_is_the_nearest_point():
    loss, z = python_loss(TSALLIS, {"alpha": 2.0}), np.array([0.9, 0.1, -0.6])
    others = RNG.dirichlet(np.ones(3), size=500)
    assert (np.linalg.norm(others - z, axis=1) >= np.linalg.norm(loss.predict(z) - z) - 1e-12).all()


def test_the_corners_are_those_of_the_simplex_without_a_change_of_length():
    corners = np.array([corner[:2] for corner in figures.CORNERS])
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    np.testing.assert_allclose(sides, np.sqrt(2.0), rtol=1e-15)
    np.testing.assert_allclose(corners.sum(axis=0), 0.0, atol=1e-15)
    assert simplex.CLASSES == 3


# Texts that somebody may type.
TYPED = ("u*log(u) + u**2", "cosh(u)", "exp(u) + u**2", "u**1.5", "-sqrt(u)")


@pytest.mark.parametrize("text", few(TYPED, 2))
def test_a_typed_phi_is_drawn_with_the_loss_of_python(javascript, text):
    outcome = sketches.simplex(*simplex.own_request(text))
    program = program_of(outcome["script"])
    loss, scores = wb.losses.fenchel_young(text), np.array(SCORES)
    p = np.reshape(javascript(program, [("predicted", j, {}, *z) for z in SCORES for j in range(3)]), (-1, 3))
    np.testing.assert_allclose(p, loss.predict(scores), rtol=0.0, atol=SAME)
    losses = javascript(program, [("loss1", {}, *z) for z in SCORES])
    expected = loss.values(scores, np.ones(len(SCORES), dtype=int))
    np.testing.assert_allclose(losses, expected, rtol=0.0, atol=SAME)


def test_what_is_no_formula_is_refused_as_it_is():
    with pytest.raises(InputError) as caught:
        sketches.simplex("u +")
    assert simplex.refusal(caught.value) == str(caught.value).rstrip(".") + "."


def test_what_is_refused_is_said_with_what_holds_instead():
    says = {
        "-u**2": "not convex.*largest convex function below",
        "3*u": "straight line.*p not unique",
        "-log(u)": "infinite at u = 0.*L may be infinite",
        "exp(u) + u**4": "a closed form.*computes it in Python",
    }
    for text, message in says.items():
        with pytest.raises(InputError) as caught:
            sketches.simplex(*simplex.own_request(text))
        assert re.search(message, simplex.refusal(caught.value)), simplex.refusal(caught.value)


def test_unknown_phi_and_long_formulas_are_refused():
    with pytest.raises(InputError, match="unknown phi 'none'; expected one of Tsallis"):
        Simplex().answer({"type": "loss", "phi": "none"})
    page = Simplex()
    with pytest.raises(InputError, match="formula"):
        page.change({"formula": "u" * (simplex.LONGEST + 1)})
    assert page.formula == ""
