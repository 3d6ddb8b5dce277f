"""The served page of norms that the browser solves: its numbers are Python's, which certifies what rests."""

import re
from urllib.parse import urlencode

import numpy as np
import pytest
from amounts import few
from live_file import columns
from page_browser import becomes, choose, line, read_number, says, settle, visit
from served_run import ENGINE, SETTLED, begin, goes_on_alone, ids, in_a_run, on_the_wire, pauses, press
from test_live_norms import SETTINGS, check_sources, played, shown

from workbench import losses
from workbench.errors import InputError
from workbench.pages.norms import model as norms
from workbench.pages.norms import served
from workbench.pages.norms.figures import NormsDrawing
from workbench.pages.numerals import numerals
from workbench.run import Run

PAGES = ("norms",)
# So many steps that a browser is busy for seconds.
LONG = {
    "source": "Digits · even or odd", "norm": "Sparse group", "ratio": 0.001, "tolerance": 1e-9,
    "restart": False,
}  # fmt: skip


def chosen(settings):
    return norms.Norms(**{"ratio": 0.1} | settings)


def query(settings):
    return "?" + urlencode({k: ("off", "on")[v] if isinstance(v, bool) else v for k, v in settings.items()})


def check_picture(page, lab, model):
    """Every source, sentence and number of the page is what Python draws of the same place of a run."""
    drawing, seen = NormsDrawing(), shown(lab, model)
    sentences = {numerals(text) for text in drawing.show(seen).values()}
    assert becomes(lambda: sentences - {*page.locator(".wb-line").all_text_contents()}, set()) == set()
    check_sources(page, ids(page), lab, drawing)
    primal = page.locator(".wb-stat b").first.inner_text()
    assert read_number(primal) == pytest.approx(seen["row"]["primal"], rel=1e-5)


def bar(page):
    return page.get_by_role("slider", name="Progress of the run")


@pytest.mark.browser
@pytest.mark.parametrize("name", few(SETTINGS, 1))
def test_the_browser_solves_and_what_it_draws_is_pythons(name, browser, address):
    model = chosen(SETTINGS[name])
    lab = played(model.settings(), 11)
    with visit(browser, address + query(SETTINGS[name]), SETTLED) as page:
        begin(page)
        press(page, "step")
        says(page, "Paused after 1 step.")
        press(page, "10 steps")
        says(page, "Paused after 11 steps")
        check_picture(page, lab, model)
        page.locator(".wb-code", has_text=norms.code(lab, model.tolerance)[-40:]).wait_for()
        # The curves stay, all else is of that step.
        bar(page).fill("7")
        says(page, "Paused after 7 steps")
        lab.run.seek(7)
        check_picture(page, lab, model)
        assert page.evaluate(ENGINE) == "browser"


@pytest.mark.long
@pytest.mark.browser
def test_nothing_travels_while_the_browser_runs(browser, address):
    with on_the_wire(browser, address + query(LONG)) as (page, travelled):

        def last():
            return columns(page, ids(page), ("curves",))["curves"]["step"][-1]

        says(page, re.compile("Running|Stopped|Reached"))
        in_a_run(page, lambda: goes_on_alone(page, travelled, last) and pauses(page))
        # A run that was paused stands at its end.
        said = page.locator(".wb-status").inner_text().replace(",", "")
        steps = int(re.search(r"after (\d+) steps", said)[1])
        assert last() == steps
        check_picture(page, played(chosen(LONG).settings(), steps), chosen(LONG))


@pytest.mark.browser
def test_what_is_looked_at_changes_no_step_and_needs_no_server(browser, address):
    settings = {"source": "Breast cancer", "norm": "Tree", "loss": "Logistic"}
    with visit(browser, address + query(settings), SETTLED) as page:
        begin(page)
        press(page, "10 steps")
        says(page, "Paused after 10 steps")
        model = chosen(settings | {"first": 20, "halving": 7})
        lab = played(model.settings(), 10)
        choose(page, "Section along", str(lab.found.names[20]))
        page.get_by_role("slider", name="Halving of the bisection").press("ArrowRight")
        page.wait_for_url(re.compile("first=20.*halving=7"))
        line(page, "Halving 7: [").wait_for()
        check_picture(page, lab, model)
        assert page.evaluate(ENGINE) == "browser"


@pytest.mark.browser
def test_what_is_refused_leaves_the_run_and_what_follows_is_the_browsers(browser, address):
    with visit(browser, address, SETTLED) as page:
        begin(page)
        press(page, "run")
        says(page, "Reached")
        choose(page, "Regularizer", "Crossing groups")
        says(page, "overlap and neither holds the other")
        choose(page, "Regularizer", "ℓ1")
        says(page, "Reached")
        line(page, "of 24 weights are not zero").wait_for(state="attached")
        press(page, "reset")
        press(page, "step")
        says(page, "Paused after 1 step.")
        model = chosen({"norm": "ℓ1"})
        check_picture(page, played(model.settings(), 1), model)
        assert page.evaluate(ENGINE) == "browser"


