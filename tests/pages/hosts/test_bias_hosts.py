"""Bias draws the same picture in every host: what was recorded while Python drew it."""

import copy
import functools
import http.server
import json
import threading

import pytest

from tests.corpora.golden_frames import SETTINGS, differences, recorded
from tests.helpers import page_checks
from tests.helpers.hosted_frames import frames, ranges
from tests.helpers.page_browser import becomes
from tests.pages.hosts import carriers
from workbench.pages.bias.declaration import Bias
from workbench.pages.bias.figures import BiasFigures
from workbench.pages.hosts import file as hosts_file
from workbench.pages.lectures import of as lectures_of
from workbench.pages.theme import LIGHT, look

pytest.importorskip("playwright.sync_api")
pytest.importorskip("anywidget")
pytestmark = pytest.mark.browser

DARK = look(dark=True)
READY = "() => globalThis.workbenchPages?.length > 0"
CELL = "from workbench.pages.bias.declaration import Bias\npage = Bias(tolerance=1e-2)\npage"
# Rules of axe about the whole document, which in a column is Panel's.
OF_THE_DOCUMENT = ("landmark-one-main", "page-has-heading-one", "region")
OPENS = {
    "panel": lambda browser, folder: carriers.panel(
        browser, folder, "tests.pages.hosts.bias_server", "bias", READY
    ),
    "notebook": lambda browser, folder: carriers.notebook(browser, folder, CELL, READY),
    "file": lambda browser, folder: carriers.file(browser, folder, Bias(tolerance=1e-2).html(), READY),
}
# A file has no Python, which constraints C v = b need, and no data beside its own.
NOT_IN_A_FILE = ("sum", "bounded")
# Of a shift, the record has the run's as the best one; its model's test has that of the certified weights.
RECORDED_WRONG = "sum"


@pytest.fixture(scope="module", params=list(OPENS))
def host(request, browser, tmp_path_factory):
    with OPENS[request.param](browser, tmp_path_factory.mktemp(request.param)) as view:
        yield request.param, view


def numbers(cards):
    """Return the numbers of both algorithms, which a record has in one card."""
    values = [
        [value, *(rest[rest.index("Algorithm 3") + 1 :] if "Algorithm 3" in rest else ())]
        for _, value, *rest in cards
    ]
    return sorted(value for card in values for value in card)


def test_page_draws_what_was_recorded(host):
    name, view = host
    wrong = []
    for setting in SETTINGS["bias"]:
        page = Bias()
        if name == "file" and setting in NOT_IN_A_FILE:
            continue
        expected = copy.deepcopy(recorded("bias")[setting])
        drawn = dict(frames(view, page, "bias", setting, "lam", ranges(BiasFigures())))
        for frame in (*drawn.values(), *expected.values()):
            frame["texts"].pop("guess.answer", None)
            # Their names, notes and order are others now, one line for each algorithm.
            frame["cards"] = numbers(frame["cards"])
            for figure in frame["figures"].values():
                figure.pop("head")
            if setting == RECORDED_WRONG:
                del frame["figures"]["profile"], frame["figures"]["multiplier"]["sentence"], frame["cards"]
                for figure in frame["figures"].values():
                    for source in figure["sources"].values():
                        source.pop("best", None)
        wrong += differences(drawn, expected, f"bias, {setting}, {name}")
    assert not wrong, "\n".join(wrong[:30])


OPEN = "async () => { const page = await workbenchPages[0]; await page.settled(); %s }"
# Rows of the tables of those figures that are shown.
TABLE_ROWS = """async () => {
    const page = await workbenchPages[0];
    const tables = page.lecture.projector.shown.map((name) => {
        const view = page.Bokeh.index.find_one(page.figures.of("figures", name));
        return view.shadow_el.querySelectorAll("caption + thead + tbody tr").length;
    });
    return tables.length === 2 ? tables : [0];
}"""
# Workers of which none answers.
SILENT = "globalThis.Worker = class { postMessage() {} terminate() {} };"


def on_page(view, script):
    """Return the value of a script on the page once it is drawn, as `page`."""
    return view.evaluate(OPEN % script)


def test_slider_moves_python_and_python_moves_the_page(host):
    name, view = host
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01 });")
    slider = view.get_by_role("slider", name="λ weight of the regularizer")
    slider.focus()
    before = on_page(view, "return page.settings.lam;")
    view.keyboard.press("ArrowRight")
    moved = on_page(view, "return page.settings.lam;")
    assert before == 0.01
    assert moved > before
    assert on_page(view, "return page.view.parts.code.textContent;").count(f"lam={moved:g}") == 1
    if name == "panel":
        view.get_by_text(f"λ is {moved:g}").wait_for()
    on_page(view, "await page.change({ lam: 0.02 });")
    assert on_page(view, "return page.controls.shown('lam');") == "0.02"


