"""The served page of inverse time whose runs the browser does: samples, steps and pictures are Python's."""

import contextlib
import re
from urllib.parse import urlencode

import numpy as np
import pytest
from amounts import few
from live_file import columns
from page_browser import becomes, choose, line, says, shows, visit
from served_run import (
    ENGINE,
    GHOST,
    MARK,
    SETTLED,
    bar,
    begin,
    goes_on_alone,
    ids,
    in_a_run,
    key,
    on_the_wire,
    pauses,
    places,
    played_by,
    press,
    stands,
)  # fmt: skip

from workbench.data.examples.gaussians import CANCER
from workbench.errors import InputError
from workbench.pages import parts
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import served
from workbench.pages.inverse_time.figures import InverseTimeDrawing
from workbench.pages.inverse_time.page import frame, statistics
from workbench.pages.numerals import numerals

pytest.importorskip("playwright.sync_api")

PAGES = ("inverse-time",)
# So many samples that a browser is busy for seconds with their certificates; the sweep ends soon.
LONG = {
    "samples": 25600, "source": "Two Gaussians, 40 features", "tolerance": 0.001, "p": 1.5, "seeds": 3,
    "measure": "Test accuracy", "target": 0.5,
}  # fmt: skip
SETTINGS = {
    "gaussians": {"samples": 200, "lam": 0.01},
    "batches": {
        "source": "Two Gaussians, 20 features", "p": 1.5, "batch": 10, "order": "shuffled", "samples": 400,
        "seed": 3, "lam": 0.01,
    },
    "rows": {"source": CANCER, "samples": 60, "lam": 0.05, "p": 1.2},
}  # fmt: skip
# Of a certificate, in units of P(0).
SAME = 1e-10


def lab_of(**choices):
    return inverse_time.build(inverse_time.InverseTime(**choices).settings())


def drawn(page):
    return columns(page, ids(page), ["run"])["run"]


def check_run(page, lab):
    """The run's curves, sentences and numbers are what Python draws of the same place."""
    drawing, seen = InverseTimeDrawing(), frame(lab)
    for text in drawing.show(seen).values():
        line(page, numerals(text)).wait_for()
    found, zero = drawn(page), lab.run.problem.zero_value
    for column, values in drawing.sources["run"].data.items():
        atol = 0.0 if column in ("step", "theorem") else SAME * zero
        np.testing.assert_allclose(found[column], values, rtol=1e-12, atol=atol, err_msg=column)
    told = page.locator(".wb-stats").inner_text()
    for text in filter(None, re.sub(r"<[^>]*>", "|", statistics(lab, seen)).split("|")):
        assert numerals(text) in told


@pytest.mark.browser
@pytest.mark.parametrize("name", few(SETTINGS, 1))
def test_the_browser_solves_and_what_it_draws_is_pythons(name, browser, address):
    chosen = {"tolerance": 0.1, "seeds": 3} | SETTINGS[name]
    with visit(browser, f"{address}?{urlencode(chosen)}", SETTLED) as page:
        begin(page)
        lab = lab_of(**chosen)
        press(page, "step")
        says(page, "Paused after 1 step.")
        press(page, "epoch")
        for done in (lab.run.step, lab.run.epoch):
            done()
            lab.run.record()
        says(page, f"Paused after {lab.run.steps:,} steps")
        check_run(page, lab)
        begin(page)
        press(page, "run")
        lab = lab_of(**chosen)
        inverse_time.play(lab, np.inf, 0.1)
        says(page, f"Reached a relative gap of 0.1 after {lab.run.steps:,} steps")
        check_run(page, lab)
        assert page.evaluate(ENGINE) == "browser"


@pytest.mark.long
@pytest.mark.browser
def test_nothing_travels_while_the_browser_runs(browser, address):
    with on_the_wire(browser, f"{address}?{urlencode(LONG)}") as (page, travelled):
        says(page, re.compile("Running|Stopped|Reached"))
        page.get_by_text("Sweep done").wait_for()
        in_a_run(
            page,
            lambda: goes_on_alone(page, travelled, lambda: drawn(page)["step"][-1]) and pauses(page),
        )
        before = drawn(page)["step"][-1]
        press(page, "step")
        says(page, f"Paused after {int(before) + 1:,} steps")


