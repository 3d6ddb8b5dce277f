"""Your data in a real Chromium: a file goes up, is used, refused, taken along, and survives its server."""

import contextlib
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import page_checks
import pandas as pd
import pytest
from page_browser import PATIENCE_MS, becomes, choose, fits, free_port, says, settle, visit

import workbench as wb
from workbench.pages.your_data.model import example
from workbench.pages.your_data.preview import MAX_ROWS

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("your-data", "dual-lab", "race")
IRIS = example("A table with texts as labels")[1]
OPTIONS = ("--max-upload", "1")
REACHED = re.compile(r"Reached|Stopped|Stalled")
TABLE = b"dose,age,outcome\n" + b"".join(
    b"%d,%d,%s\n" % (j % 7, (3 * j) % 11, b"ill" if (j % 7) + (3 * j) % 11 > 8 else b"well")
    for j in range(60)
)


@pytest.fixture(scope="module")
def page(browser, address):
    with visit(browser, address, REACHED) as view:
        yield view


def drop(page, name, content):
    place = page.get_by_label("Drop a CSV or LIBSVM file")
    place.set_input_files({"name": name, "mimeType": "", "buffer": content})


def sentence(page):
    return page.locator(".wb-status").first.inner_text()


def test_an_example_is_solved_without_a_click(page):
    says(page, "iris.csv (virginica against the rest)")
    assert "✓" in page.locator(".wb-stat", has_text="duality gap").inner_text()
    page.get_by_text("The first rows", exact=True).click()
    assert page.get_by_role("region", name="The first rows").locator("tr").count() == 1 + MAX_ROWS


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", b"", "empty.csv is empty"),
        ("large.csv", b"1,2\n" * 300_000, "large.csv has more than 1 MB"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n", "picture.csv is a PNG image and no table"),
        ("<b>bold</b>.csv", b"a,b\n1,2\n3\n", "b>.csv, line 3: 1 cell where the first row has 2"),
        ("order.svm", b"1 3:1 2:1\n", "line 1: the pair '2:1' comes after the index 3"),
        ("wide.csv", b",".join([b"1"] * 20_000), "line 1: 20,000 columns, and at most 10,000"),
    ],
)
def test_a_bad_file_is_a_sentence_and_all_else_stays(page, name, content, words):
    before = page.url, page.locator(".wb-stats").all_inner_texts()
    drop(page, name, content)
    says(page, words)
    assert (page.url, page.locator(".wb-stats").all_inner_texts()) == before


def test_a_file_of_ones_own_is_used_and_taken_to_the_dual_lab(browser, page):
    drop(page, "doses.csv", TABLE)
    says(page, "doses.csv has been read")
    assert "data=" not in page.url  # not before it is used
    page.get_by_role("combobox", name="Class that is +1").click()
    page.get_by_role("menuitem", name="ill").click()
    page.get_by_role("button", name="Use it").click()
    says(page, "doses.csv (ill against the rest): n = 45, d = 2")
    page.wait_for_url(re.compile("data=[0-9a-f]{32}.*positive=ill"))
    says(page, REACHED)
    page.locator(".wb-code", has_text="load('doses.csv'").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="All weights as CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert [line.split(",")[0] for line in lines[3:]] == ["feature", "dose", "age", "(constant)"]
    link = page.get_by_role("link", name="Dual lab").last.get_attribute("href")
    with visit(browser, page.url.split("?")[0].replace("your-data", link), REACHED) as lab:
        assert "Your data: doses.csv" in lab.get_by_role("combobox", name="Data").inner_text()
        lab.locator(".wb-code", has_text="load('doses.csv'").wait_for()
    link = page.get_by_role("link", name="Race").last.get_attribute("href")
    with visit(browser, page.url.split("?")[0].replace("your-data", link), "Ready") as race:
        assert "Your data: doses.csv" in race.get_by_role("combobox", name="Data").inner_text()
        race.get_by_role("button", name="start").click()
        says(race, "fitted in")
    with visit(browser, page.url, REACHED) as again:
        says(again, "doses.csv (ill against the rest)")
        assert again.url == page.url