def test_preset_sets_several_settings_and_its_end_is_said(host):
    view = host[1]
    view.get_by_label("Preset").select_option("Far too large: it diverges")
    assert on_page(view, "return [page.settings.eta, page.status];") == [10.0, "diverged"]
    assert "lower eta = 10." in on_page(view, "return page.view.parts.status.textContent;")
    view.get_by_label("Algorithms").select_option("Algorithm 2")
    assert on_page(view, "return page.status;") == "converged"
    assert view.get_by_role("slider", name="η step of s, Algorithm 3").is_hidden()
    assert view.get_by_label("Preset").input_value() == "Choose one"


def test_question_is_answered_once_both_runs_have_ended(host):
    view = host[1]
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01 });")
    asked = on_page(view, "return page.asked;")
    view.get_by_label("Question").select_option("Which gap is smaller")
    assert on_page(view, "return [page.asked, page.settings.question];") == [asked, "Which gap is smaller"]
    answer = "return page.predict.answer.textContent;"
    assert on_page(view, answer) == ""
    view.get_by_role("button", name="the gap if s were fixed").click()
    assert "the gap if s were fixed. The gap at fixed s compares" in on_page(view, answer)
    view.get_by_text("Inner steps").click()
    view.get_by_label("Order").select_option("cyclic")
    assert on_page(view, answer) == ""


def test_gaps_of_each_algorithm_share_a_place(host):
    view = host[1]
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01 });")
    shown = "const all = page.view.figures; return Object.keys(all).filter((n) => all[n].checkVisibility());"
    assert on_page(view, shown) == ["multiplier", "profile", "spiral", "full"]
    view.get_by_role("button", name="Gaps of Algorithm 3").click()
    assert on_page(view, shown) == ["multiplier", "profile", "spiral", "small"]
    view.get_by_role("button", name="Gaps of Algorithm 3").click()


def set_ground(name, view, theme, colour):
    """Give the host a theme, or a document without one the colour of its ground."""
    if name == "notebook":
        view.evaluate("(theme) => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    else:
        view.evaluate("(colour) => { document.body.style.background = colour; }", colour)


def test_dark_ground_recolours_page_and_figures(host):
    name, view = host
    paper = (
        "await page.themed; return page.figures.of('figures', 'spiral').background_fill_color.toLowerCase();"
    )
    assert on_page(view, paper) == LIGHT.paper
    set_ground(name, view, "JupyterLab Dark", "rgb(18, 18, 18)")
    assert becomes(lambda: on_page(view, paper), DARK.paper) == DARK.paper
    points = "return page.figures.of('sources', 'full_curves').data.time.length > 1;"
    assert becomes(lambda: on_page(view, points), True)
    set_ground(name, view, "JupyterLab Light", "")
    assert becomes(lambda: on_page(view, paper), LIGHT.paper) == LIGHT.paper


def test_figure_is_saved_as_csv_with_its_points(host):
    view = host[1]
    on_page(view, "")
    view.get_by_label("Save or pin The bias: s against the best bias").click()
    with view.expect_download() as download:
        view.get_by_role("button", name="Save The bias: s against the best bias as CSV").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) > 20
    assert lines[0].startswith("curve,")


def test_keys_step_and_reset(host):
    view = host[1]
    on_page(view, "page.press('reset');")
    # Focused with each key, since JupyterLab takes the focus when a cell has run.
    button = view.get_by_role("button", name="reset", exact=True)
    button.press("ArrowRight")
    assert on_page(view, "return Number(page.view.box.dataset.step);") == 1
    button.press("ArrowLeft")
    assert on_page(view, "return Number(page.view.box.dataset.step);") == 0
    view.keyboard.press("ArrowRight")
    view.keyboard.press("r")
    assert on_page(view, "return page.tracks.rows.length;") == 1
    view.keyboard.press("?")
    view.get_by_text("back to the settings before").wait_for()
    view.keyboard.press("Escape")
    assert view.get_by_text("back to the settings before").is_hidden()


def test_page_goes_back_without_the_address_where_that_is_the_hosts(host):
    name, view = host
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01 });")
    address = view.url
    on_page(view, "page.change({ lam: 0.03 });")
    if name == "file":
        assert "lam=0.03" in view.evaluate("location.hash")
        view.go_back()
        assert becomes(lambda: on_page(view, "return page.settings.lam;"), 0.01) == 0.01
        view.go_forward()
        assert becomes(lambda: on_page(view, "return page.settings.lam;"), 0.03) == 0.03
        return
    assert view.url == address
    view.get_by_role("button", name="Back", exact=True).click()
    assert on_page(view, "return page.settings.lam;") == 0.01


