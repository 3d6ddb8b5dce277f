"""The served Dual lab that the visitor's browser solves: its numbers are Python's, a run needs no server."""

import contextlib
import re

import pytest
from live_file import agree, columns
from page_browser import becomes, choose, says, visit
from served_run import (
    ENGINE,
    SETTLED,
    goes_on_alone,
    ids,
    in_a_run,
    on_the_wire,
    pauses,
    played_by,
    press,
)  # fmt: skip

from workbench.pages import parts, saddle
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.dual_lab.snapshot import snapshot

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab",)
SMALL = "?source=Breast+cancer&lam=0.1"
# So many epochs that a browser is busy for seconds.
LONG = "?source=Digits+·+even+or+odd&lam=1e-06&tolerance=1e-06&scale=0.01"
SOURCES = ("curves", "weights", "duals", "terms", "valley", "ridge", "point")


def move_lambda(page, key="ArrowLeft"):
    slider(page).press(key)


def slider(page):
    return page.get_by_role("slider", name="λ weight of the regularizer")


def in_browser(page):
    """Move λ until the browser has the engine and the data, and so solves what is asked next."""

    def moved():
        move_lambda(page)
        page.wait_for_timeout(300)
        return page.evaluate(ENGINE)

    assert becomes(moved, "browser") == "browser"
    rests(page)


def rests(page):
    """Wait until the run of the slider's λ has ended and the server has certified its last point."""

    def certified():
        return lam_shown(page), told_step(page) == curves(page)["time"][-1] * samples

    says(page, SETTLED)
    samples = lab_of(source="Breast cancer").run.problem.n_samples
    lam = float(slider(page).get_attribute("aria-valuetext"))
    assert becomes(certified, (lam, True)) == (lam, True)


def curves(page):
    return columns(page, ids(page), ("curves",))["curves"]


def lam_shown(page):
    return float(re.search(r"lam=([\d.e-]+)", page.locator(".wb-code").inner_text()).group(1))


def told_step(page):
    """The step that the card of the last update names."""
    found = re.search(r"Step ([\d,]+) visited", page.locator(".wb-note").first.inner_text())
    return int(found[1].replace(",", "")) if found else -1


def lab_of(step=0, **choices):
    """A lab after so many steps in Python, certified."""
    lab = dual_lab.build(dual_lab.DualLab(**choices).settings())
    if step:
        lab.run.step(step)
        lab.run.record()
    return lab


def test_the_browser_solves_and_what_it_draws_is_pythons(browser, address):
    with visit(browser, address + SMALL, SETTLED) as page:
        in_browser(page)
        lam, step = lam_shown(page), told_step(page)
        found = columns(page, ids(page), SOURCES)
        lab = dual_lab.build(dual_lab.DualLab(source="Breast cancer", lam=lam).settings())
        while lab.run.steps < step:
            lab.run.epoch()
            lab.run.record()
        certificate = lab.run.last
        size = 1e-10 * lab.run.problem.zero_value
        for name in ("primal", "dual", "gap"):
            assert abs(found["curves"][name][-1] - getattr(certificate, name)) <= size
        figures = DualLabFigures()
        figures.show(snapshot(lab, saddle.watched(lab.run)))
        for source in ("curves", "weights", "duals"):
            for column, values in figures.sources[source].data.items():
                agree(found[source][column], values, f"{source}.{column}")
        assert certificate.relative_gap <= 1e-4


def test_steps_pause_and_a_slider_in_a_run_are_the_browsers(browser, address):
    with visit(browser, address + LONG, re.compile("Running|Stopped|Reached")) as page:

        def paused_after_a_move():
            before = lam_shown(page)
            move_lambda(page, "ArrowRight")
            assert becomes(lambda: lam_shown(page) > before, True)
            return pauses(page)

        in_a_run(page, paused_after_a_move)
        lam = lam_shown(page)
        assert becomes(lambda: told_step(page) % 1437, 0) == 0
        before = told_step(page)
        press(page, "step")
        assert becomes(lambda: told_step(page), before + 1) == before + 1
        lab = lab_of(before + 1, source="Digits · even or odd", lam=lam, tolerance=1e-6, scale=0.01)
        event = lab.run.last_event
        assert f"visited sample {event.index:,} " in page.locator(".wb-note").first.inner_text()
        gap = curves(page)["gap"][-1]
        assert abs(gap - lab.run.last.gap) <= 1e-10 * lab.run.problem.zero_value


