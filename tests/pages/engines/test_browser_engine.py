"""The engine in the browser and the one in Python answer the same messages with the same numbers."""

import json

import numpy as np
import pytest

import workbench as wb
from tests.helpers import node_engine
from tests.helpers.cases import problem, samples, solver
from tests.helpers.page_browser import CHROMIUM, chromium
from workbench._support.errors import InputError
from workbench.certificates import certify
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import Engine

# Of a certificate, in units of P(0): two sums of the same terms in another order.
SAME = 1e-12
# Of dual variables after a few steps whose libm differs in the last place, or whose sums are regrouped; later
# the pair method may choose other pairs.
CLOSE, FEW = 1e-12, 10
STEPS = (1, 9, 990)
SOLVERS = wb.solvers
X, LABELS, TARGETS = samples(40, 6)


def made(loss, regularizer="squared-l2", y=LABELS, lam=0.01, **options):
    return wb.Problem(X, y, loss, regularizer, lam=lam, **options)


SIGNED = {"embed": "balanced", "bias": "constant"}
WEIGHTED = {"sample_weight": np.linspace(0.2, 3.0, 40)}
# The problem, the solver, and whether all its bits are those of the native run.
CASES = {
    "hinge": lambda: (made("hinge"), solver("exact"), True),
    "shrinking": lambda: (made("hinge", lam=1e-3), SOLVERS.GaussSeidel(shrinking=True), True),
    "cyclic": lambda: (made("epsilon-insensitive", y=TARGETS), solver("gradient", "cyclic"), True),
    "sparse": lambda: (problem("squared-hinge", "elastic-net", sparse=True), solver("bounded"), True),
    "newton": lambda: (made("squared", "elastic-net:epsilon=0.2", y=TARGETS), solver("newton"), True),
    "weights": lambda: (made("smoothed-hinge", **WEIGHTED), solver("exact"), True),
    "logistic": lambda: (made("logistic", "elastic-net:epsilon=0.1"), solver("exact"), False),
    "entropy": lambda: (made("hinge", "entropy:mu=0.3", **SIGNED), solver("exact"), False),
    "normalized": lambda: (made("huber", "normalized-entropy:mu=0.3", y=TARGETS), solver("bounded"), False),
    "q-norm": lambda: (made("hinge:p=3", "q-norm:q=1.5"), solver("newton"), False),
    "pairs": lambda: (made("hinge", kernel="rbf:gamma=0.5", bias=True), pairs(), False),
    "first pairs": lambda: (made("hinge", kernel="polynomial", bias=True), pairs("first-order"), False),
    "linear pairs": lambda: (made("hinge", bias=True), pairs(), False),
    "lagrangian": lambda: (made("hinge", bias=True), SOLVERS.AugmentedLagrangian(), False),
    "modified": lambda: (made("logistic", "elastic-net", bias=True), modified(), False),
    "l1": lambda: (made("squared", "l1", y=TARGETS), SOLVERS.ProximalGradient(), True),
    "groups": lambda: (made("logistic", "group-l1l2:size=3", bias=True), searched(), False),
    "largest": lambda: (made("huber", "linf", y=TARGETS, lam=0.1), SOLVERS.ProximalGradient(), True),
    "tree": lambda: (made("smoothed-hinge", TREE), SOLVERS.ProximalGradient(), True),
    "summands": lambda: (made("logistic", "entropy:mu=0.3"), searched(), False),
    "primal": lambda: (made("hinge"), SOLVERS.PrimalGradient(), True),
    "p-norm": lambda: (made("logistic", "p-norm:p=1.5"), SOLVERS.PrimalGradient(batch=3), False),
    "ball": lambda: (made("squared", "p-norm:p=1.8,ball=2", y=TARGETS), even(), True),
    "primal general": lambda: (made("hinge", "elastic-net"), SOLVERS.PrimalGradient(output="last"), True),
    "rbf": lambda: (made("hinge", kernel="rbf:gamma=0.5"), SOLVERS.GaussSeidel(), False),
}


def pairs(selection="second-order"):
    return SOLVERS.MaximalViolatingPair(tol=0.0, selection=selection)


TREE = wb.norms.Tree([[0, 1], [3], [0, 1, 2, 3], [0, 1, 2, 3, 4, 5]])


def searched():
    return SOLVERS.ProximalGradient(step="backtracking")


