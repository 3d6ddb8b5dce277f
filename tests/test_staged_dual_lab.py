"""The served Dual lab in the browser: what was recorded, by its worker and by the server's engine."""

import copy
import html
import re
from urllib.parse import urlencode

import numpy as np
import pytest
from golden_frames import TIES, differences, recorded
from page_browser import becomes, choose, line, says, shows, visit
from served_run import (
    ENGINE,
    GHOST,
    MARK,
    SETTLED,
    at,
    back_and_on,
    bar,
    on_the_wire,
    places,
    press,
    runs_alone,
    stands,
)
from staged_frames import WITHOUT, cases, frames, ranges

from workbench.errors import InputError
from workbench.pages.dual_lab import model
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.dual_lab.model import DualLab
from workbench.pages.dual_lab.page import DualLabPage
from workbench.pages.theme import LIGHT

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab",)
RANGES = ranges(DualLabFigures(LIGHT))
CASES = cases("dual_lab")
RESTS = re.compile(r"That no bracket is negative rests on .* in double precision\.")
# Of the card that explains a step.
TEX = re.compile(r"<wb-tex>(.*?)</wb-tex>", re.DOTALL)


def words(text):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def formulas(said):
    return [html.unescape(each) for each in TEX.findall(said["why"])]


TEXTS = {
    # Recorded with a hyphen for a minus.
    "step": lambda said: words(TEX.sub("", said["why"]).partition("<span")[0]).replace("y = −", "y = -"),
    "formula": lambda said: "".join(f"$${each}$$" for each in formulas(said)[:1]),
    "numbers": lambda said: "\n".join(f"${each}$" for each in formulas(said)[1:]),
    "badge": lambda said: words("".join(TEX.sub("", said["why"]).partition("<span")[1:])),
    "code": "code",
    "certainty.gauge": lambda said: said["gauge"],
    # What it rests on was not said then.
    "certainty.terms": lambda said: RESTS.sub("", words(said["terms"])).strip(),
}


# Where the record has no certificate after some epochs: the browser has one after each.
SPARSE = "tube"


def thinned(found, expected):
    """A frame with those certificates alone that the record has, and without what more of them change."""
    for frame in (found, expected):
        frame.pop("bar")
        frame["figures"]["objective"].pop("y")
    for name, figure in expected["figures"].items():
        for source, columns in figure["sources"].items():
            times = columns.get("time", columns.get("step"))
            if times:
                drawn = found["figures"][name]["sources"][source]
                at = drawn.get("time", drawn.get("step"))
                kept = [k for k, time in enumerate(at) if time in times]
                drawn.update({each: [values[k] for k in kept] for each, values in drawn.items()})


@pytest.mark.parametrize(("setting", "by"), CASES)
def test_the_page_shows_what_was_recorded(setting, by, browser, address):
    without = WITHOUT if by == "socket" else ""
    expected, found = copy.deepcopy(recorded("dual_lab")[setting]), {}
    for moment, frame in frames(browser, address, "dual_lab", setting, "lam", RANGES, TEXTS, without):
        if moment in TIES.get(("dual_lab", setting), ()):
            continue
        # A card that is not shown has a figure all the same.
        if "plane" not in expected[moment]["figures"]:
            frame["figures"].pop("plane", None)
        # What came later has a test of its own.
        frame["figures"].pop("margins", None)
        for figure in frame["figures"].values():
            figure["sources"].get("lit", {}).pop("margin", None)
        found[moment] = frame
        # Who guesses is answered in a test of its own.
        expected[moment]["texts"].pop("predict.answer", None)
        if moment == "sought back":  # recorded at the end of the run, in place of where it stands
            for texts in (frame["texts"], expected[moment]["texts"]):
                texts.pop("certainty.gauge", None)
    if setting == SPARSE:
        # Half the way is at another place.
        for frames_of in (found, expected):
            frames_of.pop("sought back")
        for moment in ("end", "another weight"):
            thinned(found[moment], expected[moment])
    wrong = list(differences(found, expected, f"dual_lab, {setting}, {by}"))
    assert not wrong, "\n".join(wrong[:40])


QUICK = {"source": "Breast cancer", "lam": 0.1}
# So many epochs that a browser is busy for seconds.
LONG = {"source": "Digits · even or odd", "lam": 1e-6, "tolerance": 1e-6, "scale": 0.01}
PLANE = {"source": "Points in the plane", "lam": 0.01, "regularizer": "Squared ℓ2"}


def test_nothing_travels_while_the_browser_runs(browser, address):
    with on_the_wire(browser, f"{address}?{urlencode(LONG)}") as (page, travelled):
        runs_alone(page, travelled)
        says(page, re.compile("Paused after [1-9]"))


def test_a_run_goes_back_and_on_and_slowly(browser, address):
    with visit(browser, f"{address}?source=Breast+cancer&lam=0.003", SETTLED) as page:
        last = places(page)
        said = page.locator(".wb-status").inner_text()
        bar(page).fill("12")
        stands(page, f"epoch 12 of {last}")
        assert page.evaluate(MARK, "gap") == 12.0
        # The curves stay, the gauge is of that epoch.
        assert page.evaluate("wb_page.figures.of('sources', 'curves').data.time.at(-1)") == last
        said_of_it, dual = page.evaluate("[wb_page.gauge.dual, wb_page.drawn_state.row.dual]")
        assert f"{dual:.3f}" in said_of_it
        back_and_on(page, 12, last)
        press(page, "run")
        says(page, said)
        stands(page, f"epoch {last} of {last}")
        assert becomes(lambda: page.evaluate(MARK, "gap"), None) is None
        page.get_by_role("combobox", name="Speed").select_option("slow")
        bar(page).fill("3")
        press(page, "run")
        stands(page, f"epoch 5 of {last}")
        press(page, "pause")
        says(page, re.compile("Paused after [5-9]"))


