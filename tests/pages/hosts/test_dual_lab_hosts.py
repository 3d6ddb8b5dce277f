"""The Dual lab draws the same picture in every host: what was recorded while Python drew it."""

import copy
import html
import math
import re

import pytest

from tests.corpora.golden_frames import SETTINGS, TIES, _words, differences, recorded
from tests.helpers.hosted_frames import frames, ranges
from tests.helpers.page_browser import becomes
from tests.pages.hosts import carriers
from workbench.pages.dual_lab.declaration import DualLab
from workbench.pages.dual_lab.figures import DualLabFigures

pytest.importorskip("playwright.sync_api")
pytest.importorskip("anywidget")
pytestmark = pytest.mark.browser

READY = "() => globalThis.workbenchPages?.length > 0"
CELL = (
    "from workbench.pages.dual_lab.declaration import DualLab\npage = DualLab(source='Breast cancer')\npage"
)
OPENS = {
    "panel": lambda browser, folder: carriers.panel(
        browser, folder, "tests.pages.hosts.lab_server", "lab", READY
    ),
    "notebook": lambda browser, folder: carriers.notebook(browser, folder, CELL, READY),
    "file": lambda browser, folder: carriers.file(
        browser, folder, DualLab(source="Breast cancer").html(), READY
    ),
}
SHORT, *REST = ("compared", *(name for name in SETTINGS["dual_lab"] if name != "compared"))
# A file has no data beside its own and points.
NOT_IN_A_FILE = ("tube",)
# Left out of the record, which has no certificate after some epochs: the browser has one after each.
SPARSE, BACK = "tube", "sought back"
TEX = re.compile(r"<wb-tex>(.*?)</wb-tex>", re.DOTALL)
RESTS = re.compile(r"That no bracket is negative rests on .* in double precision\.")
TEXTS = """async () => {
    const { view: { parts }, frame, certainty } = await workbenchPages[0];
    return { why: parts.why.innerHTML, code: parts.code.textContent, gauge: frame.gauge,
        terms: certainty.written };
}"""


@pytest.fixture(scope="module", params=list(OPENS))
def host(request, browser, tmp_path_factory):
    with OPENS[request.param](browser, tmp_path_factory.mktemp(request.param)) as view:
        yield request.param, view


def texts(raw):
    """Return the texts as they were recorded: the reason of a step in parts, with a hyphen for a minus."""
    formulas = [html.unescape(formula) for formula in TEX.findall(raw["why"])]
    words = TEX.sub("", raw["why"])
    return {
        "step": _words(words.partition("<span")[0]).replace("y = −", "y = -"),
        "formula": "".join(f"$${formula}$$" for formula in formulas[:1]),
        "numbers": "\n".join(f"${formula}$" for formula in formulas[1:]),
        "code": raw["code"].removeprefix("Copy"),
        "certainty.gauge": raw["gauge"],
        # The record is older than its proof status.
        "certainty.terms": RESTS.sub("", _words(raw["terms"])).strip(),
    }


def comparable(moment, setting, ours, expected):
    """Keep the numbers of the figures that were recorded; what the page says of them has other tests."""
    for name in set(ours["figures"]) - set(expected["figures"]):
        del ours["figures"][name]
    for frame in (ours, expected):
        frame.pop("cards")
        # It is computed while it is in view alone, which it is not here.
        frame["figures"].pop("saddle", None)
        for part in ("predict.answer", "badge"):
            frame["texts"].pop(part, None)
        for figure in frame["figures"].values():
            for part in ("head", "sentence", "axes"):
                figure.pop(part)
            # While a weight is moved the axes stay.
            if moment == "another weight":
                figure["x"] = figure["y"] = None
            for name in ("visited", "zero_weights", "lit_feature", "lit"):
                figure["sources"].pop(name, None)
        for name in ("terms", "path", "held_out"):  # what is rounding would move the axes
            frame["figures"].get(name, {}).update({"x": None, "y": None})
        # All weights are drawn, and those that are not zero were.
        figure = frame["figures"]["weights"]
        figure["x"] = None
        bars = figure["sources"]["weights"]
        nonzeros = [k for k, weight in enumerate(bars["weight"]) if weight != 0.0]
        figure["sources"]["weights"] = {
            part: [bars[part][k] for k in nonzeros] for part in ("weight", "name")
        }
        if moment not in ("zero", "one step"):
            # Of a step that moves something, where the last one does not.
            for part in ("step", "formula", "numbers"):
                frame["texts"].pop(part, None)
        figure["sources"].get("other_weights", {}).pop("place", None)
        others = figure["sources"].get("other_weights", {"weight": []})
        if others["weight"]:
            others["weight"] = [others["weight"][k] for k in nonzeros]
        if moment == BACK:  # recorded at the end of the run, in place of where it stands
            frame["texts"].pop("certainty.gauge", None)
    if setting == SPARSE and moment in ("end", "another weight"):
        thinned(ours, expected)


