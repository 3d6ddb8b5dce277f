"""Bias draws the same picture in every host: what was recorded while Python drew it."""

import copy
import functools
import http.server
import json
import threading

import pytest

from tests.corpora.golden_frames import SETTINGS, differences, recorded
from tests.helpers.hosted_frames import frames
from tests.helpers.page_browser import becomes
from tests.helpers.staged_frames import ranges
from tests.pages.hosts import carriers
from workbench.pages.bias.declaration import Bias
from workbench.pages.bias.figures import BiasFigures
from workbench.pages.hosts import file as hosts_file
from workbench.pages.theme import LIGHT, look

pytest.importorskip("playwright.sync_api")
pytest.importorskip("anywidget")
pytestmark = pytest.mark.browser

DARK = look(dark=True)
READY = "() => globalThis.workbenchPages?.length > 0"
CELL = "from workbench.pages.bias.declaration import Bias\npage = Bias(tolerance=1e-2)\npage"
OPENS = {
    "panel": lambda browser, folder: carriers.panel(
        browser, folder, "tests.pages.hosts.bias_server", "bias", READY
    ),
    "notebook": lambda browser, folder: carriers.notebook(browser, folder, CELL, READY),
    "file": lambda browser, folder: carriers.file(browser, folder, Bias(tolerance=1e-2).html(), READY),
}
# A file has no Python, which constraints C v = b need, and no data beside its own.
NOT_IN_A_FILE = ("sum", "bounded")


@pytest.fixture(scope="module", params=list(OPENS))
def host(request, browser, tmp_path_factory):
    with OPENS[request.param](browser, tmp_path_factory.mktemp(request.param)) as view:
        yield request.param, view


def test_page_draws_what_was_recorded(host):
    name, view = host
    wrong = []
    for setting in SETTINGS["bias"]:
        page = Bias()
        if name == "file" and setting in NOT_IN_A_FILE:
            continue
        expected = copy.deepcopy(recorded("bias")[setting])
        drawn = dict(frames(view, page, "bias", setting, "lam", ranges(BiasFigures())))
        for frame in expected.values():
            frame["texts"].pop("guess.answer", None)
        wrong += differences(drawn, expected, f"bias, {setting}, {name}")
    assert not wrong, "\n".join(wrong[:30])


OPEN = "async () => { const page = await workbenchPages[0]; await page.settled(); %s }"
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
    view.get_by_role("button", name="the gap at fixed bias").click()
    assert "the gap at fixed bias. The gap at fixed bias compares" in on_page(view, answer)
    view.get_by_label("Order").select_option("cyclic")
    assert on_page(view, answer) == ""


def test_figures_fold_and_unfold(host):
    view = host[1]
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01 });")
    count = "return Object.values(page.view.figures).filter((box) => box.checkVisibility()).length;"
    assert on_page(view, count) == 2
    view.get_by_role("button", name="3 more figures").click()
    assert on_page(view, count) == 5
    view.get_by_role("button", name="3 more figures").click()


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
    with view.expect_download() as download:
        view.get_by_role("button", name="Save The multiplier s as CSV").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) > 20
    assert lines[0].startswith("curve,")


def test_keys_step_and_reset(host):
    view = host[1]
    on_page(view, "page.press('reset');")
    view.get_by_role("button", name="reset", exact=True).focus()
    view.keyboard.press("ArrowRight")
    assert on_page(view, "return Number(page.view.box.dataset.step);") == 1
    view.keyboard.press("r")
    assert on_page(view, "return Number(page.view.box.dataset.step);") == 0


def test_file_keeps_its_settings_in_the_address_and_goes_back(host):
    name, view = host
    if name != "file":
        pytest.skip("the address belongs to the host")
    on_page(view, "page.change({ ...page.facts.defaults, tolerance: 0.01 });")
    on_page(view, "page.change({ lam: 0.03 });")
    assert "lam=0.03" in view.evaluate("location.hash")
    view.go_back()
    assert becomes(lambda: on_page(view, "return page.settings.lam;"), 0.01) == 0.01


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
    const model = workbenchRuntime.fileModel({ ...facts.settings, lam: 0.1 });
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
