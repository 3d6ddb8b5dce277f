"""The modules of the two curves under Node: every term's graph and areas, and the gaps of certificates."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

import workbench as wb
from tests.helpers.node_engine import node
from workbench.pages import bundling
from workbench.pages.wasm import bundle
from workbench.pages.wasm.build import MODULE
from workbench.problems import losses, regularizers

# Of the registry with their own parameters, and others.
LOSSES = (
    *("hinge", "hinge:p=2", "hinge:p=3", "squared-hinge", "smoothed-hinge", "logistic", "negative-log"),
    *("squared", "quantile:tau=0.3", "huber", "huber:delta=0.4", "epsilon-insensitive:epsilon=0.3"),
    *("epsilon-insensitive:epsilon=0.3,p=2", "epsilon-insensitive:epsilon=0.3,p=3"),
)
REGULARIZERS = (
    *("squared-l2", "elastic-net:epsilon=0.5", "entropy:mu=0.1", "q-norm:q=1.5", "normalized-entropy:mu=0.1"),
    "group-l1l2:size=2",
)
# Custom losses: value, slope, conjugate and its slope, which a kernel has of the others.
CUSTOM = {
    "max(0, 1 - u)**3 / 3": (
        "Math.max(0, 1 - u) ** 3 / 3",
        "-(Math.max(0, 1 - u) ** 2)",
        "u + 2 / 3 * (-u) ** 1.5",
        "1 - Math.sqrt(-u)",
    ),
    "2*Abs(u)": ("2 * Math.abs(u)", "2 * Math.sign(u)", "0", "0"),
}
# A mixed bag of pairs whose gaps are sums of areas; the point is not the solution.
PROBLEMS = (
    ("hinge", "elastic-net:epsilon=0.2"),
    ("logistic", "squared-l2"),
    ("squared", "elastic-net:epsilon=0.2"),
    ("squared-hinge", "squared-l2"),
    ("epsilon-insensitive:epsilon=0.1", "elastic-net:epsilon=0.2"),
)
SAMPLES, FEATURES, LAM = 40, 6, 0.05


def _plain(value):
    """The value with plain lists in place of arrays."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def _problem(rng, loss, regularizer):
    X, y = rng.normal(size=(SAMPLES, FEATURES)), rng.choice([-1.0, 1.0], size=SAMPLES)
    weight = rng.uniform(0.5, 2.0, size=SAMPLES)
    return wb.Problem(X, y, loss, regularizer, LAM, sample_weight=weight)


def _certificate(rng, loss, regularizer):
    """A certificate of weights and dual variables that do not belong together."""
    problem = _problem(rng, loss, regularizer)
    solution = wb.solve(problem, "gauss-seidel", max_epochs=2, tol=0.0)
    w = solution.w + 0.1 * rng.normal(size=FEATURES)
    certificate = wb.certificate(problem, w=w, alpha=0.7 * solution.alpha)
    return {
        "name": f"{loss} and {regularizer}",
        "loss": bundle.loss_facts(problem.loss),
        "regularizer": bundle.regularizer_facts(problem.regularizer, problem),
        "kind": problem.loss.kind,
        "lam": LAM,
        "y": problem.y,
        "weight": problem.weight,
        "z": certificate.z,
        "alpha": certificate.alpha,
        "w": certificate.w,
        "v": problem.dual_vector(certificate.alpha),
        "gap": certificate.gap,
        "sample_terms": certificate.sample_terms,
    }


def cases():
    """The facts of every term, and certificates, as JSON holds them."""
    rng = np.random.default_rng(5)
    problem = _problem(rng, "squared", "squared-l2")
    weighted = wb.regularizers.SquaredL2(K=np.linspace(1.0, 2.0, FEATURES))
    terms = {name: regularizers.get(name) for name in REGULARIZERS} | {"squared-l2 with weights": weighted}
    custom = {text: losses.custom(text, kind="margin") for text in CUSTOM}
    facts = {
        "modules": (bundling.PACKAGE / "pages").as_uri(),
        "kernels": str(MODULE.parent),
        "losses": [{"name": name, "facts": bundle.loss_facts(losses.get(name))} for name in LOSSES],
        "custom": [
            {"name": text, "functions": CUSTOM[text], "facts": bundle.graph_facts(loss)}
            for text, loss in custom.items()
        ],
        "regularizers": [
            {"name": name, "facts": bundle.regularizer_facts(term, problem)} for name, term in terms.items()
        ],
        "certificates": [_certificate(rng, *pair) for pair in PROBLEMS],
    }
    return json.dumps(bundle.plain(_plain(facts)))


def test_graphs_and_areas_of_every_term(tmp_path):
    assert {losses.get(name).name for name in LOSSES} == set(losses.REGISTRY) - {"multinomial"}
    place = tmp_path / "cases.json"
    place.write_text(cases(), encoding="utf-8")
    program = [node(), "--test", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"]
    done = subprocess.run(
        [*program, Path(__file__).with_name("duality.test.mjs")],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"CASES": str(place)},
    )
    assert done.returncode == 0, done.stdout[-6000:]