def thinned(ours, expected):
    """Keep those certificates alone that the record has, without what more of them change."""
    for frame in (ours, expected):
        frame.pop("bar")
        frame["figures"]["objective"].pop("y")
    for name, figure in expected["figures"].items():
        for source, columns in figure["sources"].items():
            times = columns.get("time", columns.get("step"))
            if times:
                drawn = ours["figures"][name]["sources"][source]
                at = drawn.get("time", drawn.get("step"))
                indices = [k for k, time in enumerate(at) if time in times]
                drawn.update({column: [values[k] for k in indices] for column, values in drawn.items()})


@pytest.mark.parametrize("setting", [SHORT, *(pytest.param(name, marks=pytest.mark.long) for name in REST)])
def test_page_draws_what_was_recorded(host, setting):
    name, view = host
    if name == "file" and setting in NOT_IN_A_FILE:
        pytest.skip("the file has other data")
    view.evaluate("async () => { (await workbenchPages[0]).certainty.fold.open = true; }")
    expected, shown = copy.deepcopy(recorded("dual_lab")[setting]), {}
    left_out = (*TIES.get(("dual_lab", setting), ()), *((BACK,) if setting == SPARSE else ()))
    for moment in left_out:
        expected.pop(moment, None)
    for moment, frame in frames(view, DualLab(), "dual_lab", setting, "lam", ranges(DualLabFigures())):
        if moment in left_out:
            continue
        frame["texts"] = texts(view.evaluate(TEXTS))
        comparable(moment, setting, frame, expected[moment])
        shown[moment] = frame
    wrong = list(differences(shown, expected, f"dual lab, {setting}, {name}"))
    view.evaluate("async () => { (await workbenchPages[0]).certainty.fold.open = false; }")
    assert not wrong, "\n".join(wrong[:30])