def test_dual_variables_against_margins_are_the_slope_of_the_hinge(browser, address):
    query = QUICK | {"loss": "Hinge", "tolerance": 1e-6}
    with visit(browser, f"{address}?{urlencode(query)}", SETTLED) as page:
        columns = "({ margin, value }) => [Array.from(margin), Array.from(value)]"
        margin, value = np.array(page.evaluate(f"({columns})(wb_page.figures.of('sources', 'margins').data)"))
        outside, inside = margin > 1.01, margin < 0.99
        assert outside.any()
        assert inside.any()
        assert (value[outside] == 0.0).all()
        assert (value[inside] == 1.0).all()


def test_the_curve_before_stays_as_a_ghost(browser, address):
    with visit(browser, f"{address}?source=Breast+cancer&lam=0.01", SETTLED) as page:
        before = page.evaluate("wb_page.runs.shown[0].rows.map((row) => row.gap)")
        page.get_by_role("slider", name="λ weight of the regularizer").press("ArrowRight")
        assert becomes(lambda: len(page.evaluate(GHOST, "gap")[1]), len(before)) == len(before)
        assert page.evaluate(GHOST, "gap")[1] == pytest.approx(before, rel=1e-12)
        page.locator(".wb-key", has_text="before, to epoch").first.wait_for()
        says(page, SETTLED)


def test_a_second_configuration_begins_as_the_first_and_a_guess_is_answered(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        page.get_by_role("switch", name="Compare").click()
        page.locator(".wb-stat", has_text=re.compile(r"B 0\.")).first.wait_for()
        says(page, SETTLED)
        settings = page.evaluate("wb_page.settings")
        assert [settings[f"b_{name}"] for name in ("lam", "loss", "scale")] == [0.1, "Hinge", 1.0]
        line(page, re.compile("A: .* B: ")).wait_for()
        page.get_by_role("button", name="fewer", exact=True).click()
        verdict = re.compile("(right|You said).*epochs before the change and .* after it")
        page.locator("[role=status]", has_text=verdict).wait_for()


def test_points_are_edited_here_and_kept_by_the_server(browser, address):
    with visit(browser, f"{address}?{urlencode(PLANE)}", SETTLED, height=1000) as page:
        line(page, "of 50 points").wait_for()
        page.mouse.click(*at(page, -2.0, 2.0))
        line(page, "of 51 points").wait_for()
        page.wait_for_url(re.compile("points=p"))
        says(page, SETTLED)
        # What stood before is where the run went on.
        assert page.evaluate("wb_page.runs.shown[0].rows[0].relative_gap") < 0.5
        # Another loss is the server's news, and forgets nothing.
        choose(page, "Loss", "Logistic")
        shows(page, "read_points")
        line(page, "of 51 points").wait_for()
        choose(page, "Points to begin with", "Imbalanced")
        line(page, "of 46 points").wait_for()
        page.wait_for_url(re.compile(r"^(?!.*points=)"))


def test_a_sample_is_left_out_from_the_point_in_the_browser(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        field = page.get_by_label("Sample")
        field.fill("0")
        field.press("Enter")
        page.locator(".wb-note", has_text="Sample 0, α =").wait_for()
        page.locator(".wb-table", has_text="|w − w′|").wait_for()
        field.fill("9999")
        field.press("Enter")
        page.get_by_text("type a whole number from 0 to 454").wait_for()


def test_a_refusal_stands_and_the_browser_goes_on_after_it(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}&regularizer=Entropy", SETTLED) as page:
        for _ in range(2):
            page.get_by_role("button", name="bounded", exact=True).click()
            says(page, "needs a bound of the curvature")
            page.get_by_role("button", name="exact", exact=True).click()
            says(page, SETTLED)


# The server answers as of data above its bound: it keeps the entries, and gives one row of them at a time.
LARGE = """async () => {
    const { host } = wb_page, ask = host.ask.bind(host), asked = [];
    host.ask = async (need, key) => {
        asked.push(need);
        const given = await ask(need, key);
        if (need !== "data") return given;
        const { offsets, indices, values, ...rest } = given;
        return { ...rest, large: true };
    };
    wb_page.press("reset");
    await wb_page.settled();
    wb_page.press("run");
    await wb_page.settled();
    return asked;
}"""


def test_large_data_are_the_servers_and_drawn_all_the_same(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        asked = page.evaluate(LARGE)
        assert asked.count("row") >= 1
        assert page.evaluate(ENGINE) == "server"
        page.get_by_text("Computed by the server.").wait_for()
        says(page, SETTLED)
        assert page.evaluate("wb_page.figures.of('sources', 'valley').data.dual.length") == 61


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_of_large_data_the_browser_gets_what_pictures_take(monkeypatch):
    page = DualLabPage(DualLab(source="Breast cancer"))
    key = {"source": "Breast cancer", "signed": False, "cloud": "", "points": ""}
    whole, problem = page.data(key), page.problem(key)
    monkeypatch.setattr(model, "MAX_BYTES", 10_000)
    found = page.data(key)
    assert set(whole) - set(found) == {"offsets", "indices", "values", "free_bias", "kernel", "spectrum"}
    assert (found["large"], found["test"]) == (True, None)
    row = page.row(key | {"sample": 3})
    np.testing.assert_array_equal(row["values"], problem.rows[[3]].tocsr().data)
    with pytest.raises(InputError, match="there are 455"):
        page.row(key | {"sample": 455})