def test_projector_tells_the_story_and_keeps_the_tables(host):
    view = host[1]
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01 });")
    view.get_by_role("button", name="Story", exact=True).click()
    said = "return page.lecture.projector?.text.textContent ?? null;"
    captions = [step["caption"] for step in lectures_of("bias")["story"]]
    assert becomes(lambda: on_page(view, said), f"{captions[0]} 1 / 5") == f"{captions[0]} 1 / 5"
    box = view.evaluate(
        OPEN % "const { x, y, width } = page.view.box.getBoundingClientRect(); return [x, y, width];"
    )
    assert box == [0, 0, view.viewport_size["width"]]
    assert becomes(lambda: min(view.evaluate(TABLE_ROWS)) > 20, True)
    for _ in range(4):
        view.keyboard.press("ArrowRight")
        on_page(view, "")
    assert becomes(lambda: on_page(view, said), f"{captions[4]} 5 / 5") == f"{captions[4]} 5 / 5"
    assert on_page(view, "return page.settings.eta;") == 10
    view.keyboard.press("Escape")
    assert on_page(view, said) is None
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01 });")


def test_code_is_taken_along_as_a_notebook(host):
    view = host[1]
    with view.expect_download() as download:
        view.locator("[data-do=notebook]").click()
    cells = json.loads(download.value.path().read_text(encoding="utf-8"))["cells"]
    assert cells[1]["source"] == on_page(view, "return page.code;")
    assert download.value.suggested_filename == "bias-multipliers.ipynb"


def test_page_is_taken_along_as_a_file(host):
    name, view = host
    button = view.get_by_role("button", name="This page as a file")
    if name == "file":
        assert button.count() == 0
        return
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01, lam: 0.02 });")
    with view.expect_download() as download:
        button.click()
    assert '"lam": 0.02' in download.value.path().read_text(encoding="utf-8")


def test_curves_are_pinned_in_the_colour_of_the_theme(host):
    view = host[1]
    on_page(view, "await page.change({ ...page.facts.defaults, tolerance: 0.01 });")
    view.get_by_label("Save or pin The bias and the mean of α").click()
    view.get_by_role("button", name="Pin the curves of The bias and the mean of α").click()
    pinned = "return page.figures.of('figures', 'spiral').renderers[0].glyph.line_color.value;"
    assert on_page(view, pinned) == LIGHT.pinned
    view.get_by_role("button", name="Unpin").click()


def test_few_tabs_lead_to_each_part(host):
    name, view = host
    if name == "notebook":
        pytest.skip("JupyterLab has the focus first")
    fold = "for (const line of page.view.controls.querySelectorAll('details')) line.open = false;"
    on_page(view, f"await page.change({{ ...page.facts.defaults, tolerance: 0.01 }}); {fold}")
    halfway = "λ weight of the regularizer"
    for k, stop in enumerate(("Preset", halfway, "reset", "Question"), 1):
        on_page(view, "page.view.frame.focus();")
        for _ in range(k):
            view.keyboard.press("Tab")
        view.keyboard.press("Enter")
        at = "const at = page.view.root.activeElement; return at.ariaLabel ?? at.textContent;"
        assert on_page(view, at) == stop


def test_nothing_moves_where_motion_is_unwelcome(host):
    name, view = host
    if name == "notebook":
        pytest.skip("JupyterLab moves by itself")
    view.emulate_media(reduced_motion="reduce")
    moving = "return [...page.view.root.querySelectorAll('*')].filter((each) => {"
    moving += "  const { animationName, transitionDuration } = getComputedStyle(each);"
    moving += "  return animationName !== 'none' || /[1-9]/.test(transitionDuration); }).length;"
    assert on_page(view, moving) == 0
    view.emulate_media(reduced_motion="no-preference")


def test_page_has_no_violation_of_axe(host):
    name, view = host
    if name == "notebook":
        pytest.skip("JupyterLab has violations of its own")
    assert [rule for rule, *_ in page_checks.axe(view) if name == "file" or rule not in OF_THE_DOCUMENT] == []