OPEN = """async (given) => {
    const page = await workbenchPages[0], ready = () => page.settled();
    await ready();
    const source = (name) => page.figures.of("sources", name).data;
    const begin = async (changes = {}) => {
        page.chosen = "";
        await page.change({ ...page.facts.defaults, source: "Breast cancer", lam: 0.1, ...changes });
        await ready();
    };
    const area = ({ x, y }) => Math.abs(x.reduce((sum, at, j) => {
        const next = (j + 1) %% x.length;
        return sum + at * y[next] - x[next] * y[j];
    }, 0)) / 2;
    const shown = () => Object.keys(page.view.cards).filter((name) => !page.view.cards[name].hidden);
    const named = (name) => page.view.root.querySelector(`.names [data-figure="${name}"]`).click();
    %s
}"""
# A visitor's act, a script on the page, and the value that the script then gives.
VISIT = {
    "a step moves one dual variable, and the dual bound rises": (
        """await begin(); page.press("reset"); await ready(); const zero = page.state.row.support;
        page.press("step"); await ready(); const said = page.view.parts.why.textContent;
        return [zero, page.state.row.support, /the dual bound rises by [0-9]/.test(said),
            /Step 1 visited/.test(said)];""",
        [0, 1, True, True],
    ),
    "at the end a step is explained that moved something": (
        """await begin(); await new Promise((done) => setTimeout(done, 100)); await ready();
        return [page.status, /the dual bound rises by [0-9]/.test(page.view.parts.why.textContent)];""",
        ["converged", True],
    ),
    "a preset sets several settings, and its end is said": (
        """const list = page.view.parts.preset;
        list.selectedIndex = 1 + Object.keys(page.facts.presets).indexOf("Too long a step diverges");
        list.dispatchEvent(new Event("input")); await ready();
        return [page.settings.update, page.settings.eta, page.status];""",
        ["gradient", 0.03, "diverged"],
    ),
    "a refused update is a sentence, and the picture stays": (
        """await begin({ regularizer: "Entropy", lam: 0.1 });
        const before = page.view.lines.objective.textContent;
        await page.change({ update: "bounded" }); await ready();
        const said = page.view.parts.status.textContent.includes("needs a bound of the curvature");
        await page.change({ update: "exact" }); await ready();
        return [said, page.view.lines.objective.textContent === before, page.refusal];""",
        [True, True, ""],
    ),
    "dual variables against margins are the slope of the hinge": (
        """await begin({ tolerance: 1e-6 }); const { margin, value } = source("margins");
        const at = margin.map((each, k) => [each, value[k]]);
        return [at.filter(([each]) => each > 1.01).every(([, a]) => a === 0),
            at.filter(([each]) => each < 0.99).every(([, a]) => a === 1),
                at.some(([each]) => each < 0.99)];""",
        [True, True, True],
    ),
    "the default problem has zeros, and samples at the bound and inside": (
        """await page.change({ ...page.facts.defaults, source: "Breast cancer" }); await ready();
        const { row, d, duals } = page.state, zeros = d - row.nonzeros;
        return [zeros >= 10 && zeros <= 15, row.epoch <= 100, duals.free >= 5, duals.bound >= 5,
            source("zero_weights").weight.length === zeros];""",
        [True, True, True, True, True],
    ),
    "a larger epsilon leaves fewer weights": (
        """await begin(); const before = page.state.row.nonzeros; await page.change({ epsilon: 0.9 });
        await ready();
        return page.state.row.nonzeros < before;""",
        True,
    ),
    "the second configuration begins as the first, and both are named": (
        """await begin(); await page.choose({ compare: true }); await ready();
        const { b_lam, b_loss, b_scale } = page.settings, { root, lines, heads } = page.view;
        const result = [b_lam, b_loss, b_scale, root.querySelectorAll(".wb-formula").length,
            /A: .* B: /.test(lines.gap.textContent), heads.gap.textContent.includes("B"),
            source("other_transfer_graph").x.length > 100, source("other_weights").place.length > 0];
        await page.choose({ compare: false }); await ready();
        return [...result, root.querySelectorAll(".wb-formula").length, heads.gap.textContent.includes("B"),
            source("other_transfer_graph").x.length];""",
        [0.1, "Hinge", 1.0, 2, True, True, True, True, 1, False, 0],
    ),
    "a guess runs both configurations, and counts answer it": (
        """await begin({ question: "No sparsity" });
        page.predict.press(2); await ready(); await ready();
        const said = page.predict.answer.textContent;
        const result = [/^Right: more, [0-9]+ non-zero weights before the change and [0-9]+ after/.test(said),
            page.settings.b_regularizer];
        await page.choose({ order: "cyclic" }); return [...result, page.predict.answer.textContent];""",
        [True, "Squared ℓ2", ""],
    ),
    "the area of a sample is its term of the gap": (
        """await begin({ lam: 0.05 }); page.press("reset"); await ready(); page.press("epoch"); await ready();
        const { area: terms, sample } = source("margins"), k = terms.indexOf(Math.max(...terms));
        page.pointing.light(sample[k]);
        const result = [Math.abs(area(source("left_area")) / terms[k] - 1) < 1e-9, terms[k] > 1,
            source("lit").sample];
        page.pointing.light(null);
        return [result[0], result[1], result[2].length, source("lit").sample];""",
        [True, True, 1, []],
    ),
    "a level beyond the slopes has a hatched area, and is said": (
        """await begin(); const { alpha, sample_terms } = page.state.certificate;
        alpha[3] = 1.5 * page.state.problem.data.y[3]; sample_terms[3] = Infinity; page.pointing.light(3);
        const said = page.view.lines.margins.textContent;
        const result = [source("left_infinite").x.length > 3, source("left_area").x.length,
            said.includes("infinite term")];
        page.pointing.light(null); await begin({ lam: 0.2 });
        return result;""",
        [True, 0, True],
    ),
    "what is pointed at is ringed where it is drawn, in table and figures": (
        """await begin(); page.certainty.fold.open = true; await page.soon(); await ready();
        const { sample, value, margin } = source("margins"); page.pointing.light(sample[5]);
        const lit = source("lit"), rows = page.view.root.querySelectorAll("tr[data-sample]");
        const result = [lit.value[0] === value[5], lit.margin[0] === margin[5]];
        page.pointing.light(Number(rows[1].dataset.sample));
        const marked = page.view.root.querySelectorAll("tr.lit");
        result.push(rows.length > 1, marked.length, marked[0] === rows[1]);
        page.pointing.point(source("transfer").feature[2]); result.push(source("lit_feature").feature.length);
        page.pointing.light(null); page.pointing.point(null); page.certainty.fold.open = false;
        return result;""",
        [True, True, True, 1, True, 1],
    ),
    "the sum behind the gap is there once it opens, and follows": (
        """await begin({ lam: 0.01, epsilon: 0.1 });
        page.certainty.fold.open = true; await page.soon(); await ready();
        const { terms } = page.certainty, text = terms.textContent,
            rows = terms.querySelectorAll("tbody tr").length;
        page.tracks.seek(2); await ready();
        const result = [rows, terms.textContent !== text,
            page.frame.gauge.lens_label.startsWith("magnified")];
        page.press("reset"); await ready(); result.push(page.frame.gauge.lens_label);
        page.certainty.fold.open = false; return result;""",
        [13, True, True, "not magnified"],
    ),
    "a run goes back to an epoch, is marked there, and goes on": (
        """await begin(); const last = page.tracks.rows.length - 1; page.tracks.seek(3); await ready();
        const mark = page.figures.of("here", "gap"), result = [mark.visible, mark.location,
            page.state.row.epoch,
            source("curves").time.length === last + 1];
        page.press("run"); await ready(); return [...result, mark.visible, page.state.row.epoch === last];""",
        [True, 3, 3, True, False, True],
    ),
    "the curve of the lambda before stays as a ghost, of other data none does": (
        """await begin({ lam: 0.05 }); const gaps = page.tracks.rows.map(({ gap }) => gap);
        await page.change({ lam: 0.2 }); await ready();
        const ghost = page.figures.of("ghosts", "gap").data.gap.slice(0, -1);
        const result = [ghost.length === gaps.length, ghost.every((gap,
            k) => Math.abs(gap / gaps[k] - 1) < 1e-12)];
        await page.change({ source: page.facts.plane.name }); await ready();
        return [...result, page.figures.of("ghosts", "gap").data.gap.length];""",
        [True, True, 0],
    ),
    "each lambda leaves its weights and its held-out loss, and a press goes back": (
        """page.visited = null; await begin({ lam: 0.05 }); await page.change({ lam: 0.07 }); await ready();
        const result = [source("path").lam.length, source("held_out").lam];
        await page.goTo(0.051); await ready(); return [...result, page.settings.lam,
            page.visited.runs.size];""",
        [60, [0.05, 0.07], 0.05, 2],
    ),
    "a name shows its figure in the place of one of the four, and gives it back": (
        """await begin(); const before = shown(); named("path"); const now = shown(); named("path");
        return [before, now, shown().length];""",
        [
            ["objective", "margins", "transfer", "weights"],
            ["objective", "margins", "transfer", "path"],
            4,
        ],
    ),
    "the saddle is drawn at the watched sample": (
        """named("saddle"); await begin(); const { dual } = source("valley"), { image } = source("surface");
        const low = Math.min(...image[0]); named("saddle"); return [dual.length, low < 0,
            shown().includes("saddle")];""",
        [61, True, False],
    ),
    "points are added, moved and undone; the run goes on from the dual variables before": (
        """await begin({ source: page.facts.plane.name, regularizer: "Squared ℓ2", lam: 0.01 });
        const count = () => source("points").x.length, result = [shown().includes("plane"), count()];
        page.points.add([-2, 2]); await ready(); result.push(count(), page.tracks.rows[0].relative_gap < 0.5);
        page.points.hand.take([-2, 2]); page.points.hand.drag([-2, -2]); await page.points.hand.letGo();
        await ready();
        result.push(page.present.X.at(-1).map((at) => Math.round(100 * at) / 100),
            page.settings.points.length);
        page.points.undo(); await ready(); page.points.undo(); await ready();
        result.push(count(), page.settings.points);
        await page.choose({ cloud: "Imbalanced" }); await ready(); result.push(count());
        await page.choose({ source: "Breast cancer" }); await ready(); return [...result,
            shown().includes("plane")];""",
        [True, 50, 51, True, [-2, -2], 255, 50, "", 46, False],
    ),
    "code is the Python of the settings": (
        """await begin({ lam: 0.03, scale: 0.7 }); const text = page.view.parts.code.textContent;
        return ["lam=0.03", "epsilon=0.6", "scale=0.7",
            "breast-cancer"].map((part) => text.includes(part));""",
        [True, True, True, True],
    ),
    "a group of settings is a line with its values, which opens": (
        """await begin({ order: "cyclic" });
        const lines = [...page.view.root.querySelectorAll("summary.wb-heading")];
        return lines.slice(0, 3).map(({ textContent }) => textContent);""",
        [
            "Solver: exact, cyclic, t scale of the step 1",
            "Stop: stop at a relative gap of 0.0001",
            "Compare: off",
        ],
    ),
}