def even():
    return SOLVERS.PrimalGradient(order="shuffled", output="random")


def modified():
    return SOLVERS.ModifiedAugmentedLagrangian(update="bounded", eta=0.05, passes=2)


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    with node_engine.engine(tmp_path_factory.mktemp("engine")) as engine:
        yield engine


def chosen(problem, solver, seed=3):
    """Return the fields of the message "problem"."""
    return {
        "loss": repr(problem.loss),
        "regularizer": repr(problem.regularizer),
        "lam": problem.lam,
        "solver": bundle.solver_facts(solver),
        "seed": seed,
    }


class Python:
    """The engine in Python, asked as the one in Node is."""

    def __init__(self):
        self.answers, self.count = [], 0

    def start(self, problem, losses=(), regularizers=()):
        self.engine = Engine(problem, self.answers.append)
        self.known = {repr(one): one for one in (problem.loss, problem.regularizer, *losses, *regularizers)}

    def ask(self, type, **contents):
        self.count += 1
        for name in ("loss", "regularizer"):
            if contents.get(name) in self.known:
                contents[name] = self.known[contents[name]]
        self.engine.take({"version": 1, "id": self.count, "type": type, **contents})
        while self.engine.proceed():
            pass
        ended = type == "run" and self.answers[-1]["type"] == "ended"
        answer = self.answers[-2 if ended else -1]
        assert answer["id"] == self.count
        return {name: part.tolist() if hasattr(part, "tolist") else part for name, part in answer.items()}


def agree(one, other, scale):
    """Return True if two frames or certificates hold the same fields and, to rounding, the same numbers."""
    assert one.keys() == other.keys()
    for name in ("primal", "dual", "gap"):
        assert abs(one[name] - other[name]) <= SAME * scale, name
    assert one["step"] == other["step"]


@pytest.mark.parametrize("name", CASES)
def test_runs_are_those_of_the_native_kernels(name, node):
    problem, method, exact = CASES[name]()
    run = wb.Run(problem, method, seed=3)
    node.start(problem)
    first = node.ask("problem", **chosen(problem, method))
    assert first["type"] == "frame", first
    for count in STEPS:
        run.step(count)
        frame, certificate = node.ask("step", count=count), node.ask("certificate")
        assert frame["gap"] == certificate["gap"]
        native = run.certificate()
        # Python's own certificate of the very point.
        point = {"w": certificate["w"]} if "w" in method.point(run.state) else {}
        if not point or "alpha" in method.point(run.state):
            point["alpha"] = certificate["alpha"]
        certified = certify(problem, **{side: np.array(part, float) for side, part in point.items()})
        for side in ("primal", "dual", "gap"):
            assert abs(certificate[side] - getattr(certified, side)) <= SAME * problem.zero_value, side
        if exact:
            assert certificate["alpha"] == native.alpha.tolist()
            assert frame["event"] == pytest.approx(run.last_event._asdict(), rel=0.0, abs=0.0, nan_ok=True)
        elif frame["step"] <= FEW:
            assert certificate["alpha"] == pytest.approx(native.alpha, abs=CLOSE * np.abs(native.alpha).max())


@pytest.mark.parametrize("engine", ["node", "python"])
def test_seeking_gives_the_frame_that_was_there(engine, node):
    asked = node if engine == "node" else Python()
    problem, method, _ = CASES["newton"]()
    asked.start(problem)
    frames = [asked.ask("problem", **chosen(problem, method))]
    frames += [asked.ask("step", count=37) for _ in range(90)]
    for k in (90, 2, 55, 0, 89, 3):
        frame = asked.ask("seek", step=37 * k)
        assert frame | {"id": 0} == frames[k] | {"id": 0}


def test_both_engines_answer_alike(node):
    problem, method, _ = CASES["hinge"]()
    other, python = wb.regularizers.get("elastic-net:epsilon=0.2"), Python()
    for engine in (node, python):
        engine.start(problem, regularizers=(other,))
    for type, contents in (
        ("problem", chosen(problem, method)),
        ("step", {}),
        ("epoch", {"count": 3}),
        ("event", {}),
        ("certificate", {}),
        ("run", {"gap": 1e-5, "max_epochs": 900}),
        ("run", {"gap": 1e-7, "max_epochs": 900}),
        ("problem", {"regularizer": repr(other), "lam": 0.05}),
        ("run", {"gap": 1e-3, "max_epochs": 4}),
        ("frame", {}),
        ("seek", {"step": 11}),
    ):
        one, two = node.ask(type, **contents), python.ask(type, **contents)
        if type == "event":
            assert one["event"] == two["event"]
        else:
            agree(one, two, problem.zero_value)
            assert one.get("status") == two.get("status")
            assert one["alpha"] == pytest.approx(two["alpha"])


