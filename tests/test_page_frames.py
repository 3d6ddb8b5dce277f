"""A page in a frame of another site, and its script within another page, in a real Chromium."""

import contextlib
import functools
import http.server
import threading

import pytest
from page_browser import PATIENCE_MS, chromium, free_port, served

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


@pytest.mark.parametrize("allowed", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_page_in_a_frame(tmp_path, allowed):
    port = free_port()
    options = ("--allow-embed", f"http://127.0.0.1:{port}") if allowed else ()
    with served("home", options=options) as url, course(tmp_path, port) as site, chromium() as browser:
        (tmp_path / "frame.html").write_text(FRAME.format(url=url), encoding="utf-8")
        page = browser.new_page()
        page.goto(f"{site}/frame.html")
        stands = page.frame_locator("iframe").locator("body.wb-stands")
        if allowed:
            stands.wait_for(state="attached", timeout=PATIENCE_MS)
        else:
            page.wait_for_load_state("networkidle")
            assert stands.count() == 0


def test_a_page_within_another_says_why_it_is_not_there(tmp_path):
    port = free_port()
    # The one place is taken by who asked whether the server is up.
    options = ("--allow-origin", f"127.0.0.1:{port}", "--max-sessions", "1")
    with served("home", options=options) as url, course(tmp_path, port) as site, chromium() as browser:
        (tmp_path / "script.html").write_text(SCRIPT.format(url=url), encoding="utf-8")
        page = browser.new_page()
        page.goto(f"{site}/script.html")
        page.locator("[role=alert]", has_text="This server holds 1 visits").wait_for(timeout=PATIENCE_MS)