@pytest.mark.parametrize("row", VISIT)
def test_visit(host, row):
    script, expected = VISIT[row]
    assert host[1].evaluate(OPEN % script) == expected


# The same where Python answers.
LIVE = {
    "a sample is left out, by Python": (
        """await begin(); await page.leaveOut.choose(0); const text = page.leaveOut.answer.textContent;
        await page.leaveOut.choose("9999"); const refused = page.leaveOut.answer.textContent;
        await begin({ lam: 0.2 });
        return [text.startsWith("Sample 0, α ="), text.includes("|w − w′|"),
            refused.includes("from 0 to 454"),
            page.leaveOut.answer.textContent.startsWith("Click a dot")];""",
        [True, True, True, True],
    ),
    "large data are solved by Python, and the picture is whole": (
        """const { host } = page, ask = host.ask, asked = [];
        host.ask = async (message, options) => {
            asked.push(message.type); const answer = await ask(message, options);
            return message.type === "data" ? { ...answer, is_large: true } : answer;
        };
        named("saddle"); await ready(); page.supplies.close(); await begin({ lam: 0.3 });
        const result = [page.status, asked.includes("compute"), asked.includes("row"),
            source("valley").dual.length];
        host.ask = ask; page.supplies.close(); await begin(); named("saddle");
        return [...result, page.status];""",
        ["converged", True, True, 61, "converged"],
    ),
}