@pytest.mark.parametrize("name", ["hinge", "logistic", "entropy", "normalized", "q-norm", "l1"])
def test_both_engines_give_the_same_section(name, node):
    problem, method, _ = CASES[name]()
    python = Python()
    for engine in (node, python):
        engine.start(problem)
        engine.ask("problem", **chosen(problem, method))
        engine.ask("step", count=30)
    mirror = {"mirror": 4} if name == "normalized" else {}
    values = {"weights": [0.0, 1e-4, 0.2], "duals": [0.0, -0.3, 0.4], "predictions": [-2.0, 0.0, 0.7]}
    one, two = (engine.ask("section", feature=1, sample=3, **mirror, **values) for engine in (node, python))
    assert one["type"] == two["type"] == "section", (one, two)
    for part in ("v", "g", "conjugate", "best"):
        assert list(map(float, one[part])) == pytest.approx(two[part], rel=1e-10, abs=1e-12), part
    assert np.isfinite(float(one["g"][1]))
    for engine in (node, python):
        refused = engine.ask("section", feature=1, sample=10**6, **values)
        sentence = "section: sample = 1000000 is not a whole number of at least 0 and at most 39"
        assert sentence in refused["text"]


@pytest.mark.parametrize("name", ["lagrangian", "modified"])
def test_both_engines_give_the_same_multipliers(name, node):
    problem, method, _ = CASES[name]()
    python, seen = Python(), []
    for engine in (node, python):
        engine.start(problem)
        frames = [engine.ask("problem", **chosen(problem, method))]
        for type, contents in (("step", {"count": 37}), ("epoch", {"count": 3}), ("run", {"max_epochs": 30})):
            frames.append(engine.ask(type, **contents))
        profile = engine.ask("profile", count=9, beyond=0.5)
        back = engine.ask("seek", step=frames[1]["step"])
        assert back["multipliers"] == frames[1]["multipliers"]
        seen.append((frames, profile))
    for one, two in zip(*(frames for frames, _ in seen), strict=True):
        agree(one, two, problem.zero_value)
        # How many certificates a frame brings is a matter of pace; the last one is its own.
        for answer, expected in [(one, two), *zip(one["passed"][-1:], two["passed"][-1:], strict=True)]:
            assert answer["b"] == pytest.approx(expected["b"], rel=1e-9, abs=1e-9)
            assert answer["multipliers"].keys() == expected["multipliers"].keys()
            for part, value in expected["multipliers"].items():
                assert answer["multipliers"][part] == pytest.approx(value, rel=1e-9, abs=1e-12), part
    run = python.engine.run
    zhang = wb.gaps.fixed_bias(problem, run.state.alpha, float(run.state.s[0]))
    assert back["multipliers"]["gap"] == pytest.approx(zhang.gap, rel=1e-9)
    (_, one), (_, two) = seen
    assert one["type"] == two["type"] == "profile", (one, two)
    for part in ("place", "value", "at", "height"):
        assert one[part] == pytest.approx(list(two[part]), rel=1e-9, abs=1e-12), part


@pytest.mark.parametrize("engine", ["node", "python"])
def test_multipliers_that_swing_are_said_with_the_mend(engine, node):
    asked = node if engine == "node" else Python()
    problem, method = made("hinge", bias=True), SOLVERS.ModifiedAugmentedLagrangian(eta=30.0)
    asked.start(problem)
    asked.ask("problem", **chosen(problem, method))
    frame = asked.ask("run", gap=0.0, max_epochs=200)
    assert frame["status"] == "diverged"
    run = wb.Run(problem, method, seed=3)
    assert run.until(gap=0.0, max_epochs=200) == "diverged"
    assert frame["reason"] == run.reason
    assert asked.ask("seek", step=0)["reason"] is None
    refused = asked.ask("profile", count=1)
    assert "profile: count = 1 is not a whole number of at least 2" in refused["text"]
    asked.start(made("hinge"))
    first = asked.ask("problem", **chosen(made("hinge"), solver("exact")))
    assert first["multipliers"] is None
    assert "the run of gauss-seidel has 0 multipliers" in asked.ask("profile")["text"]