@pytest.mark.browser
def test_a_slow_run_goes_from_place_to_place(browser, address):
    with visit(browser, address, SETTLED) as page:
        begin(page)
        page.get_by_role("combobox", name="Speed").select_option("slow")
        press(page, "run")
        page.locator("output", has_text=re.compile("^step 2 of 2.*$")).wait_for()
        press(page, "pause")
        says(page, re.compile("Paused after [2-9] steps"))


@pytest.mark.browser
def test_a_browser_without_webassembly_is_served(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    page.goto(address)
    settle(page, SETTLED)
    page.get_by_role("slider", name="λ / λ_max").press("ArrowRight")
    page.wait_for_url(re.compile("ratio=0.12"))
    says(page, SETTLED)
    press(page, "reset")
    says(page, "Paused after 0 steps")
    press(page, "10 steps")
    says(page, "Paused after 10 steps")
    assert page.evaluate(ENGINE) is None
    context.close()


# --- what the server makes of a report


def lab_of(**choices):
    return norms.build(chosen(choices).settings())


def reported(steps, **choices):
    """What an honest browser says of the same problem after some steps."""
    run = played(chosen(choices).settings(), steps).run
    rows = [
        [row[name] for name in served.CERTIFIED] + [getattr(gaps, name) for name in served.GAPS]
        for row, gaps in zip(run.rows, run.gaps, strict=True)
    ]
    state = np.concatenate([np.ravel(getattr(run.state, name)) for name in served.STATE])
    event = np.array(run.state.event)
    return run, {"step": steps, "status": None, "state": state, "rows": np.ravel(rows), "event": event}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_run_that_was_taken_back_goes_on_as_if_it_had_not_left(name):
    lab = lab_of(**SETTINGS[name])
    other, report = reported(9, **SETTINGS[name])
    served.take_back(lab.run, report, 1e-6)
    assert (lab.run.steps, lab.run.last_event, lab.run.gaps[-1]) == (9, other.last_event, other.gaps[-1])
    assert [row["step"] for row in lab.run.rows] == list(range(10))
    for run in (lab.run, other):
        run.step(3)
    np.testing.assert_array_equal(lab.run.state.w, other.state.w)
    np.testing.assert_array_equal(lab.run.state.numbers, other.state.numbers)


def of_row(name, value):
    """A report whose last row has another number."""

    def lie(report):
        place = served.ROW.index(name) - len(served.ROW)
        report["rows"][place] = value(report["rows"][place])

    return lie


def of_state(place, value):
    return lambda report: report["state"].__setitem__(place, value)


LIES = {
    "another primal": of_row("primal", lambda x: x + 1e-6),
    "another repaired gap": of_row("repaired", lambda x: 0.0),
    "another best gap": of_row("better", lambda x: x - 1e-6),
    "no number": of_row("dual", lambda x: np.nan),
    "an infinite gap": of_row("gap", lambda x: np.inf),
    "converged too early": lambda report: report.update(status="converged"),
    "other weights": lambda report: report.update(state=0.5 * report["state"] + 1.0),
    "weights without end": of_state(0, np.inf),
    "no Lipschitz constant": of_state(-1, 0.0),
    "no momentum": of_state(-2, 0.5),
    "too few weights": lambda report: report.update(state=report["state"][1:]),
    "words": lambda report: report.update(state=["a"] * report["state"].size),
    "half a row": lambda report: report.update(rows=report["rows"][:-1]),
    "another status": lambda report: report.update(status="<b>"),
    "a step that is none": lambda report: report.update(step="7"),
    "half an event": lambda report: report.update(event=np.zeros(3)),
    "nothing": lambda report: report.clear(),
}


@pytest.mark.parametrize("lie", LIES)
def test_the_browsers_numbers_are_never_taken_for_true(lie):
    lab = lab_of()
    _, report = reported(5)
    LIES[lie](report)
    with pytest.raises(InputError, match="The server computes from here on"):
        served.take_back(lab.run, report, 1e-6)


def test_what_is_not_printed_stays_with_the_server():
    lab = lab_of()
    assert served.terms(lab) is not None
    own = losses.custom("max(0, 1 - u)**3 / 3", kind="margin")
    lab.run.problem = lab_of(source="Breast cancer", loss="Logistic").run.problem.replace(loss=own)
    assert served.terms(lab) is None


def test_the_state_is_that_of_the_solver():
    run = lab_of().run
    assert isinstance(run, Run)
    assert (*served.STATE, "counters", "event") == run.state._fields
