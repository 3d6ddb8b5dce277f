"""Your data in a real Chromium: a file goes up, is used, refused, taken along, and survives its server."""

import contextlib
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pandas as pd
import pytest

import workbench as wb
from tests.helpers import page_checks
from tests.helpers.page_browser import (
    PATIENCE_MS,
    becomes,
    choose,
    fits,
    free_port,
    says,
    settle,
    visit,
    walk,
)
from workbench.pages.your_data.preview import MAX_ROWS

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("your-data",)
REACHED = re.compile(r"Reached|Stopped|Stalled")
TABLE = b"dose,age,outcome\n" + b"".join(
    b"%d,%d,%s\n" % (j % 7, (3 * j) % 11, b"ill" if (j % 7) + (3 * j) % 11 > 8 else b"well")
    for j in range(60)
)
# With words and an empty cell.
PEOPLE = "colour,dose,age,outcome\n" + "".join(
    f"{'red' if j % 3 else 'blue'},{'' if j == 7 else j % 7},{j % 5},{'ill' if j % 7 > 3 else 'well'}\n"
    for j in range(60)
)
ROWS = b"age,note,dose,colour,outcome\n1,<b>x</b>,6,red,ill\n2,,,blue,well\n3,y,2,red,ill\n"
LARGE = b"1,2\n" * 300_000
# Files that are not tables, and those without new rows of the people, by the sentence that says so.
BAD = (
    ("empty.csv", b"", "empty.csv is empty"),
    ("large.csv", LARGE, "large.csv has more than 1 MB"),
    ("picture.csv", b"\x89PNG\r\n\x1a\n", "picture.csv is an image, not a table"),
    ("<b>bold</b>.csv", b"a,b\n1,2\n3\n", "b>.csv, line 3: 1 cell where most rows have 2"),
    ("order.svm", b"1 3:1 2:1\n", "line 1: '2:1' does not fit"),
    ("wide.csv", b",".join([b"1"] * 20_000), "line 1: 20,000 columns, and at most 10,000"),
)
BAD_ROWS = (
    ("large.csv", LARGE, "large.csv has more than 1 MB"),
    ("empty.csv", b"", "empty.csv is empty"),
    ("lacks.csv", b"age,dose\n1,2\n", "lacks.csv lacks the column 'colour'"),
    ("deep.json", b"[" * 100_000, "deep.json, line 1: not JSON"),
    ("<img src=x>.csv", b"\x89PNG\r\n\x1a\n\xff", "<img src=x>.csv is an image"),
    ("green.csv", b"age,dose,colour\n1,2,green\n", "switch on “Accept unknown categories”"),
)
MODEL = "is better by more than"


@pytest.fixture(scope="module")
def page(browser, address):
    with visit(browser, address, REACHED, 1366, 768) as view:
        yield view


def drop(page, name, content, place="Drop a CSV or LIBSVM file"):
    page.get_by_label(place).set_input_files({"name": name, "mimeType": "", "buffer": content})


def sentence(page):
    return page.locator(".wb-status").first.inner_text()