def test_a_table_with_words_and_empty_cells_is_fitted_in_one_step(browser, address):
    rows = b"".join(
        b"%s,%s,%d,%s\n"
        % (
            b"red" if j % 3 else b"blue",
            b"" if j == 7 else b"%d" % (j % 7),
            j % 5,
            b"ill" if (j % 7) > 3 else b"well",
        )
        for j in range(60)
    )
    with visit(browser, address, REACHED) as page:
        drop(page, "people.csv", b"colour,dose,age,outcome\n" + rows)
        says(page, "people.csv: empty cells in dose (1); go on with “Empty cells”:")
        # Both halves refuse the file in the same words, until both take it.
        page.get_by_text("people.csv: all settings are chosen from the file").wait_for()
        page.get_by_role("button", name="Fit it").click()
        page.locator(".wb-status", has_text="empty cells in dose (1); go on with “Empty").nth(1).wait_for()
        page.get_by_role("combobox", name="Empty cells").click()
        page.get_by_role("menuitem", name="mean").click()
        page.get_by_role("button", name="Fit it").click()
        page.get_by_text("is better by more than").wait_for()
        # The figures are of the file that was fitted.
        says(page, "people.csv (well against the rest): n = 45, d = 4")
        page.locator(".wb-code", has_text="load('people.csv'").locator("text=missing='mean'").wait_for()
        page.get_by_text("No linear model with the logistic loss, the regularizer squared-l2").wait_for()
        page.get_by_text("What would change this prediction?").wait_for()
        assert page.get_by_text("--test-size").count() == 0
        with page.expect_download() as download:
            page.get_by_role("button", name="Report").click()
        assert "people.csv" in download.value.path().read_text()
        with page.expect_download() as download:
            page.get_by_role("button", name="Model").click()
        assert wb.Model.load(download.value.path()).task.labels == ("ill", "well")
        # The model of a file does not stay beside the next one.
        drop(page, "doses.csv", TABLE)
        page.get_by_text("doses.csv: all settings are chosen from the file").wait_for()
        assert page.get_by_text("is better by more than").count() == 0
        # A file that cannot be read takes nothing away, the model neither.
        page.get_by_role("button", name="Fit it").click()
        page.get_by_text("is better by more than").wait_for()
        drop(page, "ragged.csv", b"a,b\n1,2\n3\n")
        says(page, "ragged.csv, line 3")
        assert "Fit it" not in sentence(page)
        assert page.get_by_text("is better by more than").count() == 1