@pytest.mark.long
@pytest.mark.browser
def test_a_run_goes_back_and_on_slowly_and_stays_as_a_ghost(browser, address):
    chosen = {"samples": 200, "lam": 0.01, "tolerance": 0.1, "seeds": 3}
    with visit(browser, f"{address}?{urlencode(chosen)}", SETTLED) as page:
        begin(page)
        press(page, "run")
        says(page, SETTLED)
        lab = lab_of(**chosen)
        inverse_time.play(lab, np.inf, 0.1)
        last, steps = places(page), [row["step"] for row in lab.run.rows]
        assert last == len(steps) - 1
        # As one drags: only the last place counts.
        for place in (40, 12, 20):
            bar(page).fill(str(place))
        stands(page, f"step {steps[20]} of {steps[-1]:,}")
        lab.run.seek(20)
        says(page, f"Paused after {steps[20]} steps")
        check_run(page, lab)
        assert page.evaluate(MARK, "pgs_gap") == steps[20]
        key(page, "ArrowLeft")
        stands(page, f"step {steps[19]} of {steps[-1]:,}")
        key(page, "ArrowRight")
        stands(page, f"step {steps[20]} of {steps[-1]:,}")
        page.get_by_role("combobox", name="Speed").select_option("slow")
        press(page, "run")
        stands(page, f"step {steps[22]} of {steps[-1]:,}.*")
        press(page, "pause")
        says(page, re.compile("Paused after [1-9]"))
        page.get_by_role("combobox", name="Speed").select_option("normal")
        press(page, "run")
        says(page, SETTLED)
        assert becomes(lambda: page.evaluate(MARK, "pgs_gap"), None) is None

        def haunts():
            says(page, SETTLED)
            count = places(page) + 1
            page.wait_for_timeout(1000)  # the server has heard of it
            page.get_by_role("slider", name="λ, Zhu's σ").press("ArrowRight")
            page.wait_for_timeout(1000)
            return len(page.evaluate(GHOST, "pgs_gap")[1]) == count

        assert becomes(haunts, True) is True
        page.locator(".wb-key", has_text="before").wait_for()
        says(page, SETTLED)
        assert page.evaluate(ENGINE) == "browser"


@pytest.mark.browser
def test_a_run_of_the_server_goes_on_in_the_browser(browser, address):
    """Its steps are done again there, and the curves keep what was certified here."""
    chosen = {"samples": 200, "lam": 0.01, "tolerance": 0.1, "seeds": 3}
    with visit(browser, f"{address}?{urlencode(chosen)}", SETTLED) as page:
        lab = lab_of(**chosen)
        inverse_time.play(lab, np.inf, 0.1)

        def stepped():
            press(page, "step")
            lab.run.step()
            lab.run.record()
            says(page, f"Paused after {lab.run.steps:,} steps")
            return page.evaluate(ENGINE)

        assert becomes(stepped, "browser") == "browser"
        check_run(page, lab)


@pytest.mark.long
@pytest.mark.browser
def test_a_move_of_lambda_is_answered_before_the_server_hears_of_it(browser, address):
    """The server follows, and certifies what the browser has solved meanwhile."""
    chosen, held, silent = {"samples": 200, "lam": 0.01, "tolerance": 0.1, "seeds": 3}, [], []

    def between(socket):
        server = socket.connect_to_server()
        socket.on_message(lambda each: held.append((server, each)) if silent else server.send(each))

    with contextlib.closing(browser.new_page()) as page:
        page.route_web_socket(re.compile("."), between)
        page.goto(f"{address}?{urlencode(chosen)}")
        says(page, SETTLED)
        begin(page)
        grid = list(parts.log_options(0.01, *inverse_time.InverseTime.param.lam.bounds).values())
        lam = grid[grid.index(0.01) + 1]
        lab = lab_of(**chosen | {"lam": lam})
        inverse_time.play(lab, np.inf, 0.1)
        silent.append(True)
        page.get_by_role("slider", name="λ, Zhu's σ").press("ArrowRight")
        says(page, f"Reached a relative gap of 0.1 after {lab.run.steps:,} steps")
        check_run(page, lab)
        assert held
        assert page.locator(".wb-code", has_text="lam=0.01,").count() == 1
        silent.clear()
        for server, message in held:
            server.send(message)
        shows(page, f"lam={lam!r}")
        says(page, f"Reached a relative gap of 0.1 after {lab.run.steps:,} steps")
        check_run(page, lab)
        assert page.evaluate(ENGINE) == "browser"


