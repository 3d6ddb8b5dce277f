"""Pages in the frames of other sites."""

import contextlib
import functools
import http.server
import threading

import pytest

from tests.helpers.page_browser import (
    PATIENCE_MS,
    chromium,
    free_port,
    served,
)

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

FRAME = "<!DOCTYPE html><title>course</title><iframe src='{url}' width=1000 height=700></iframe>"
# As `bokeh.embed.server_document` writes it.
SCRIPT = """<!DOCTYPE html><title>course</title><body><script id="place">
const given = "bokeh-autoload-element=place&bokeh-app-path=/home&bokeh-absolute-url={url}";
const asked = new XMLHttpRequest();
asked.responseType = "blob";
asked.open("GET", "{url}/autoload.js?" + given);
asked.onload = () => {{
  const script = document.createElement("script");
  script.src = URL.createObjectURL(asked.response);
  document.body.append(script);
}};
asked.send();
</script>
"""


@contextlib.contextmanager
def course(folder, port):
    """A site that holds the files of a folder, under a name that is another origin's."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    handler.log_message = lambda *_: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.shutdown()
        server.server_close()


def test_a_page_in_a_frame_and_one_that_is_not_there(tmp_path):
    port = free_port()
    site = f"127.0.0.1:{port}"
    # One place is taken by who asked whether the server is up, the other one by the frame.
    options = ("--allow-embed", f"http://{site}", "--allow-origin", site, "--max-sessions", "2")
    with served("home", options=options) as url, course(tmp_path, port) as own, chromium() as browser:
        for name, text in (("frame", FRAME), ("script", SCRIPT)):
            (tmp_path / f"{name}.html").write_text(text.format(url=url), encoding="utf-8")
        page = browser.new_page()
        page.goto(f"{own}/frame.html")
        stands = page.frame_locator("iframe").locator("#page")
        stands.wait_for(state="attached", timeout=PATIENCE_MS)
        other = browser.new_page()
        other.goto(f"{own}/script.html")
        other.locator("[role=alert]", has_text="This server holds 2 visits").wait_for(timeout=PATIENCE_MS)


@pytest.mark.long
def test_a_page_is_in_no_frame_that_was_not_allowed(tmp_path):
    with served("home") as url, course(tmp_path, free_port()) as own, chromium() as browser:
        (tmp_path / "frame.html").write_text(FRAME.format(url=url), encoding="utf-8")
        page = browser.new_page()
        page.goto(f"{own}/frame.html")
        page.wait_for_load_state("networkidle")
        assert page.frame_locator("iframe").locator("#page").count() == 0