def test_new_rows_are_predicted_and_a_bad_file_takes_nothing_away(browser, address, tmp_path):
    people = "".join(
        f"{'red' if j % 3 else 'blue'},{'' if j == 7 else j % 7},{j % 5},{'ill' if j % 7 > 3 else 'well'}\n"
        for j in range(60)
    )
    with visit(browser, address, REACHED, 1366, 768) as page:
        drop(page, "people.csv", f"colour,dose,age,outcome\n{people}".encode())
        page.get_by_text("people.csv: all settings are chosen from the file").wait_for()
        says(page, "Press “Fit it” first; then")
        choose(page, "Empty cells", "mean")
        page.get_by_role("button", name="Fit it").click()
        says(page, "The model of people.csv (logistic loss, λ = ")
        new = page.get_by_label("Drop a file of new rows here")

        def add(name, content):
            new.set_input_files({"name": name, "mimeType": "", "buffer": content})

        new.focus()
        assert new.evaluate("input => input === input.getRootNode().activeElement")
        rows = b"age,note,dose,colour,outcome\n1,<b>x</b>,6,red,ill\n2,,,blue,well\n3,y,2,red,ill\n"
        add("new.csv", rows)
        says(page, "new.csv: 3 rows predicted; ")
        table = page.get_by_role("region", name="The first predictions")
        table.locator("tr").nth(3).wait_for()
        assert table.locator("b").count() == 0
        with page.expect_download() as download:
            page.get_by_role("button", name="Model", exact=True).click()
        model = wb.Model.load(download.value.path())
        with page.expect_download() as download:
            page.get_by_role("button", name="Rows with predictions as CSV").click()
        kept = pd.read_csv(download.value.path(), index_col="index")
        (tmp_path / "new.csv").write_bytes(rows)
        found = model.predict(tmp_path / "new.csv")
        assert kept["predicted outcome"].tolist() == found["label"].tolist()
        assert kept["predicted score"].tolist() == found["score"].tolist()
        assert kept["note"].tolist()[0] == "<b>x</b>"
        right = sum(found["label"] == kept["outcome"])
        says(page, f"Compared with the column outcome: {right} of 3 are right")
        # A download leaves its link in the page for a moment.
        assert becomes(lambda: page_checks.axe(page), []) == []
        page.screenshot(path=tmp_path / "laptop.png")
        for name, content, words in (
            ("large.csv", b"1,2\n" * 300_000, "large.csv has more than 1 MB"),
            ("empty.csv", b"", "empty.csv is empty"),
            ("lacks.csv", b"age,dose\n1,2\n", "lacks.csv lacks the column 'colour'"),
            ("deep.json", b"[" * 100_000, "deep.json, line 1: no JSON"),
            ("<img src=x>.csv", b"\x89PNG\r\n\x1a\n\xff", "<img src=x>.csv is a PNG image"),
            ("green.csv", b"age,dose,colour\n1,2,green\n", "switch on “Accept unknown categories”"),
        ):
            add(name, content)
            says(page, words)
            # What was predicted before stays, dimmed; the model stays as it is.
            page.locator("div[style*=opacity]", has=table).locator("tr").nth(3).wait_for()
            assert page.get_by_text("is better by more than").count() == 1
        page.get_by_role("switch", name="Accept unknown categories").click()
        says(page, "green.csv: 1 row predicted; ")
        # Other options: model and predictions are of former ones until they are made anew.
        choose(page, "Empty cells", "median")
        says(page, "The options have changed since this model was fitted")
        says(page, "These predictions are of the model that was fitted before")
        page.get_by_role("button", name="Fit it").click()
        says(page, "green.csv: 1 row predicted; ")
        # Another file: its model comes first.
        drop(page, "doses.csv", TABLE)
        says(page, "Press “Fit it” first; then")
        table.wait_for(state="detached")
    with visit(browser, address, REACHED, 390, 844) as page:
        page.get_by_role("button", name="Fit it").click()
        says(page, "The model of iris.csv (multinomial loss, λ = ")
        place = page.get_by_label("Drop a file of new rows here")
        place.set_input_files({"name": "iris.csv", "mimeType": "", "buffer": IRIS})
        says(page, "iris.csv: 150 rows predicted; ")
        fits(page, 390)
        page.get_by_role("button", name="Rows with predictions as CSV").scroll_into_view_if_needed()
        page.screenshot(path=tmp_path / "phone.png")


def test_a_token_that_is_none(browser, address):
    with visit(browser, f"{address}?data={'0' * 32}", REACHED) as page:
        assert "no longer on the server" in sentence(page)
    with visit(browser, f"{address.replace('your-data', 'dual-lab')}?source=upload-../x") as page:
        page.locator(".wb-refused", has_text="This upload is not on this server").wait_for()


@contextlib.contextmanager
def running(port):
    """A server on a port that can be killed."""
    program = Path(sys.executable).with_name("workbench")
    command = [program, "serve", "dual-lab", "--port", str(port), "--no-show"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < until:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"http://localhost:{port}/"):
                break
            time.sleep(0.2)
        yield server
    finally:
        server.kill()
        server.wait()


@pytest.mark.long
def test_a_page_comes_back_after_its_server_was_killed_under_load(browser):
    """The state stands in the address; other visitors work all the while."""
    port = free_port()
    state = f"http://localhost:{port}/dual-lab?source=Breast+cancer&lam=0.1"
    with contextlib.ExitStack() as stack:
        pages = []
        with running(port):
            for _ in range(2):
                page = stack.enter_context(contextlib.closing(browser.new_page()))
                page.set_default_timeout(PATIENCE_MS)
                page.goto(state)
                settle(page, REACHED)
                pages.append(page)
            for page in pages:  # all of them at work when the server ends
                page.get_by_role("slider", name="λ weight").press("ArrowLeft")
                page.wait_for_url(re.compile("lam=0.079"))
                page.keyboard.press("ArrowRight")
        for page in pages:
            page.locator(".wb-lost", has_text="does not answer").wait_for()
            page.evaluate("window.old = true")
        with running(port):
            for page in pages:
                page.wait_for_function("!window.old && !document.querySelector('.wb-lost')")
                page.locator(".wb-status", has_text=REACHED).wait_for()
                page.locator(".wb-code", has_text=re.compile(r"lam=0.(1|079)")).wait_for()