def test_nothing_travels_while_the_browser_runs(browser, address):
    with on_the_wire(browser, address + LONG) as (page, travelled):
        says(page, re.compile("Running|Stopped|Reached"))
        in_a_run(page, lambda: goes_on_alone(page, travelled, lambda: len(curves(page)["gap"])))


def test_a_move_of_lambda_is_answered_before_the_server_hears_of_it(browser, address):
    """The server follows, and certifies what the browser has solved meanwhile."""
    held, silent = [], []

    def between(socket):
        server = socket.connect_to_server()
        socket.on_message(lambda each: held.append((server, each)) if silent else server.send(each))

    with contextlib.closing(browser.new_page()) as page:
        page.route_web_socket(re.compile("."), between)
        page.goto(address + SMALL)
        says(page, SETTLED)
        in_browser(page)
        before = lam_shown(page)
        grid = list(parts.log_options(0.1, 1e-6, 1.0).values())
        lam = grid[grid.index(before) - 1]
        lab = lab_of(source="Breast cancer", lam=lam)
        while lab.run.last.relative_gap > 1e-4:
            lab.run.epoch()
            lab.run.record()
        silent.append(True)
        move_lambda(page)
        size = 1e-10 * lab.run.problem.zero_value
        assert becomes(lambda: abs(curves(page)["gap"][-1] - lab.run.last.gap) <= size, True)
        assert held
        assert lam_shown(page) == before
        silent.clear()
        for server, message in held:
            server.send(message)
        wanted = lam, lab.run.steps
        assert becomes(lambda: (lam_shown(page), told_step(page)), wanted) == wanted
        assert page.evaluate(ENGINE) == "browser"


def test_a_run_of_the_server_goes_on_in_the_browser(browser, address):
    """Its steps are done again there, and the curve keeps what was certified here."""
    with visit(browser, address + SMALL, SETTLED) as page:
        step, before = told_step(page), curves(page)

        def stepped():
            press(page, "step")
            page.wait_for_timeout(500)
            return page.evaluate(ENGINE)

        assert becomes(stepped, "browser") == "browser"
        assert becomes(lambda: told_step(page) > step, True)
        lab = lab_of(told_step(page), source="Breast cancer", lam=0.1)
        after = curves(page)
        for name in ("time", "primal", "dual", "gap"):
            assert after[name][: len(before[name])] == before[name]
        assert abs(after["primal"][-1] - lab.run.last.primal) <= 1e-10 * lab.run.problem.zero_value


def test_two_configurations_and_points_are_the_servers(browser, address):
    with visit(browser, address + SMALL, SETTLED) as page:
        in_browser(page)
        page.get_by_label("Compare with a second configuration").click()
        page.locator(".wb-line", has_text="B: ").first.wait_for()
        played_by(page, "server")
        page.get_by_label("Compare with a second configuration").click()
        played_by(page, "browser")
        page.locator(".wb-line", has_text="B: ").first.wait_for(state="detached")
        says(page, SETTLED)
        choose(page, "Data", "Points in the plane")
        page.locator(".wb-line", has_text="of 50 points").wait_for()
        played_by(page, "server")
        # Its numbers, although some of them stood there before.
        page.locator(".wb-line", has_text="of 50 samples are support vectors").wait_for(state="attached")


def test_a_refusal_stands_also_where_the_browser_has_written_over_it(browser, address):
    with visit(browser, f"{address}{SMALL}&update=bounded", SETTLED) as page:
        in_browser(page)
        for _ in range(2):
            choose(page, "Regularizer", "Entropy")
            says(page, "needs a bound of the curvature")
            choose(page, "Regularizer", "Squared ℓ2")
            says(page, SETTLED)


def test_a_browser_without_webassembly_is_served(browser, address):
    context = browser.new_context()
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    page.goto(address + SMALL)
    says(page, SETTLED)
    before = page.locator(".wb-line").first.inner_text()
    move_lambda(page)
    assert becomes(lambda: page.locator(".wb-line").first.inner_text() != before, True)
    says(page, SETTLED)
    assert page.evaluate(ENGINE) is None
    context.close()