LIVE |= {
    "a typed loss is derived and solved by Python, in the address and the code": (
        """await begin({ loss: "Your own loss", typed: "log(1 + exp(-u))" });
        const ours = page.state.row, { engine } = page.tracks.shown[0];
        const result = [page.status, engine.constructor.name,
            page.visits.address.includes("typed=log"), page.code.includes("wb.losses.custom(")];
        await begin({ loss: "Logistic" });
        const { primal, dual } = page.state.row;
        return [...result, page.status, ours.dual <= primal && dual <= ours.primal];""",
        ["converged", "PythonEngine", True, True, "converged", True],
    ),
    "a loss that is not convex is refused in a sentence, and another one is solved": (
        """await begin({ loss: "Your own loss", typed: "-u**2" });
        const said = [page.refusal];
        for (const typed of ["u*", "", "u"]) {
            await page.change({ typed }); await ready(); said.push(page.refusal);
        }
        await page.change({ typed: "exp(-u)" }); await ready();
        const { status, refusal } = page; await begin();
        const isNamed = said.every((text) => text.startsWith("Your own loss: "));
        return [isNamed, new Set(said).size, status, refusal];""",
        [True, 4, "converged", ""],
    ),
    "a hard margin is solved, and points that no line separates are said to be infeasible": (
        """const hard = { source: page.facts.plane.name, regularizer: "Squared ℓ2", lam: 0.01,
            loss: "Your own loss", typed: "indicator(u >= 1)" };
        await begin({ ...hard, cloud: "Separable" });
        const result = [page.status, Math.min(...source("margins").margin) > 1 - 1e-9, page.refusal];
        await begin({ ...hard, cloud: "Overlapping" });
        const said = page.view.parts.status.textContent, { primal } = page.state.row;
        result.push(page.status, primal, said.startsWith("No weights are feasible: "), page.refusal);
        await begin(); return [...result, page.status];""",
        ["converged", True, "", "infeasible", math.inf, True, "", "converged"],
    ),
}


@pytest.mark.parametrize("row", LIVE)
def test_visit_where_python_answers(host, row):
    name, view = host
    if name == "file":
        said = "const { field, answer } = page.leaveOut; "
        said = f"""{said}
            const options = [...page.view.controls.querySelectorAll("option")];
            const typed = options.filter(({{ textContent }}) => textContent === "Your own loss");
            return [field.disabled, answer.textContent.includes("needs Python"),
                ...typed.map(({{ disabled, title }}) => disabled && title.includes("needs Python"))];"""
        assert view.evaluate(OPEN % said) == [True] * 4
        return
    script, expected = LIVE[row]
    assert view.evaluate(OPEN % script) == expected