@pytest.mark.parametrize("engine", ["node", "python"])
@pytest.mark.parametrize("eta", [0.3, 30.0])
def test_a_dual_that_falls_without_end_is_said_long_before_it_overflows(engine, eta, node):
    asked = node if engine == "node" else Python()
    problem, method = made("squared", y=TARGETS), SOLVERS.GaussSeidel(update="gradient", eta=eta)
    run = wb.Run(problem, method, seed=3)
    run.stopping.begin(run)
    run.record()
    while run.status is None:
        run.epoch()
        run.record()
        run.judge()
    assert run.status == "diverged"
    assert np.isfinite(run.state.alpha).all()
    asked.start(problem)
    asked.ask("problem", **chosen(problem, method))
    frame = asked.ask("run", gap=0.0, max_epochs=200)
    assert (frame["status"], frame["reason"], frame["step"]) == ("diverged", run.reason, run.steps)
    assert asked.ask("seek", step=0)["status"] is None


@pytest.mark.parametrize("name", ["hinge", "weights", "logistic", "entropy", "cyclic", "q-norm", "rbf"])
def test_both_engines_begin_at_dual_variables_and_give_the_parts_of_terms(name, node):
    """A term is what its three parts add up to, from the first moment on."""
    problem, method, _ = CASES[name]()
    alpha = 0.1 * np.random.default_rng(0).normal(size=40)  # partly outside of its domain
    samples, python = [3, 0, 39, 17], Python()
    for steps in (0, 30):
        answers = []
        for engine in (node, python):
            engine.start(problem)
            frame = engine.ask("problem", **chosen(problem, method), alpha=alpha)
            if steps:
                frame = engine.ask("step", count=steps)
            certificate, parts = engine.ask("certificate"), engine.ask("terms", samples=samples)
            assert parts["type"] == "terms", parts
            alphas, z, terms = (
                np.array(certificate[part])[samples] for part in ("alpha", "z", "sample_terms")
            )
            sums = (np.array(parts["value"]) + parts["conjugate"] + alphas * z) / 40.0
            np.testing.assert_allclose(sums, terms, rtol=0.0, atol=SAME * problem.zero_value)
            answers.append((frame, certificate, parts))
        one, two = answers
        agree(one[0], two[0], problem.zero_value)
        for k, part in ((1, "alpha"), (2, "value"), (2, "conjugate")):
            expected = np.array(two[k][part])
            np.testing.assert_allclose(one[k][part], expected, rtol=0.0, atol=CLOSE * np.abs(expected).max())
    for engine in (node, python):
        assert "terms: sample = 40 is not a whole number" in engine.ask("terms", samples=[40])["text"]
        assert "alpha" in (engine.ask("problem", alpha=[1.0])["text"]).replace("warm_start", "alpha")
        assert engine.ask("problem")["step"] == 0


def with_hinge(engine):
    """An engine at the beginning of a run."""
    problem, method, _ = CASES["hinge"]()
    engine.start(problem)
    engine.ask("problem", **chosen(problem, method))
    return engine


@pytest.mark.parametrize("engine", ["node", "python"])
def test_terms_and_sections_are_of_the_last_certificate_told_while_a_run_goes_on(engine, node):
    asked = with_hinge(node if engine == "node" else Python())
    asked.ask("step", count=7)
    place = {"feature": 0, "sample": 3, "weights": [0.0, 1.0], "duals": [0.0], "predictions": [0.0, 1.0]}
    messages = {"terms": {"samples": [3, 0]}, "section": place}
    asked.ask("certificate")
    before = {kind: asked.ask(kind, **contents) for kind, contents in messages.items()}
    asked.ask("epoch", count=3)
    for kind, contents in messages.items():
        numbers = [name for name in before[kind] if name not in ("version", "id", "type")]
        after, now = (asked.ask(kind, **contents, **at) for at in ({"step": 7}, {}))
        assert all(np.array_equal(after[name], before[kind][name]) for name in numbers)
        assert (after["step"], now["step"]) == (7, 127)
        assert any(not np.array_equal(now[name], before[kind][name]) for name in numbers if name != "step")
    asked.ask("problem")
    assert asked.ask("terms", samples=[3], step=7)["step"] == 0