def test_page_that_fills_its_document_owns_the_address(browser, tmp_path):
    opened = carriers.panel(browser, tmp_path, "tests.pages.hosts.bias_server", "filled", READY)
    with opened as view:
        view.goto(f"{view.url}?lam=0.03&theme=dark&hide=seed,aside")
        view.wait_for_function(READY)
        looks = "return [page.settings.lam, page.view.isDark, page.view.aside[0].hidden];"
        assert on_page(view, looks) == [0.03, True, True]
        assert view.get_by_label("Seed").is_hidden()
        on_page(view, "page.change({ algorithms: 'Algorithm 2' });")
        assert "lam=0.03&algorithms=Algorithm+2" in view.url
        view.go_back()
        assert becomes(lambda: on_page(view, "return page.settings.algorithms;"), "both") == "both"
        link = on_page(view, "return page.link;")
        assert page_checks.axe(view) == []
        assert link.split("?")[1] == "theme=dark&hide=seed%2Caside&lam=0.03"


def test_story_of_ones_own_is_in_the_address_of_a_file(browser, tmp_path):
    with carriers.file(browser, tmp_path, Bias(tolerance=1e-2).html(), READY) as view:
        view.once("dialog", lambda dialog: dialog.accept("My own sentence."))
        on_page(view, "page.change({ lam: 0.04 });")
        view.keyboard.press("w")
        view.keyboard.press("a")
        assert on_page(view, "return page.lecture.projector.text.textContent;") == "My own sentence. 1 / 1"
        address = view.url
        view.goto("about:blank")
        view.goto(address)
        view.wait_for_function(READY)
        assert on_page(view, "return page.lecture.projector.text.textContent;") == "My own sentence. 1 / 1"
        assert on_page(view, "return page.settings.lam;") == 0.04


def test_without_an_answering_worker_the_page_computes_in_slices(browser, tmp_path):
    text = Bias(tolerance=1e-2).html().replace("<script>", f"<script>{SILENT}</script><script>", 1)
    with carriers.file(browser, tmp_path, text, READY) as view:
        frame = on_page(view, "return [page.status, page.tracks.rows.length];")
        assert frame == ["converged", 26]


def test_file_of_an_address_that_is_refused_says_why(browser, tmp_path):
    script = "<script>location.hash = 'lam=7&rat=1';</script><script>"
    text = Bias(tolerance=1e-2).html().replace("<script>", script, 1)
    with carriers.file(browser, tmp_path, text, READY) as view:
        said = on_page(view, "return page.view.parts.notice.textContent;")
        assert 'lam = "7" is refused; expected a number from 0.000001 to 1' in said
        assert 'unknown setting "rat"' in said


SECOND = """<div id="second"></div><script>
    const model = workbenchRuntime.settingsModel({ ...facts.settings, lam: 0.1 });
    const el = document.getElementById("second");
    workbenchRuntime.render({ model, el, answers: facts.answers }, workbenchPage.page);
</script></body>"""
BOTH = """async () => {
    const pages = await Promise.all(workbenchPages);
    for (const page of pages) await page.settled();
    return pages.map(({ figures, settings, status, frame }) => ({
        lam: settings.lam, status, gap: figures.of("sources", "full_curves").data.certified.at(-1),
        is_drawn: Array.from(figures.of("sources", "full_curves").data.certified).join() ===
            frame.sources.full_curves.certified.join(),
    }));
}"""


def test_two_pages_of_one_document_have_runs_and_figures_of_their_own(browser, tmp_path):
    text = Bias(tolerance=1e-2).html().replace("</body>", SECOND)
    ready = "() => globalThis.workbenchPages?.length === 2"
    with carriers.file(browser, tmp_path, text, ready) as view:
        first, second = view.evaluate(BOTH)
        assert (first["lam"], second["lam"]) == (0.01, 0.1)
        assert first["gap"] != second["gap"]
        view.evaluate("async () => { await (await workbenchPages[1]).change({ lam: 0.3 }); }")
        after = view.evaluate(BOTH)
        assert after[0] == first
        assert after[1]["lam"] == 0.3
        assert all(page["is_drawn"] and page["status"] == "converged" for page in after)


def test_pages_of_a_site_share_the_runtime_and_draw_the_same(browser, tmp_path):
    pages = {"bias": Bias(tolerance=1e-2), "other": Bias(lam=0.1, tolerance=1e-2)}
    for name, text in hosts_file.site_texts(pages).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for message in ({"type": "bokeh"}, {"type": "engine"}):
        key = json.dumps(hosts_file.key_of(message))
        assert key in (tmp_path / "answers.js").read_text(encoding="utf-8")
        assert key not in (tmp_path / "bias.html").read_text(encoding="utf-8")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("localhost", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://localhost:{server.server_port}/other.html"
        with carriers.view_of(browser, address) as (view, _):
            view.goto(address)
            view.wait_for_function(READY)
            assert on_page(view, "return [page.status, page.settings.lam];") == ["converged", 0.1]
        server.shutdown()