# The place on the screen of a row of a source, in a figure by the columns that place it there.
SPOT = """const [figure, name, x, y] = given, { figures } = page, plot = figures.of("figures", figure);
    const view = Bokeh.index.find_one(plot), { data } = figures.of("sources", name), k = given[4];
    view.el.scrollIntoView({ block: "center" });
    const { left, top } = view.canvas_view.el.getBoundingClientRect(), { x_scale, y_scale } = view.frame;
    return [left + x_scale.compute(data[x][k]), top + y_scale.compute(data[y][k])];"""
LIT = """const lit = source("lit"), feature = source("lit_feature"), k = given[1];
    const { sample, margin, value } = source("margins"), { feature: names, v, weight } = source("transfer");
    return given[0] === "sample"
        ? [lit.sample.length === 1 && sample[k] === lit.sample[0], lit.margin[0] === margin[k],
            lit.value[0] === value[k], Number.isFinite(lit.place[0])]
        : [feature.feature.length === 1 && feature.feature[0] === names[k], feature.v[0] === v[k],
            feature.weight[0] === weight[k], Number.isFinite(feature.place[0])];"""
# What is farthest from all others: a sample and a feature.
ALONE = """const away = (places) => places.map((at, k) =>
        Math.min(...places.filter((_, other) => other !== k).map((other) => Math.abs(other - at))));
    const alone = (places) => away(places).indexOf(Math.max(...away(places)));
    return [alone(Array.from(source("margins").margin)), alone(Array.from(source("transfer").v))];"""


def test_real_pointer_lights_a_sample_and_a_feature_in_all_figures(host):
    view = host[1]
    view.evaluate(OPEN % "await begin({ lam: 0.05 });")
    sample, feature = view.evaluate(OPEN % ALONE)
    for kind, k, *place in (
        ("sample", sample, "margins", "margins", "margin", "value"),
        ("feature", feature, "transfer", "transfer", "v", "weight"),
    ):
        x, y = view.evaluate(OPEN % SPOT, [*place, k])
        view.mouse.move(x - 40, y - 40)
        view.mouse.move(x, y, steps=4)
        assert becomes(lambda: view.evaluate(OPEN % LIT, [kind, k]), [True] * 4) == [True] * 4  # noqa: B023
    view.mouse.move(2, 2)
    left = 'return [source("lit").sample.length, source("lit_feature").feature.length];'
    assert becomes(lambda: view.evaluate(OPEN % left), [0, 0]) == [0, 0]


# The controls of the second configuration in the order of the sidebar, and the one that has the focus.
SECOND = """await begin({ compare: true });
    const rows = [...page.view.controls.querySelectorAll("[data-name^=b_]")];
    for (const row of rows) row.closest("details").open = true;
    const seen = rows.filter((row) => row.checkVisibility());
    seen[0].querySelector("input, select").focus();
    return seen.map(({ dataset }) => dataset.name);"""
FOCUSED = 'return page.view.root.activeElement?.closest("[data-name]")?.dataset.name ?? "";'


def test_tab_goes_through_the_second_configuration(host):
    view = host[1]
    names = view.evaluate(OPEN % SECOND)
    assert {"b_loss", "b_regularizer", "b_lam"} <= set(names)
    seen = [view.evaluate(OPEN % FOCUSED)]
    for _ in names:
        view.keyboard.press("Tab")
        seen.append(view.evaluate(OPEN % FOCUSED))
    assert seen[:-1] == names
    assert not seen[-1].startswith("b_")
    view.evaluate(OPEN % "await begin({ compare: false });")


def test_weights_are_saved_with_their_certificate(host):
    view = host[1]
    view.evaluate(OPEN % "await begin();")
    with view.expect_download() as download:
        view.get_by_role("button", name="All weights as CSV").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert [line.split(" ")[1] for line in lines[:3]] == ["primal", "dual", "gap"]
    assert len(lines) == 4 + 31
    assert lines[-1].startswith("(constant),")


def test_python_and_page_follow_each_other(host):
    name, view = host
    if name != "panel":
        pytest.skip("the bound text is Panel's")
    view.evaluate(OPEN % "await begin({ lam: 0.02 });")
    view.get_by_text("λ is 0.02").wait_for()
    assert becomes(lambda: view.evaluate(OPEN % "return page.controls.shown('lam');"), "0.02") == "0.02"