@pytest.mark.parametrize("engine", ["node", "python"])
def test_frames_hold_every_certificate_since_the_last(engine, node):
    asked = with_hinge(node if engine == "node" else Python())
    if engine == "node":
        count, passed = asked.send("run", gap=0.0, max_epochs=50), []
        while (answer := asked.read())["type"] == "frame":
            passed += answer["passed"]
        assert answer["id"] == count
    else:
        asked.ask("run", gap=0.0, max_epochs=50)
        passed = [row for answer in asked.answers if answer["type"] == "frame" for row in answer["passed"]]
    assert [row["epoch"] for row in passed] == list(range(1, 51))
    for row in (passed[0], passed[-1]):
        frame = asked.ask("seek", step=row["step"])
        assert {name: frame[name] for name in row} == row


@pytest.mark.parametrize("engine", ["node", "python"])
def test_certificates_come_as_steps_grow_with_the_last_iterate(engine, node):
    asked, method = node if engine == "node" else Python(), SOLVERS.PrimalGradient()
    own = made("logistic")
    asked.start(own)
    asked.ask("problem", **chosen(own, method))
    asked.ask("step", count=30)
    if engine == "node":
        asked.send("run", gap=0.0, max_epochs=1.0, growth=8)
        answers = []
        while (answer := asked.read())["type"] == "frame":
            answers.append(answer)
    else:
        asked.ask("run", gap=0.0, max_epochs=1.0, growth=8)
        answers = [answer for answer in asked.answers if answer["type"] == "frame"]
    passed = [row for answer in answers for row in answer["passed"]]
    assert [row["step"] for row in passed] == [33, 37, 40]
    # The last iterate of a run of its own, which ends where this one does.
    run = wb.Run(own, SOLVERS.PrimalGradient(output="last"), seed=3)
    run.step(40)
    last = run.certificate()
    assert passed[-1]["last"] == pytest.approx(last.primal, rel=SAME)
    assert passed[-1]["last_gap"] == pytest.approx(last.gap, rel=1e-9)
    assert passed[-1]["gap"] != passed[-1]["last_gap"]
    assert "run: growth = 0 is not a whole number" in asked.ask("run", growth=0)["text"]


def test_a_run_goes_on_until_it_is_paused(node):
    problem, method, _ = CASES["logistic"]()
    node.start(problem)
    node.ask("problem", **chosen(problem, method))
    running, paused = node.send("run", gap=0.0, max_epochs=10**9), node.send("pause")
    answers = [node.read()]
    while answers[-1]["id"] != paused:
        answers.append(node.read())
    assert answers[-2] == {
        "version": 1,
        "id": running,
        "type": "ended",
        "step": answers[-1]["step"],
        "status": "paused",
    }
    assert {answer["type"] for answer in answers[:-2]} <= {"frame"}
    assert answers[-1]["type"] == "frame"


def test_a_message_ends_a_run_of_the_engine_in_python():
    python = with_hinge(Python())
    engine, run = python.engine, {"version": 1, "id": "run", "type": "run", "gap": 0.0}
    engine.take(run)
    assert engine.proceed()
    engine.take({"version": 1, "id": "pause", "type": "pause"})
    ended, frame = python.answers[-2:]
    assert (ended["id"], ended["type"], ended["status"]) == ("run", "ended", "paused")
    assert (frame["id"], frame["type"], frame["step"]) == ("pause", "frame", ended["step"])
    assert not engine.proceed()