def downloaded(page, name):
    """The file that a button gives."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return waiting.value.path()


def test_a_file_is_used_and_taken_to_other_pages(browser, page):
    """An example is solved without a click; what is bad leaves all as it is."""
    says(page, "iris.csv (virginica against the rest)")
    assert "✓" in page.locator(".wb-formula").inner_text()
    page.get_by_text("The first rows", exact=True).click()
    assert page.get_by_role("region", name="The first rows").locator("tr").count() == 1 + MAX_ROWS
    before = page.url, page.locator(".wb-formula").all_inner_texts()
    for name, content, words in BAD:
        drop(page, name, content)
        says(page, words)
        assert (page.url, page.locator(".wb-formula").all_inner_texts()) == before
    drop(page, "doses.csv", TABLE)
    says(page, "doses.csv has been read")
    assert "data=" not in page.url  # not before it is used
    choose(page, "Class that is +1", "ill")
    page.get_by_role("button", name="Use it").click()
    says(page, "doses.csv (ill against the rest): n = 45, d = 2")
    page.wait_for_url(re.compile("data=[0-9a-f]{32}.*positive=ill"))
    says(page, REACHED)
    page.locator(".wb-code", has_text="load('doses.csv'").wait_for()
    lines = downloaded(page, "All weights as CSV").read_text().splitlines()
    assert [line.split(",")[0] for line in lines[3:]] == ["feature", "dose", "age", "(constant)"]
    own = page.url
    with visit(browser, own, REACHED) as other:
        says(other, "doses.csv (ill against the rest)")
        assert other.url == own
        for name, status in (("Dual lab", REACHED), ("Compare", re.compile("Reached|Stopped"))):
            link = page.get_by_role("link", name=name).last.get_attribute("href")
            other.goto(own.split("?")[0].replace("your-data", link))
            settle(other, status)
            assert "Your data: doses.csv" in other.get_by_role("combobox", name="Data").inner_text()
            if name == "Dual lab":
                other.locator(".wb-code", has_text="load('doses.csv'").wait_for()
        other.get_by_role("button", name="race", exact=True).click()
        other.locator(".wb-line", has_text="fitted in").wait_for()
        # An invalid token.
        other.goto(f"{own.split('?')[0]}?data={'0' * 32}")
        settle(other, REACHED)
        assert "no longer on the server" in sentence(other)


def test_a_table_with_words_and_empty_cells_is_fitted_and_new_rows_are_predicted(page, tmp_path):
    drop(page, "people.csv", PEOPLE.encode())
    says(page, "people.csv: empty cells in dose (1); go on with “Empty cells”:")
    # Both halves refuse the file in the same words, until both take it.
    page.get_by_text("people.csv: all settings are chosen from the file").wait_for()
    says(page, "Press “Fit it” first; then")
    page.get_by_role("button", name="Fit it").click()
    page.locator(".wb-status", has_text="empty cells in dose (1); go on with “Empty").nth(1).wait_for()
    choose(page, "Empty cells", "mean")
    page.get_by_role("button", name="Fit it").click()
    says(page, "The model of people.csv (logistic loss, λ = ")
    page.get_by_text(MODEL).wait_for()
    # The figures are of the file that was fitted.
    says(page, "people.csv (well against the rest): n = 45, d = 4")
    page.locator(".wb-code", has_text="load('people.csv'").locator("text=missing='mean'").wait_for()
    page.get_by_text("No linear model with the logistic loss, the regularizer squared-l2").wait_for()
    page.get_by_text("What would change this prediction?").wait_for()
    assert page.get_by_text("--test-size").count() == 0
    assert "people.csv" in downloaded(page, "Report").read_text()
    model = wb.Model.load(downloaded(page, "Model"))
    assert model.task.labels == ("ill", "well")
    # A file that cannot be read takes nothing away, the model neither.
    drop(page, "ragged.csv", b"a,b\n1,2\n3\n")
    says(page, "ragged.csv, line 3")
    assert "Fit it" not in sentence(page)
    assert page.get_by_text(MODEL).count() == 1
    rows = "Drop a file of new rows here"
    page.get_by_label(rows).focus()
    assert page.get_by_label(rows).evaluate("input => input === input.getRootNode().activeElement")
    drop(page, "new.csv", ROWS, rows)
    says(page, "new.csv: 3 rows predicted; ")
    table = page.get_by_role("region", name="The first predictions")
    table.locator("tr").nth(3).wait_for()
    assert table.locator("b").count() == 0
    downloaded_table = pd.read_csv(downloaded(page, "Rows with predictions as CSV"), index_col="index")
    (tmp_path / "new.csv").write_bytes(ROWS)
    predictions = model.predict(tmp_path / "new.csv")
    assert downloaded_table["predicted outcome"].tolist() == predictions["label"].tolist()
    assert downloaded_table["predicted score"].tolist() == predictions["score"].tolist()
    assert downloaded_table["note"].tolist()[0] == "<b>x</b>"
    right = sum(predictions["label"] == downloaded_table["outcome"])
    says(page, f"Compared with the column outcome: {right} of 3 are right")
    # A download leaves its link in the page for a moment.
    assert becomes(lambda: page_checks.axe(page), []) == []
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, 390)
    page.set_viewport_size({"width": 1366, "height": 768})
    for name, content, words in BAD_ROWS:
        drop(page, name, content, rows)
        says(page, words)
        # What was predicted before stays, dimmed; the model stays as it is.
        page.locator("div[style*=opacity]", has=table).locator("tr").nth(3).wait_for()
        assert page.get_by_text(MODEL).count() == 1
    walk(
        page,
        ("Accept unknown categories", None, "green.csv: 1 row predicted; "),
        # Other options: model and predictions are of former ones until they are made anew.
        ("Empty cells", "median", "The options have changed since this model was fitted"),
    )
    says(page, "These predictions are of the model that was fitted before")
    # Another file: its model comes first, and that of the file before does not stay beside it.
    drop(page, "doses.csv", TABLE)
    page.get_by_text("doses.csv: all settings are chosen from the file").wait_for()
    says(page, "Press “Fit it” first; then")
    table.wait_for(state="detached")
    assert page.get_by_text(MODEL).count() == 0


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