@pytest.mark.browser
def test_other_data_samples_and_seeds_go_to_the_browser(browser, address):
    chosen = {"samples": 200, "lam": 0.05, "tolerance": 0.1, "seeds": 3}
    with visit(browser, f"{address}?{urlencode(chosen)}", SETTLED) as page:
        begin(page)
        choose(page, "Data", CANCER)
        shows(page, "455, 0")
        page.get_by_label("Seed").fill("7")
        page.get_by_label("Seed").press("Enter")
        shows(page, "455, 7")
        played_by(page, "browser")
        lab = lab_of(**chosen | {"source": CANCER, "samples": 455, "seed": 7})
        inverse_time.play(lab, np.inf, 0.1)
        says(page, f"Reached a relative gap of 0.1 after {lab.run.steps:,} steps")
        check_run(page, lab)
        choose(page, "Stop at a relative gap of", "0.01")
        lab = inverse_time.build(lab.settings)
        inverse_time.play(lab, np.inf, 0.01)
        says(page, f"Reached a relative gap of 0.01 after {lab.run.steps:,} steps")


@pytest.mark.browser
def test_a_browser_without_webassembly_is_served(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    chosen = {"samples": 200, "lam": 0.01, "tolerance": 0.1, "seeds": 3}
    page.goto(f"{address}?{urlencode(chosen)}")
    says(page, SETTLED)
    press(page, "reset")
    says(page, "Paused after 0 steps")
    press(page, "step")
    says(page, "Paused after 1 step.")
    assert page.evaluate(ENGINE) is None
    context.close()


# What the server makes of a report


def reported(**choices):
    """What an honest browser says of a run that has ended."""
    other = lab_of(**choices)
    inverse_time.play(other, np.inf, 0.1)
    run = other.run
    average, last = (solver.point(run.state) for solver in (run.solver, run.last_output))
    certified = [[row[name] for name in served.ROW] for row in run.rows]
    report = {
        "step": run.steps, "status": run.status, "event": np.empty(0),
        "point": np.concatenate([average["w"], last["w"], run.last.alpha]),
        "rows": np.column_stack([certified, run.lasts]).ravel(),
    }  # fmt: skip
    return other, report


@pytest.mark.parametrize("name", SETTINGS)
def test_a_run_that_was_taken_back_goes_on_as_if_it_had_not_left(name):
    lab, (other, report) = lab_of(**SETTINGS[name]), reported(**SETTINGS[name])
    served.take_back(lab, report, 0.1)
    assert lab.run.status == "converged"
    for each in (lab, other):
        each.run.seek(30)
        each.run.step(5)
        each.run.record()
    assert lab.run.steps == other.run.steps
    assert lab.run.rows[-1]["gap"] == pytest.approx(other.run.rows[-1]["gap"], rel=1e-12)
    assert lab.run.rows[-1]["test_score"] == other.run.rows[-1]["test_score"]
    np.testing.assert_allclose(lab.run.lasts, other.run.lasts, rtol=1e-12)


# Of the numbers of a row: step, epochs, primal, dual, both gaps, the score, then those of the last iterate.
LIES = {
    "another primal": lambda report: report["rows"].__setitem__(-7, report["rows"][-7] + 1e-6),
    "another last iterate": lambda report: report["rows"].__setitem__(-2, report["rows"][-2] + 1e-6),
    "a last gap that is none": lambda report: report["rows"].__setitem__(-1, np.nan),
    "other weights": lambda report: report["point"].__setitem__(0, 2.0),
    "another last one": lambda report: report["point"].__setitem__(10, 2.0),
    "other dual variables": lambda report: report["point"].__setitem__(slice(20, None), 0.0),
    "weights of other data": lambda report: report.update(point=report["point"][1:]),
    "weights without end": lambda report: report["point"].__setitem__(3, np.inf),
    "words": lambda report: report.update(point=["a"] * 220),
    "no rows": lambda report: report.update(rows=np.empty(0)),
    "a step that is none": lambda report: report.update(step="7"),
    "nothing": lambda report: report.clear(),
}


@pytest.mark.parametrize("lie", LIES)
def test_the_browsers_numbers_are_never_taken_for_true(lie):
    chosen = SETTINGS["gaussians"]
    lab, (_, report) = lab_of(**chosen), reported(**chosen)
    LIES[lie](report)
    with pytest.raises(InputError, match="The server computes from here on"):
        served.take_back(lab, report, 0.1)


def test_a_run_that_is_said_to_have_ended_too_early_is_refused():
    chosen = SETTINGS["gaussians"]
    lab, (_, report) = lab_of(**chosen), reported(**chosen)
    with pytest.raises(InputError, match="The server computes from here on"):
        served.take_back(lab, report, 0.01)