@pytest.mark.parametrize("engine", ["node", "python"])
def test_bad_messages_get_one_sentence(engine, node):
    asked = node if engine == "node" else Python()
    problem, method, _ = CASES["hinge"]()
    asked.start(problem)
    assert "send 'problem' first" in asked.ask("step")["text"]
    assert "type = 'jump' is not known" in asked.ask("jump")["text"]
    assert "lam" in asked.ask("problem", **(chosen(problem, method) | {"lam": -1.0}))["text"]
    unknown = asked.ask("problem", **(chosen(problem, method) | {"solver": {"name": "magic"}}))
    assert unknown["type"] == "error"
    assert "solver = 'magic'" in unknown["text"]
    asked.ask("problem", **chosen(problem, method))
    assert "seek: step = -1 is not a whole number" in asked.ask("seek", step=-1)["text"]
    assert "step: count = 0.5 is not a whole number" in asked.ask("step", count=0.5)["text"]
    assert "run: every = 0" in asked.ask("run", every=0)["text"]
    assert "step: counts is not known; use count" in asked.ask("step", counts=1)["text"]
    if engine == "node":
        farthest = SOLVERS.GaussSeidel(order="most-violating")
        refused = asked.ask("problem", **chosen(problem, farthest))
        assert "order = 'most-violating' does not run" in refused["text"]
    entropy, unbounded = wb.regularizers.get("entropy:mu=0.3"), solver("bounded")
    asked.start(problem, regularizers=(entropy,))
    refused = asked.ask("problem", **(chosen(problem, unbounded) | {"regularizer": repr(entropy)}))
    assert "update = 'bounded' needs a bound of the curvature" in refused["text"]


def test_memory_is_given_back_when_points_move(tmp_path):
    points = made("hinge", kernel="rbf:gamma=0.5", bias=True)
    # As a page gives them: values alone, and the kernel by its formula.
    kernel = {"code": points.kernel.code, "parameters": points.kernel_matrix.parameters}
    tables = {
        "losses": {repr(points.loss): bundle.loss_facts(points.loss)},
        "regularizers": {repr(points.regularizer): bundle.regularizer_facts(points.regularizer, points)},
    }
    with node_engine.engine(tmp_path) as node:
        node.start(points)
        for k in range(200):
            values = points.design.dense.ravel() + 0.01 * k
            node.ask("data", data=bundle.data(points) | {"values": values, "kernel": kernel}, **tables)
            node.ask("problem", **chosen(points, pairs()))
            assert node.ask("step", count=20)["step"] == 20
            if k == 10:
                before = node.memory()
        assert node.memory() == before


def test_data_hold_the_spectrum_where_it_is_asked_for():
    assert bundle.data(made("hinge"))["spectrum"] is None
    assert bundle.data(made("hinge"), spectrum=True)["spectrum"]["largest"] == pytest.approx(
        np.linalg.norm(X, 2), rel=0.02
    )


def test_what_has_no_printed_functions_is_refused():
    own = wb.losses.custom("max(0, 1 - u)**3 / 3", kind="margin")
    with pytest.raises(InputError, match="no printed functions"):
        bundle.packed(made("hinge"), losses=(own,))
    with pytest.raises(InputError, match="multinomial loss does not run"):
        bundle.packed(wb.Problem(X, np.arange(40) % 3, "multinomial", lam=0.1))


PAGE = """<!DOCTYPE html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';
 script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:">
<body><script type="module">SCRIPT
const packed = PACKED;
(async () => {
  const engine = await WorkbenchEngine.start(packed);
  await engine.ask("problem", CHOICES);
  await engine.ask("step", { count: 1000 });
  await engine.ask("seek", { step: 500 });
  const { primal, dual, gap, alpha } = await engine.ask("certificate");
  document.body.dataset.answer = JSON.stringify({ primal, dual, gap, alpha: [...alpha] });
})().catch((error) => { document.body.dataset.answer = JSON.stringify(error.message); });
</script>
"""


@pytest.mark.browser
def test_a_file_solves_without_a_network(tmp_path):
    if CHROMIUM is None:
        node_engine.missing("no Chromium on this machine; install Debian's package chromium")
    problem, method, _ = CASES["hinge"]()
    text = PAGE.replace("SCRIPT", bundle.script()).replace("PACKED", json.dumps(bundle.packed(problem)))
    choices = json.dumps(bundle.plain(chosen(problem, method)))
    (tmp_path / "page.html").write_text(text.replace("CHOICES", choices), encoding="utf-8")
    with chromium() as browser:
        context = browser.new_context(offline=True)
        page, asked = context.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((tmp_path / "page.html").as_uri())
        page.wait_for_selector("body[data-answer]", state="attached")
        answer = json.loads(page.get_attribute("body", "data-answer"))
    run = wb.Run(problem, method, seed=3)
    run.step(500)
    native = run.certificate()
    assert answer["alpha"] == native.alpha.tolist()
    assert abs(answer["gap"] - native.gap) <= SAME * problem.zero_value
    assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []
